package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Takes the first node in node order that has room, and there the lowest GPU indexes. Immutable and thread-safe.
 */
public final class FirstFit implements BoundedPolicy {
    /** Any layout is as good as any other. */
    private static final Bound NO_COST = new Bound() {
        @Override
        public long cost(int gpu, int computeMillis, long memoryMib, int slots) {
            return 0;
        }

        @Override
        public long bestScore(long totalCost) {
            return 0;
        }
    };

    private static final FirstFit INSTANCE = new FirstFit();

    private FirstFit() {}

    /** Returns the policy. */
    public static FirstFit of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        return 0;
    }

    @Override
    public Bound bound(NodeState before, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(pod, "pod");
        return NO_COST;
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "first-fit";
    }
}
