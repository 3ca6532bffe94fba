package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import io.gpusched.dialect.RefusedException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * A batch script: the options of its lines {@code #SBATCH} before the first command, as {@code sbatch} reads them.
 *
 * @param name the job's name; empty where none is given
 * @param options what {@link SlurmRequest} and {@link SlurmPartitions} read, by long name without dashes
 * @param others options that do not bear on where GPUs are, or are not honoured, by long name, ascending
 */
public record SlurmBatch(String name, Map<String, String> options, List<String> others) {
    private static final String PREFIX = "#SBATCH";

    /** By letter the long name of an option. */
    private static final Map<String, String> LONG = Map.ofEntries(
            Map.entry("A", "account"),
            Map.entry("B", "extra-node-info"),
            Map.entry("C", "constraint"),
            Map.entry("D", "chdir"),
            Map.entry("F", "nodefile"),
            Map.entry("G", "gpus"),
            Map.entry("H", "hold"),
            Map.entry("J", "job-name"),
            Map.entry("L", "licenses"),
            Map.entry("M", "clusters"),
            Map.entry("N", "nodes"),
            Map.entry("O", "overcommit"),
            Map.entry("Q", "quiet"),
            Map.entry("S", "core-spec"),
            Map.entry("W", "wait"),
            Map.entry("a", "array"),
            Map.entry("b", "begin"),
            Map.entry("c", "cpus-per-task"),
            Map.entry("d", "dependency"),
            Map.entry("e", "error"),
            Map.entry("i", "input"),
            Map.entry("k", "no-kill"),
            Map.entry("m", "distribution"),
            Map.entry("n", "ntasks"),
            Map.entry("o", "output"),
            Map.entry("p", "partition"),
            Map.entry("q", "qos"),
            Map.entry("s", "oversubscribe"),
            Map.entry("t", "time"),
            Map.entry("v", "verbose"),
            Map.entry("w", "nodelist"),
            Map.entry("x", "exclude"));

    /** The options whose value, if they have one, stands behind an equals sign. */
    private static final Set<String> BARE = names("""
            contiguous exclusive get-user-env hold ignore-pbs nice no-kill no-requeue overcommit oversubscribe
            parsable propagate quiet reboot requeue resv-ports share spread-job stepmgr test-only use-min-nodes
            verbose wait
            """);

    /** All other long options of sbatch. */
    private static final Set<String> VALUED = names("""
            account acctg-freq array batch bb bbf begin chdir cluster-constraint clusters comment constraint
            consolidate-segments container container-id core-spec cores-per-socket cpu-freq cpus-per-gpu
            cpus-per-task deadline delay-boot dependency distribution error exclude export export-file extra
            extra-node-info gid gpu-bind gpu-freq gpus gpus-per-node gpus-per-socket gpus-per-task gres gres-flags
            hint input job-name kill-on-invalid-dep licenses mail-type mail-user mcs-label mem mem-bind mem-per-cpu
            mem-per-gpu mincpus network nodefile nodelist nodes ntasks ntasks-per-core ntasks-per-gpu
            ntasks-per-node ntasks-per-socket oom-kill-step open-mode output partition power prefer priority
            profile qos reservation segment signal sockets-per-node switches thread-spec threads-per-core time
            time-min tmp tres-bind tres-per-task uid wait-all-nodes wckey workdir wrap
            """);

    private static final Set<String> ELSEWHERE = Set.of("partition", "constraint");

    /** The lines between the components of a heterogeneous job; the second is how Slurm called them before 20.02. */
    private static final Set<String> BETWEEN = Set.of("hetjob", "packjob");

    /** Copies the collections. */
    public SlurmBatch {
        Objects.requireNonNull(name, "name");
        options = Checks.ascending("options", options);
        others = Checks.list("others", others);
    }

    private static Set<String> names(String text) {
        return Set.of(text.strip().split("\\s+", -1));
    }

    /** Returns whether a text is a batch script. */
    public static boolean isOne(String text) {
        Objects.requireNonNull(text, "text");
        return text.startsWith("#!");
    }

    /**
     * Reads a script: the components of a heterogeneous job in order, one of any other job. Of an option given twice in a component the
     * last holds; the name of the first is the name of the job.
     *
     * @throws RefusedException if sbatch has no such option
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
                String name = known(equals < 0 ? word.substring(2) : word.substring(2, equals));
                all.put(name, equals >= 0 ? word.substring(equals + 1) : BARE.contains(name) ? "" : next);
            } else if (word.startsWith("-") && word.length() > 1) {
                String name = LONG.get(word.substring(1, 2));
                if (name == null) {
                    throw new RefusedException("sbatch", "invalid option -- '" + word.charAt(1) + "'");
                }
                all.put(name, word.length() > 2 ? word.substring(2) : BARE.contains(name) ? "" : next);
            }
        }
    }

    /** The long option of this name, or the only one that begins with it. */
    private static String known(String name) {
        if (VALUED.contains(name) || BARE.contains(name)) {
            return name;
        }
        List<String> all = Stream.concat(VALUED.stream(), BARE.stream())
                .filter(one -> one.startsWith(name))
                .sorted()
                .toList();
        if (all.size() != 1) {
            throw new RefusedException(
                    "sbatch",
                    all.isEmpty()
                            ? "unrecognized option '--" + name + "'"
                            : "option '--" + name + "' is ambiguous; possibilities: --" + String.join(", --", all));
        }
        return all.get(0);
    }
}
