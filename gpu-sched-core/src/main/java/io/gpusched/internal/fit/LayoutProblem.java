package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** What the containers of a pod need of each GPU of one node, and what is free there, as plain numbers. */
final class LayoutProblem {
    final LayoutPlan plan;
    final NodeState node;
    final int gpus;
    final int[] freeCompute;
    final long[] freeMemory;
    final int[] freeSlots;
    final int[] numa;

    /** By GPU: the least index of those that no container can tell from it. */
    final int[] kind;

    /** By GPU: the next lower one of its kind, or -1. */
    final int[] previousOfKind;

    /** By type of container and GPU. */
    final int[][] needCompute;

    final long[][] needMemory;
    final int[][] needSlots;

    /** By type: the GPUs that are accepted and have room while the pod holds nothing, as a mask. */
    final long[] alone;

    /** By type: whether all GPUs must hang on one NUMA node. */
    final boolean[] near;

    /**
     * @param distinguishing requests that GPUs of one kind must look alike to, besides those of the pod
     */
    LayoutProblem(LayoutPlan plan, NodeState node, List<GpuRequest> distinguishing) {
        this.plan = plan;
        this.node = node;
        this.gpus = node.gpuCount();
        freeCompute = new int[gpus];
        freeMemory = new long[gpus];
        freeSlots = new int[gpus];
        numa = new int[gpus];
        kind = new int[gpus];
        previousOfKind = new int[gpus];
        int types = plan.requests.size();
        needCompute = new int[types][gpus];
        needMemory = new long[types][gpus];
        needSlots = new int[types][gpus];
        alone = new long[types];
        near = new boolean[types];
        List<Gpu> devices = node.nodeClass().gpus();
        for (int g = 0; g < gpus; g++) {
            freeCompute[g] = node.freeComputeMillis(g);
            freeMemory[g] = node.freeMemoryMib(g);
            freeSlots[g] = node.freeSlots(g);
            numa[g] = devices.get(g).numaNode();
        }
        for (int t = 0; t < types; t++) {
            GpuRequest request = plan.requests.get(t);
            near[t] = request.selector().sameNumaNode();
            for (int g = 0; g < gpus; g++) {
                Gpu device = devices.get(g);
                needCompute[t][g] = request.computeMillisOn(device);
                needMemory[t][g] = request.memoryMibOn(device);
                needSlots[t][g] = request.slotsOn(device);
                alone[t] |= NodeFit.fits(request, node, g) ? 1L << g : 0;
            }
        }
        findKinds(distinguishing);
    }

    private void findKinds(List<GpuRequest> distinguishing) {
        for (int g = 0; g < gpus; g++) {
            kind[g] = g;
            previousOfKind[g] = -1;
            for (int lower = g - 1; lower >= 0 && kind[g] == g; lower--) {
                if (node.isInterchangeable(lower, g) && areAcceptedAlike(distinguishing, lower, g)) {
                    kind[g] = kind[lower];
                    previousOfKind[g] = lower;
                }
            }
        }
    }

    private boolean areAcceptedAlike(List<GpuRequest> distinguishing, int one, int other) {
        for (long mask : alone) {
            if ((mask >>> one & 1) != (mask >>> other & 1)) {
                return false;
            }
        }
        for (GpuRequest request : distinguishing) {
            if (NodeFit.accepts(request.selector(), node, one) != NodeFit.accepts(request.selector(), node, other)) {
                return false;
            }
        }
        return true;
    }

    /** Those of the GPUs of a mask that hang on the NUMA node of this one. */
    long onNumaOf(int gpu, long mask) {
        long same = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            int other = Long.numberOfTrailingZeros(rest);
            same |= numa[other] == numa[gpu] ? 1L << other : 0;
        }
        return same;
    }

    /** Whether a container of this type finds as many GPUs as it asks for among these. */
    boolean hasEnough(int type, int count, long mask) {
        return Long.bitCount(mask) >= count && (!near[type] || onLargeNumaNodes(count, mask) != 0);
    }

    /** Those of the GPUs of a mask that have, with themselves, so many of them on their NUMA node. */
    long onLargeNumaNodes(int count, long mask) {
        long large = 0;
        for (long rest = mask; rest != 0; ) {
            long same = onNumaOf(Long.numberOfTrailingZeros(rest), rest);
            large |= Long.bitCount(same) >= count ? same : 0;
            rest &= ~same;
        }
        return large;
    }
}
