package io.gpusched.simulator.policy;

import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The library's own policies by name. {@code fgd} and {@code default} look at a workload: what typical pods ask decides
 * which rest of a GPU is of use.
 */
public final class LibraryPolicies {
    /** Makes a policy for one run. */
    @FunctionalInterface
    private interface Maker {
        PlacementPolicy of(Supplier<List<Pod>> workload, long seed);
    }

    private static final Map<String, Maker> BY_NAME = makers();

    private static final Map<String, String> MEANINGS = Map.of(
            "random",
            "a node with room, drawn at random",
            "dot-product",
            "the node whose free amounts match the request best, as their dot product",
            "gpu-clustering",
            "nodes that run pods of the same kind first",
            "gpu-packing",
            "GPUs in use first, then nodes in use, then idle nodes",
            "best-fit",
            "the node with the least left over",
            "fgd",
            "the node whose GPUs it fragments least, measured by what pods usually request",
            "bin-pack",
            "the GPU with the least left that still holds it",
            "spread",
            "the node with the most free",
            "first-fit",
            "the first node with room",
            "default",
            "look-ahead: the node whose remaining room is worth most to expected pods");

    private LibraryPolicies() {}

    private static Map<String, Maker> makers() {
        Map<String, Maker> makers = new LinkedHashMap<>();
        makers.put("random", (workload, seed) -> RandomFit.of(seed));
        makers.put("dot-product", (workload, seed) -> DotProduct.of());
        makers.put("gpu-clustering", (workload, seed) -> GpuClustering.of());
        makers.put("gpu-packing", (workload, seed) -> GpuPacking.of());
        makers.put("best-fit", (workload, seed) -> BestFit.of());
        makers.put("fgd", (workload, seed) -> FragmentationGradient.of(WorkloadProfile.typical(workload.get())));
        makers.put("bin-pack", (workload, seed) -> BinPack.of());
        makers.put("spread", (workload, seed) -> Spread.of());
        makers.put("first-fit", (workload, seed) -> FirstFit.of());
        makers.put("default", (workload, seed) -> LookAhead.of(WorkloadProfile.of(workload.get())));
        return makers;
    }

    /** Returns the names, in the order of tables. */
    public static List<String> names() {
        return List.copyOf(BY_NAME.keySet());
    }

    /**
     * Returns what a policy prefers, in a phrase.
     *
     * @throws IllegalArgumentException if there is none of this name
     */
    public static String meaning(String name) {
        check(name);
        return MEANINGS.getOrDefault(name, "");
    }

    /**
     * Returns the policy of this name.
     *
     * @param workload the pods to expect, asked for only by policies that look at them
     * @param seed the seed of {@code random}
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    public static PlacementPolicy of(String name, Supplier<List<Pod>> workload, long seed) {
        return maker(name).of(workload, seed);
    }

    /**
     * Checks that there is a policy of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    public static void check(String name) {
        maker(name);
    }

    private static Maker maker(String name) {
        Maker maker = BY_NAME.get(name);
        if (maker == null) {
            throw new IllegalArgumentException("policy must be one of the library's own: "
                    + String.join(", ", BY_NAME.keySet()) + ", got \"" + name + "\"");
        }
        return maker;
    }
}
