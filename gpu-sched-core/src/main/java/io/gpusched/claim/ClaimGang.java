package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Pods that start together or not at all, and their claims. A claim that several pods name is allocated once, to devices that
 * the nodes of all of them reach.
 *
 * @param pods the pods, in the order in which they choose nodes
 * @param claims the claims that pods name; a claim that no pod names is not allocated
 */
public record ClaimGang(List<Pod> pods, List<PodClaim> claims) {
    /** The number of pods that may use a claim unless a pod group as a whole does: entries of {@code status.reservedFor}. */
    public static final int MOST_PODS = 256;

    /**
     * A pod.
     *
     * @param name unique in its gang
     * @param claims names of its claims
     * @param nodes names of the nodes that it may run on; empty: all
     */
    public record Pod(String name, List<String> claims, Optional<Set<String>> nodes) {
        /** Copies the collections. */
        public Pod {
            Checks.notBlank("pod", "name", name);
            claims = Checks.list("claims", claims);
            nodes = Objects.requireNonNull(nodes, "nodes").map(names -> {
                Checks.noNulls("nodes", names);
                return Set.copyOf(names);
            });
        }

        /** Returns a pod that may run on any node. */
        public static Pod of(String name, String... claims) {
            Checks.noNulls("claims", claims);
            return new Pod(name, List.of(claims), Optional.empty());
        }
    }

    /**
     * A claim of one or several pods.
     *
     * @param claim the claim
     * @param reach from where the devices that it has can be reached; empty: it is to be allocated
     * @param mostPods how many pods of the gang may use it, from 0
     */
    public record PodClaim(Claim claim, Optional<NodeScope> reach, int mostPods) {
        /**
         * Checks the number.
         *
         * @throws IllegalArgumentException if the number is negative
         */
        public PodClaim {
            Objects.requireNonNull(claim, "claim");
            Objects.requireNonNull(reach, "reach");
            Checks.inRange("claim \"" + claim.name() + "\"", "mostPods", mostPods, 0, Integer.MAX_VALUE);
        }

        /** Returns a claim that is to be allocated, for at most {@link #MOST_PODS} pods. */
        public static PodClaim of(Claim claim) {
            return new PodClaim(claim, Optional.empty(), MOST_PODS);
        }

        /** Returns a claim that is to be allocated to the gang as a whole, whatever its number of pods. */
        public static PodClaim ofGroup(Claim claim) {
            return new PodClaim(claim, Optional.empty(), Integer.MAX_VALUE);
        }
    }

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if two pods or two claims have one name, or a pod names a claim that is not among them or
     *     names one twice
     */
    public ClaimGang {
        pods = Checks.list("pods", pods);
        claims = Checks.list("claims", claims);
        Map<String, PodClaim> byName = new HashMap<>();
        for (PodClaim one : claims) {
            if (byName.put(one.claim().name(), one) != null) {
                throw new IllegalArgumentException(
                        "gang: two claims have the name \"" + one.claim().name() + "\"");
            }
        }
        Set<String> names = new HashSet<>();
        for (Pod pod : pods) {
            if (!names.add(pod.name())) {
                throw new IllegalArgumentException("gang: two pods have the name \"" + pod.name() + "\"");
            }
            Set<String> own = new HashSet<>();
            for (String claim : pod.claims()) {
                if (!byName.containsKey(claim)) {
                    throw new IllegalArgumentException("pod \"" + pod.name() + "\": there is no claim \"" + claim
                            + "\" in the gang, only " + new ArrayList<>(byName.keySet()));
                }
                if (!own.add(claim)) {
                    throw new IllegalArgumentException(
                            "pod \"" + pod.name() + "\": the claim \"" + claim + "\" is named twice");
                }
            }
        }
    }
}
