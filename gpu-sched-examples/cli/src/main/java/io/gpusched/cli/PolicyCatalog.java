package io.gpusched.cli;

import io.gpusched.policy.PlacementPolicy;
import io.gpusched.simulator.ArrivalSequence;
import io.gpusched.simulator.NamedPolicy;
import io.gpusched.simulator.SchedulerPlacer;
import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.paper.PaperPolicies;
import io.gpusched.simulator.policy.LibraryPolicies;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import io.gpusched.workload.Pod;
import java.util.List;
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

    private PolicyCatalog() {}

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
            return once(names)
                    .peek(name -> LibraryPolicies.check(libraryName(name)))
                    .toList();
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
        String library = libraryName(name);
        if (!LibraryPolicies.names().contains(library)) {
            throw new IllegalArgumentException("policy must be one of "
                    + String.join(", ", new TreeSet<>(LibraryPolicies.names())) + ", "
                    + String.join(", ", PaperPolicies.NAMES) + ", got \"" + name + "\"");
        }
        return new NamedPolicy(
                name, (workload, arrivals, mix) -> SchedulerPlacer.of(core(library, workload, arrivals.seed())));
    }

    private static String libraryName(String name) {
        return name.startsWith(CORE) ? name.substring(CORE.length()) : name;
    }

    /**
     * Returns the library's own policy of this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists all names
     */
    static PlacementPolicy core(String name, Workload workload, long seed) {
        return LibraryPolicies.of(libraryName(name), () -> pods(workload), seed);
    }

    private static NamedPolicy paper(String name, String paper) {
        return new NamedPolicy(
                name,
                (Workload workload, ArrivalSequence arrivals, TypicalMix mix) ->
                        PaperPolicies.placer(paper, workload, arrivals, mix));
    }
}
