package io.gpusched.claim;

import io.gpusched.check.Checks;
import io.gpusched.decision.Certainty;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What was decided about the claims of a gang. */
public sealed interface GangDecision {
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

    /** The pods cannot all run at once. Why is worked out only when it is asked for. */
    final class Refused implements GangDecision {
        private final Certainty certainty;
        private final long steps;
        private final Supplier<GangConflict> source;
        private volatile @Nullable GangConflict known;

        Refused(Certainty certainty, long steps, Supplier<GangConflict> source) {
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
        public GangConflict conflict() {
            GangConflict result = known;
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
     * A claim is wrong as it stands.
     *
     * @param error what is wrong
     */
    record Failed(ClaimError error) implements GangDecision {
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
