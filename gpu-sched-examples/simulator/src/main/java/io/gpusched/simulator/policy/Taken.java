package io.gpusched.simulator.policy;

import io.gpusched.model.NodeState;

/** What a placement takes of a node, read off the states before and after. */
final class Taken {
    private Taken() {}

    /** CPU taken, in milli. */
    static long cpuMillis(NodeState before, NodeState after) {
        return before.freeCpuMillis() - after.freeCpuMillis();
    }

    /** Compute taken on all GPUs together, in milli. */
    static long gpuMillis(NodeState before, NodeState after) {
        return before.freeComputeMillis() - after.freeComputeMillis();
    }

    /** Whether anything of this GPU is taken. */
    static boolean takes(NodeState before, NodeState after, int gpu) {
        return before.freeSlots(gpu) > after.freeSlots(gpu);
    }

    /** Compute left, in milli, on the GPUs that are taken in part: 0 if none; the less, the better the fit. */
    static long leftOnSharedGpus(NodeState before, NodeState after) {
        long left = 0;
        for (int gpu = 0; gpu < after.gpuCount(); gpu++) {
            left += takes(before, after, gpu) ? after.freeComputeMillis(gpu) : 0;
        }
        return left;
    }
}
