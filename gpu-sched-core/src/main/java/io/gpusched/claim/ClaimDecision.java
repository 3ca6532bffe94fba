package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What was decided about claims that are to be allocated together. */
public sealed interface ClaimDecision {
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

    /** The claims cannot all be had. Why is worked out only when it is asked for. */
    final class Refused implements ClaimDecision {
        private final Certainty certainty;
        private final long steps;
        private final Supplier<ClaimConflict> source;
        private volatile @Nullable ClaimConflict known;

        Refused(Certainty certainty, long steps, Supplier<ClaimConflict> source) {
            this.certainty = certainty;
            this.steps = steps;
            this.source = source;
        }

        /** Returns {@code PROVEN}, or {@code LIMIT} if the limit of steps was reached. */
        public Certainty certainty() {
            return certainty;
        }

        /** Returns how many steps were taken. */
        public long steps() {
            return steps;
        }

        /** Returns why, computed on the first call within the allocator's budget. */
        public ClaimConflict conflict() {
            ClaimConflict result = known;
            if (result == null) {
                result = source.get();
                known = result;
            }
            return result;
        }

        @Override
        public String toString() {
            return certainty == Certainty.LIMIT
                    ? "the limit of steps was reached after " + steps
                    : conflict().toString();
        }
    }

    /**
     * The claims, or the pools that the node reaches, are wrong as they stand.
     *
     * @param error what is wrong
     * @param onlyThisNode whether other nodes may serve the claims
     */
    record Failed(ClaimError error, boolean onlyThisNode) implements ClaimDecision {
        /** Checks that nothing is null. */
        public Failed {
            Objects.requireNonNull(error, "error");
        }

        @Override
        public String toString() {
            return error.toString();
        }
    }
}
