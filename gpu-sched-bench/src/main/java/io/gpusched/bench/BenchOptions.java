package io.gpusched.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * What the command line asks for.
 *
 * @param quick a selection of cases with few iterations, some twenty minutes on two cores
 * @param json where to write JMH's results as JSON, empty for nowhere
 * @param benchmarks regular expressions of which one must occur in a benchmark's name; none for all
 */
record BenchOptions(boolean quick, String json, List<String> benchmarks) {
    static final String USAGE = "usage: bench [--quick] [--json FILE] [BENCHMARK-REGEX...]";

    /**
     * Reads the arguments.
     *
     * @throws IllegalArgumentException if an option is unknown or lacks its value
     */
    static BenchOptions parse(String... args) {
        boolean quick = false;
        String json = "";
        List<String> benchmarks = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            if (args[i].equals("--quick")) {
                quick = true;
            } else if (args[i].equals("--json") && i + 1 < args.length) {
                json = args[++i];
            } else if (args[i].startsWith("-")) {
                throw new IllegalArgumentException("cannot use option \"" + args[i] + "\" here\n" + USAGE);
            } else {
                benchmarks.add(args[i]);
            }
        }
        return new BenchOptions(quick, json, List.copyOf(benchmarks));
    }

    /** Returns whether a benchmark is wanted. */
    boolean wants(String benchmark) {
        return benchmarks.isEmpty()
                || benchmarks.stream()
                        .anyMatch(regex -> java.util.regex.Pattern.compile(regex)
                                .matcher(benchmark)
                                .find());
    }
}
