package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.workload.WorkloadProfile.Shape;

/** The cost of what is free on nodes of one class, in 1/1024 milli of a GPU: the less, the better. Thread-safe. */
final class NodeCost {
    /** One milli of a GPU. */
    static final int UNIT = 1_024;

    private static final int SKEW_DIVISOR = 5;

    private final NodeClass nodeClass;
    private final KindCost kindCost;
    private final long cpuCapacity;
    private final long gpuCapacity;

    NodeCost(NodeClass nodeClass, KindCost kindCost) {
        this.nodeClass = nodeClass;
        this.kindCost = kindCost;
        this.cpuCapacity = Math.min(1L << 29, nodeClass.capacity().cpuMillis());
        this.gpuCapacity = (long) nodeClass.gpus().size() * Shape.WHOLE;
    }

    boolean isFor(NodeClass other) {
        return nodeClass == other;
    }

    long of(FreeAmounts free) {
        return (free.gpuMillis() == 0 ? 0 : kindCost.of(free)) + skew(free);
    }

    /** One GPU times the difference between the free part of the CPU and of the GPUs, over five. */
    private long skew(FreeAmounts free) {
        if (gpuCapacity == 0 || cpuCapacity == 0) {
            return 0;
        }
        long apart = Math.abs(free.cpuMillis() * gpuCapacity - free.gpuMillis() * cpuCapacity);
        return (long) (Shape.WHOLE * UNIT / SKEW_DIVISOR) * apart / (gpuCapacity * cpuCapacity);
    }
}
