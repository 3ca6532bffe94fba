package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuCloseness.Bond;
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

    /** By type: what all GPUs must share. */
    final Bond[] bonds;

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
        kind = new int[gpus];
        previousOfKind = new int[gpus];
        int types = plan.requests.size();
        needCompute = new int[types][gpus];
        needMemory = new long[types][gpus];
        needSlots = new int[types][gpus];
        alone = new long[types];
        bonds = new Bond[types];
        List<Gpu> devices = node.nodeClass().gpus();
        for (int g = 0; g < gpus; g++) {
            freeCompute[g] = node.freeComputeMillis(g);
            freeMemory[g] = node.freeMemoryMib(g);
            freeSlots[g] = node.freeSlots(g);
        }
        for (int t = 0; t < types; t++) {
            GpuRequest request = plan.requests.get(t);
            bonds[t] = request.selector().closeness().required();
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

    /** Those of the GPUs of a mask that a container of this type may get beside this one. */
    long matesOf(int type, int gpu, long mask) {
        return bonds[type] == Bond.NONE ? mask : Bonds.mates(bonds[type], node.nodeClass(), gpu, mask);
    }

    /** Whether a container of this type may find as many GPUs as it asks for among these. */
    boolean hasEnough(int type, int count, long mask) {
        return Long.bitCount(mask) >= count && (bonds[type] == Bond.NONE || promising(type, count, mask) != 0);
    }

    /** Those of the GPUs of a mask that a container of this type may get together with as many others as it asks for. */
    long promising(int type, int count, long mask) {
        return Bonds.promising(bonds[type], node.nodeClass(), count, mask);
    }
}
