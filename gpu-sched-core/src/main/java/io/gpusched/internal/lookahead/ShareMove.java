package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.WorkloadProfile.Demand;

/**
 * A share that could be on another GPU of its node: what the two GPUs have free with and without it, an idle one 1,000.
 *
 * @param here what the GPU had free on which it is
 * @param hereLeft what that GPU has left with it
 * @param there what the other GPU has free
 * @param thereLeft what the other GPU would have left with it
 */
record ShareMove(int here, int hereLeft, int there, int thereLeft) {
    /** Returns the GPU on which the one share is that a placement consists of, or -1 if it is something else. */
    static int gpu(NodeState before, NodeState after) {
        int found = -1;
        for (long rest = NodeChange.changed(before, after); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (NodeChange.takes(before, after, gpu)) {
                if (found >= 0 || !after.isShared(gpu)) {
                    return -1;
                }
                found = gpu;
            }
        }
        return found;
    }

    /** Whether GPUs can take each other's shares as far as compute goes: 1,000 milli each, of one model. */
    static boolean areAlike(Gpu one, Gpu other) {
        return one.computeMillis() == Demand.WHOLE
                && other.computeMillis() == Demand.WHOLE
                && one.model().equals(other.model());
    }

    /** Whether another GPU has the slots and the memory for the share as well. */
    static boolean hasRoom(NodeState before, NodeState after, int gpu, int other) {
        return before.freeSlots(other) >= before.freeSlots(gpu) - after.freeSlots(gpu)
                && before.freeMemoryMib(other) >= before.freeMemoryMib(gpu) - after.freeMemoryMib(gpu);
    }
}
