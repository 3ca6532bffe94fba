package io.gpusched.dialect.slurm;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Which nodes of Slurm's {@code slurm.conf} a job may use: those of one of its partitions ({@code PartitionName=gpu Nodes=n[1-4]}) that
 * have the features ({@code NodeName=n1 Feature=a100}) of its {@code --constraint}.
 *
 * @param nodes the nodes of each partition that is up
 * @param standard the partition of jobs that name none; empty if there is none
 * @param features the features of each node
 */
public record SlurmPartitions(
        Map<String, List<String>> nodes, Optional<String> standard, Map<String, Set<String>> features) {
    private static final Pattern CONSTRAINT = Pattern.compile("[\\w.-]+(?:&[\\w.-]+)*|[\\w.-]+(?:\\|[\\w.-]+)*");

    /** Copies the collections. */
    public SlurmPartitions {
        nodes = Checks.ascending("nodes", nodes);
        features = Checks.ascending("features", features);
        Objects.requireNonNull(standard, "standard");
    }

    /**
     * Reads the lines of partitions and nodes.
     *
     * @throws IllegalArgumentException if a line is malformed; the message names the line
     */
    public static SlurmPartitions of(String slurmConf) {
        Objects.requireNonNull(slurmConf, "slurmConf");
        Map<String, Set<String>> features = new TreeMap<>();
        for (SlurmConf.Line line : SlurmConf.lines(slurmConf, SlurmConf.NODE_NAME)) {
            String list = line.values().getOrDefault("features", line.values().getOrDefault("feature", ""));
            line.names().forEach(name -> features.put(name, new TreeSet<>(List.of(list.split(",", -1)))));
        }
        Map<String, List<String>> nodes = new TreeMap<>();
        Optional<String> standard = Optional.empty();
        for (SlurmConf.Line line : SlurmConf.lines(slurmConf, "partitionname")) {
            String list = line.values().getOrDefault("nodes", "");
            boolean isUp = line.values().getOrDefault("state", "UP").equalsIgnoreCase("UP");
            List<String> of = list.toUpperCase(Locale.ROOT).equals("ALL")
                    ? List.copyOf(features.keySet())
                    : SlurmNames.expand(list);
            line.names().forEach(name -> nodes.put(name, isUp ? of : List.of()));
            if (line.values().getOrDefault("default", "").equalsIgnoreCase("YES")) {
                standard = line.names().stream().findFirst();
            }
        }
        return new SlurmPartitions(nodes, standard, features);
    }

    /** Returns whether a {@code --constraint} is one that is read: a feature, several that all or any of must be there. */
    public static boolean isRead(String constraint) {
        return CONSTRAINT
                .matcher(Objects.requireNonNull(constraint, "constraint"))
                .matches();
    }

    /**
     * Returns the nodes that a job may use in each of its partitions, in the order in which it names them.
     *
     * @param partition its {@code --partition}; empty if it has none
     * @param constraint its {@code --constraint}; empty if it has none
     * @throws io.gpusched.dialect.RefusedException if there is no such partition or feature, as sbatch refuses it
     */
    public List<List<String>> choices(String partition, String constraint) {
        Objects.requireNonNull(partition, "partition");
        Objects.requireNonNull(constraint, "constraint");
        Set<String> wanted = new TreeSet<>(List.of(constraint.split("[&|]", -1)));
        if (!constraint.isEmpty()
                && features.values().stream().flatMap(Set::stream).noneMatch(wanted::contains)) {
            throw SlurmOptions.refused("Invalid feature specification: no node has " + constraint);
        }
        if (partition.isEmpty() && standard.isEmpty() && !nodes.isEmpty()) {
            throw SlurmOptions.refused("No partition specified or system default partition");
        }
        List<List<String>> choices = new ArrayList<>();
        for (String name : partition.isEmpty() ? standard.stream().toList() : List.of(partition.split(",", -1))) {
            if (!nodes.containsKey(name)) {
                throw SlurmOptions.refused("invalid partition specified: " + name);
            }
            choices.add(having(nodes.getOrDefault(name, List.of()).stream(), wanted, constraint));
        }
        return choices.isEmpty()
                ? List.of(having(features.keySet().stream(), wanted, constraint))
                : List.copyOf(choices);
    }

    private List<String> having(Stream<String> names, Set<String> wanted, String constraint) {
        return names.filter(name -> {
                    Set<String> has = features.getOrDefault(name, Set.of());
                    return constraint.isEmpty()
                            || (constraint.contains("|")
                                    ? wanted.stream().anyMatch(has::contains)
                                    : has.containsAll(wanted));
                })
                .toList();
    }
}
