package io.gpusched.testkit;

import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;

/** Counts how often it is asked for a score; more pods on a node are better. */
public final class CountingPolicy implements PlacementPolicy {
    private final Scope scope;
    private int calls;

    public CountingPolicy(Scope scope) {
        this.scope = scope;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        calls++;
        return before.podCount();
    }

    @Override
    public Scope scope() {
        return scope;
    }

    /** Returns how often it was asked since it was made or last reset. */
    public int calls() {
        return calls;
    }

    public void reset() {
        calls = 0;
    }
}
