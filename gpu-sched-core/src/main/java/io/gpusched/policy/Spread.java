package io.gpusched.policy;

import io.gpusched.internal.lookahead.NodeChange;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Leaves every tenant as much air as possible: the GPU on which most is left after a share is taken, then the node with
 * the greatest part of its GPU compute left, then with the greatest part of its CPU left.
 *
 * <p>Parts are compared in whole thousandths. Immutable and thread-safe.
 */
public final class Spread implements PlacementPolicy {
    private static final Spread INSTANCE = new Spread();

    private Spread() {}

    /** Returns the policy. */
    public static Spread of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long capacity = 0;
        for (int g = 0; g < after.gpuCount(); g++) {
            capacity += after.node().gpus().get(g).computeMillis();
        }
        long gpu = capacity == 0 ? 0 : after.freeComputeMillis() * 1_000 / capacity;
        long cpuCapacity = after.node().capacity().cpuMillis();
        long cpu = cpuCapacity == 0 ? 0 : after.freeCpuMillis() * 1_000 / cpuCapacity;
        return leastLeft(before, after) << 20 | gpu << 10 | cpu;
    }

    /** The least compute and the least memory, in thousandths, that is left on any shared or cut GPU that is taken from. */
    private static long leastLeft(NodeState before, NodeState after) {
        long least = 1_000;
        for (int g = 0; g < after.gpuCount(); g++) {
            if (after.isShared(g) && NodeChange.takes(before, after, g) || NodeChange.cuts(before, after, g)) {
                long compute = after.freeComputeMillis(g)
                        * 1_000L
                        / after.node().gpus().get(g).computeMillis();
                long capacity = after.node().gpus().get(g).memoryMib();
                long memory = capacity == 0 ? 1_000 : after.freeMemoryMib(g) * 1_000 / capacity;
                least = Math.min(least, Math.min(compute, memory));
            }
        }
        return least;
    }

    @Override
    public Scope scope() {
        return Scope.OCCUPANCY;
    }

    @Override
    public String toString() {
        return "spread";
    }
}
