package io.gpusched.workload;

import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How close to each other the GPUs of one request are.
 *
 * <p>A bond is what every two of them share. A required bond refuses nodes that have no such GPUs free. A preferred one is
 * required beside the other first, on all nodes, and dropped if no node has room then. Which of the sets that are left is taken on a node
 * says the {@linkplain Choice choice}; it matters only where the node's {@linkplain io.gpusched.model.Node#links links} are
 * known.
 *
 * @param required the bond without which the request has no place
 * @param preferred a bond that is wanted beside it; {@link Bond#NONE} for no wish
 * @param choice which set of whole GPUs is taken
 */
public record GpuAffinity(Bond required, Bond preferred, Choice choice) {
    /** What every two GPUs of a request share. */
    public enum Bond {
        /** The node, and nothing else. */
        NONE,
        /** The NUMA node; all GPUs whose NUMA node is unknown count as one NUMA node. */
        NUMA_NODE,
        /** At least one NVLink. */
        NVLINK_CLIQUE
    }

    /**
     * Which set of whole GPUs is taken on a node with known links, for a pod with one container that asks for GPUs. Exact for up to
     * 16 GPUs that are idle; above, a good set is found by exchanging one GPU at a time.
     */
    public enum Choice {
        /**
         * The set whose pairs have the highest scores in sum; among equals the one nearest to network cards, then the one with
         * most pairs on one NUMA node, then the lowest indexes. One GPU alone is the lowest.
         */
        BEST_SET,
        /** The lowest indexes. */
        LOWEST_INDEXES
    }

    /** No bond, and the best connected set. */
    public static final GpuAffinity ANY = new GpuAffinity(Bond.NONE, Bond.NONE, Choice.BEST_SET);

    /** Checks that nothing is missing. */
    public GpuAffinity {
        Objects.requireNonNull(required, "required");
        Objects.requireNonNull(preferred, "preferred");
        Objects.requireNonNull(choice, "choice");
    }

    /** Returns affinity with this bond required. */
    public static GpuAffinity requiring(Bond bond) {
        Objects.requireNonNull(bond, "bond");
        return new GpuAffinity(bond, Bond.NONE, Choice.BEST_SET);
    }

    /** Returns affinity with this bond preferred. */
    public static GpuAffinity preferring(Bond bond) {
        Objects.requireNonNull(bond, "bond");
        return new GpuAffinity(Bond.NONE, bond, Choice.BEST_SET);
    }

    /** Returns this affinity with another choice of the set. */
    public GpuAffinity withChoice(Choice value) {
        Objects.requireNonNull(value, "value");
        return new GpuAffinity(required, preferred, value);
    }

    /** Returns this affinity with the wish dropped. */
    public GpuAffinity withoutPreference() {
        return new GpuAffinity(required, Bond.NONE, choice);
    }

    @Override
    public String toString() {
        String must = words(required);
        String wish = preferred == Bond.NONE ? "" : "if possible " + words(preferred);
        String which = choice == Choice.BEST_SET
                ? ""
                : "by " + choice.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        return Stream.of(must, wish, which).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
    }

    private static String words(Bond bond) {
        return switch (bond) {
            case NONE -> "";
            case NUMA_NODE -> "on one NUMA node";
            case NVLINK_CLIQUE -> "in one NVLink clique";
        };
    }
}
