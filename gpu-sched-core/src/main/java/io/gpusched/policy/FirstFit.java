package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Takes the first node in node order that has room, and there the lowest GPU indexes. Immutable and thread-safe.
 */
public final class FirstFit implements PlacementPolicy {
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
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "first-fit";
    }
}
