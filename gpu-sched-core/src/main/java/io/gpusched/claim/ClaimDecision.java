package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What was decided about claims that are to be allocated together. */
public sealed interface ClaimDecision permits ClaimDecision.Allocated, ClaimError, ClaimRefusal {
    /**
     * All claims have their devices.
     *
     * @param certainty {@code PROVEN} if no other way is better in the allocator's mode
     * @param allocations the devices, claim after claim
     * @param steps how many steps were taken
     */
    record Allocated(Certainty certainty, List<ClaimAllocation> allocations, long steps) implements ClaimDecision {
        /** Copies the list. */
        public Allocated {
            Objects.requireNonNull(certainty, "certainty");
            allocations = Checks.list("allocations", allocations);
        }

        @Override
        public String toString() {
            return allocations.stream()
                    .map(one -> one.claim() + " " + one.grants())
                    .collect(Collectors.joining(", "));
        }
    }
}
