package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What was decided about the claims of a gang. */
public sealed interface GangDecision permits GangDecision.Allocated, ClaimError, ClaimRefusal {
    /**
     * All pods have a node and all claims their devices.
     *
     * @param certainty {@code PROVEN} if no other way is better in the allocator's order
     * @param nodes the node of each pod, by the pod's name
     * @param allocations the devices of claims that had none, in the order of the gang's claims
     * @param steps how many steps were taken
     */
    record Allocated(Certainty certainty, Map<String, String> nodes, List<ClaimAllocation> allocations, long steps)
            implements GangDecision {
        /** Copies the collections. */
        public Allocated {
            Objects.requireNonNull(certainty, "certainty");
            nodes = Checks.ascending("nodes", nodes);
            allocations = Checks.list("allocations", allocations);
        }

        @Override
        public String toString() {
            return nodes + " " + allocations;
        }
    }
}
