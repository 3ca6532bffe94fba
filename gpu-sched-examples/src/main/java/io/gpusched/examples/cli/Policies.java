package io.gpusched.examples.cli;

import io.gpusched.examples.paper.PaperPolicies;
import io.gpusched.examples.policy.LibraryPolicies;
import io.gpusched.examples.simulate.Arrivals;
import io.gpusched.examples.simulate.NamedPolicy;
import io.gpusched.examples.simulate.SchedulerPlacer;
import io.gpusched.examples.simulate.TypicalMix;
import io.gpusched.examples.trace.TracePod;
import io.gpusched.examples.trace.Workload;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.TreeSet;

/**
 * The policies that the command line knows by name.
 *
 * <p>A plain name is one of the library's own policies; a name that ends in {@code -paper} is the form in which "Beware
 * of Fragmentation" ran it. With a recorded order the six names that exist in both forms mean the paper's, so that a run
 * reproduces the published one, and {@code core:NAME} asks for the library's.
 */
final class Policies {
    private static final String CORE = "core:";

    private Policies() {}

    private static List<Pod> pods(Workload workload) {
        return workload.pods().stream().map(TracePod::pod).toList();
    }

    /** Returns the names of the library's own policies. */
    static List<String> coreNames() {
        return LibraryPolicies.names();
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
                (Workload workload, Arrivals arrivals, TypicalMix mix) ->
                        PaperPolicies.placer(paper, workload, arrivals, mix));
    }
}
