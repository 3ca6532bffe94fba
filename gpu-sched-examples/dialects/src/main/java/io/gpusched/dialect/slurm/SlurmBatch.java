package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A batch script: the options of its lines {@code #SBATCH} before the first command, as {@code sbatch} reads them.
 *
 * @param name the job's name; empty where none is given
 * @param options what {@link SlurmRequest} and {@link SlurmPartitions} read, by long name without dashes
 * @param others options that do not bear on where GPUs are, or are not honoured, by long name, ascending
 */
public record SlurmBatch(String name, Map<String, String> options, List<String> others) {
    private static final String PREFIX = "#SBATCH";

    private static final Map<String, String> LONG = Map.ofEntries(
            Map.entry("N", "nodes"),
            Map.entry("n", "ntasks"),
            Map.entry("c", "cpus-per-task"),
            Map.entry("G", "gpus"),
            Map.entry("w", "nodelist"),
            Map.entry("x", "exclude"),
            Map.entry("J", "job-name"),
            Map.entry("p", "partition"),
            Map.entry("t", "time"),
            Map.entry("C", "constraint"),
            Map.entry("a", "array"),
            Map.entry("A", "account"),
            Map.entry("q", "qos"),
            Map.entry("d", "dependency"),
            Map.entry("o", "output"),
            Map.entry("e", "error"));

    private static final Set<String> ELSEWHERE = Set.of("partition", "constraint");

    /** The lines between the components of a heterogeneous job; the second is how Slurm called them before 20.02. */
    private static final Set<String> BETWEEN = Set.of("hetjob", "packjob");

    /** Copies the collections. */
    public SlurmBatch {
        Objects.requireNonNull(name, "name");
        options = Checks.ascending("options", options);
        others = Checks.list("others", others);
    }

    /** Returns whether a text is a batch script. */
    public static boolean isOne(String text) {
        Objects.requireNonNull(text, "text");
        return text.startsWith("#!");
    }

    /**
     * Reads a script: the components of a heterogeneous job in order, one of any other job. Of an option given twice in a component the
     * last holds; the name of the first is the name of the job.
     */
    public static List<SlurmBatch> parse(String text) {
        Objects.requireNonNull(text, "text");
        List<SlurmBatch> components = new ArrayList<>();
        Map<String, String> all = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String content = line.strip();
            if (content.startsWith(PREFIX)) {
                List<String> words = words(content.substring(PREFIX.length()));
                if (words.size() == 1 && BETWEEN.contains(words.get(0))) {
                    components.add(component(all));
                    all = new LinkedHashMap<>();
                } else {
                    read(words, all);
                }
            } else if (!content.isEmpty() && !content.startsWith("#")) {
                break; // a command: sbatch looks no further
            }
        }
        components.add(component(all));
        return List.copyOf(components);
    }

    private static SlurmBatch component(Map<String, String> all) {
        String name = Objects.requireNonNullElse(all.remove("job-name"), "");
        TreeSet<String> others = new TreeSet<>(all.keySet());
        others.removeAll(SlurmRequest.known());
        others.removeAll(ELSEWHERE);
        all.keySet().removeAll(others);
        return new SlurmBatch(name, all, List.copyOf(others));
    }

    /** Words up to a comment; quotes hold words together. */
    private static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        char quote = 0;
        for (char c : (line + " ").toCharArray()) {
            if (quote == 0 && c == '#' && word.isEmpty()) {
                break;
            }
            if (c == quote) {
                quote = 0;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (quote == 0 && Character.isWhitespace(c)) {
                if (!word.isEmpty()) {
                    words.add(word.toString());
                    word.setLength(0);
                }
            } else {
                word.append(c);
            }
        }
        return words;
    }

    private static void read(List<String> words, Map<String, String> all) {
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean isLast = i + 1 == words.size() || words.get(i + 1).startsWith("-");
            String next = isLast ? "" : words.get(i + 1);
            if (word.startsWith("--")) {
                int equals = word.indexOf('=');
                all.put(
                        equals < 0 ? word.substring(2) : word.substring(2, equals),
                        equals < 0 ? next : word.substring(equals + 1));
            } else if (word.startsWith("-") && word.length() > 1) {
                String letter = word.substring(1, 2);
                all.put(LONG.getOrDefault(letter, letter), word.length() > 2 ? word.substring(2) : next);
            }
        }
    }
}
