package io.gpusched.bench;

import io.gpusched.bench.peer.Overcommit;
import io.gpusched.bench.report.MemoryReport;
import io.gpusched.bench.report.Results;
import io.gpusched.bench.report.Tables;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;

/**
 * Runs the benchmarks and prints the tables of docs/performance.md.
 *
 * <pre>{@code java -jar benchmarks.jar [--quick] [--json FILE] [BENCHMARK-REGEX...]}</pre>
 *
 * <p>JMH's own command line is there too: {@code java -cp benchmarks.jar org.openjdk.jmh.Main -h}.
 */
public final class BenchMain {
    private BenchMain() {}

    /** Runs the command; ends with code 1 if a benchmark fails and 2 if the arguments are wrong. */
    public static void main(String[] args) {
        BenchOptions options;
        try {
            options = BenchOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        try {
            run(options);
        } catch (RunnerException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(1);
        }
        System.exit(0); // Fenzo's threads are no daemons
    }

    private static void run(BenchOptions options) throws RunnerException {
        List<RunResult> results = new ArrayList<>();
        for (Suite suite : options.quick() ? Suite.QUICK : Suite.FULL) {
            if (options.wants(suite.benchmark())) {
                results.addAll(new Runner(suite.options(options.quick())).run());
                write(options.json(), results);
            }
        }
        System.out.println();
        System.out.println(new Tables(new Results(results)));
        if (options.wants("Memory")) {
            System.out.println(MemoryReport.of(options.quick() ? 10_000 : 100_000));
        }
        if (options.wants("Overcommit")) {
            System.out.println(Overcommit.report());
        }
    }

    /** Writes what there is so far, so that an aborted run leaves its results. */
    private static void write(String file, Collection<RunResult> results) {
        if (file.isEmpty()) {
            return;
        }
        try (PrintStream out = new PrintStream(new FileOutputStream(file), false, StandardCharsets.UTF_8)) {
            ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write \"" + file + "\"", e);
        }
    }
}
