package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * A batch script: the options of its lines {@code #SBATCH} before the first command, as {@code sbatch} reads them.
 *
 * @param name the job's name; empty where none is given
 * @param options what {@link SlurmRequest} reads, by long name without dashes
 * @param others options that do not bear on where GPUs are, or are not honoured, by long name, ascending
 */
public record SlurmBatch(String name, Map<String, String> options, List<String> others) {
    private static final String PREFIX = "#SBATCH";

    private static final Map<String, String> LONG =
            Map.of("N", "nodes", "n", "ntasks", "c", "cpus-per-task", "G", "gpus", "w", "nodelist", "J", "job-name");

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

    /** Reads a script. Of an option given twice the last holds. */
    public static SlurmBatch parse(String text) {
        Objects.requireNonNull(text, "text");
        Map<String, String> all = new LinkedHashMap<>();
        for (String line : text.lines().toList()) {
            String content = line.strip();
            if (content.startsWith(PREFIX)) {
                read(words(content.substring(PREFIX.length())), all);
            } else if (!content.isEmpty() && !content.startsWith("#")) {
                break; // a command: sbatch looks no further
            }
        }
        String name = Objects.requireNonNullElse(all.remove("job-name"), "");
        TreeSet<String> others = new TreeSet<>(all.keySet());
        others.removeAll(SlurmRequest.known());
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
