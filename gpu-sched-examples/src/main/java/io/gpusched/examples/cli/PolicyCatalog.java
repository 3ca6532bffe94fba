package io.gpusched.examples.cli;

import io.gpusched.examples.paper.PaperPolicies;
import io.gpusched.examples.simulate.ArrivalSequence;
import io.gpusched.examples.simulate.NamedPolicy;
import io.gpusched.examples.simulate.SchedulerPlacer;
import io.gpusched.examples.simulate.TypicalMix;
import io.gpusched.examples.trace.TracePod;
import io.gpusched.examples.trace.Workload;
import io.gpusched.policy.BestFit;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.DotProduct;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.FragmentationGradient;
import io.gpusched.policy.GpuClustering;
import io.gpusched.policy.GpuPacking;
import io.gpusched.policy.LookAhead;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * The policies that the command line knows by name.
 *
 * <p>A plain name is one of the library's own policies; a name that ends in {@code -paper} is the form in which "Beware
 * of Fragmentation" ran it. With a recorded order the six names that exist in both forms mean the paper's, so that a run
 * reproduces the published one, and {@code core:NAME} asks for the library's.
 */
final class PolicyCatalog {
    private static final String CORE = "core:";

    /** Makes a policy for one run. */
    @FunctionalInterface
    private interface CorePolicy {
        PlacementPolicy of(Workload workload, long seed);
    }

    private static final Map<String, CorePolicy> CORE_POLICIES = corePolicies();

    private PolicyCatalog() {}

    private static Map<String, CorePolicy> corePolicies() {
        Map<String, CorePolicy> policies = new LinkedHashMap<>();
        policies.put("random", (workload, seed) -> RandomFit.of(seed));
        policies.put("dot-product", (workload, seed) -> DotProduct.of());
        policies.put("gpu-clustering", (workload, seed) -> GpuClustering.of());
        policies.put("gpu-packing", (workload, seed) -> GpuPacking.of());
        policies.put("best-fit", (workload, seed) -> BestFit.of());
        policies.put("fgd", (workload, seed) -> FragmentationGradient.of(typical(workload)));
        policies.put("bin-pack", (workload, seed) -> BinPack.of());
        policies.put("spread", (workload, seed) -> Spread.of());
        policies.put("first-fit", (workload, seed) -> FirstFit.of());
        policies.put("default", (workload, seed) -> LookAhead.of(WorkloadProfile.of(pods(workload))));
        return policies;
    }

    private static WorkloadProfile typical(Workload workload) {
        return WorkloadProfile.typical(pods(workload));
    }

    private static List<Pod> pods(Workload workload) {
        return workload.pods().stream().map(TracePod::pod).toList();
    }

    /**
     * Returns the policies of these names, each once, in the order in which they are first named.
     *
     * @param recordedOrder whether the pods arrive in a recorded order
     * @throws picocli.CommandLine.ParameterException if there is none of a name; the message lists all names
     */
    static List<NamedPolicy> named(@Nullable CommandSpec spec, List<String> names, boolean recordedOrder) {
        try {
            return once(names).map(name -> of(name, recordedOrder)).toList();
        } catch (IllegalArgumentException e) {
            throw OptionErrors.bad(spec, "--policies: " + e.getMessage());
        }
    }

    /**
     * Returns these names, each once, all of the library's own policies.
     *
     * @throws picocli.CommandLine.ParameterException if one is not; the message lists all names
     */
    static List<String> coreNames(@Nullable CommandSpec spec, List<String> names) {
        try {
            return once(names).peek(PolicyCatalog::core).toList();
        } catch (IllegalArgumentException e) {
            throw OptionErrors.bad(spec, "--policies: " + e.getMessage());
        }
    }

    private static Stream<String> once(List<String> names) {
        return names.stream().map(String::strip).distinct();
    }

    /**
     * Returns the policy of this name.
     *
     * @param recordedOrder whether the pods arrive in a recorded order
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    static NamedPolicy of(String name, boolean recordedOrder) {
        String paper = name + PaperPolicies.SUFFIX;
        if (recordedOrder && PaperPolicies.NAMES.contains(paper)) {
            return paper(name, paper);
        }
        if (PaperPolicies.NAMES.contains(name)) {
            return paper(name, name);
        }
        CorePolicy policy = CORE_POLICIES.get(name.startsWith(CORE) ? name.substring(CORE.length()) : name);
        if (policy == null) {
            throw new IllegalArgumentException("policy must be one of "
                    + String.join(", ", new TreeSet<>(CORE_POLICIES.keySet())) + ", "
                    + String.join(", ", PaperPolicies.NAMES) + ", got \"" + name + "\"");
        }
        return new NamedPolicy(
                name, (workload, arrivals, mix) -> SchedulerPlacer.of(policy.of(workload, arrivals.seed())));
    }

    /**
     * Returns the library's own policy of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    static PlacementPolicy core(String name, Workload workload, long seed) {
        return core(name).of(workload, seed);
    }

    private static CorePolicy core(String name) {
        CorePolicy policy = CORE_POLICIES.get(name.startsWith(CORE) ? name.substring(CORE.length()) : name);
        if (policy == null) {
            throw new IllegalArgumentException("policy must be one of the library's own: "
                    + String.join(", ", CORE_POLICIES.keySet()) + ", got \"" + name + "\"");
        }
        return policy;
    }

    private static NamedPolicy paper(String name, String paper) {
        return new NamedPolicy(
                name,
                (Workload workload, ArrivalSequence arrivals, TypicalMix mix) ->
                        PaperPolicies.placer(paper, workload, arrivals, mix));
    }
}
