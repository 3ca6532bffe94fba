package io.gpusched.internal.fit;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.usage.GpuKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;

/** Whether one node has room for a request that only one container makes; cheap, and exact for such requests. */
public final class NodeFit {
    private NodeFit() {}

    /** Whether CPU, memory and the pod limit leave room, and the node takes new pods at all. */
    public static boolean hasResources(PodDemand demand, NodeState node) {
        return demand.resources().cpuMillis() <= node.freeCpuMillis()
                && demand.resources().memoryMib() <= node.freeMemoryMib()
                && node.podCount() < node.nodeClass().maxPods()
                && !node.isCordoned()
                && !node.isHeldWhole();
    }

    /** Whether a share fits on this GPU. */
    public static boolean fits(GpuRequest.Share share, NodeState node, int gpu) {
        return node.freeComputeMillis(gpu) >= share.computeMillis()
                && node.freeSlots(gpu) >= share.slots()
                && node.freeMemoryMib(gpu)
                        >= share.memory().on(node.nodeClass().gpus().get(gpu).memoryMib())
                && accepts(share.selector(), node, gpu);
    }

    /** Whether a selector accepts a GPU; the GPU itself is looked at only where its UUID matters. */
    public static boolean accepts(GpuSelector selector, NodeState node, int gpu) {
        return selector.looksAtUuids()
                ? selector.accepts(node.node().gpus().get(gpu))
                : selector.acceptsModel(node.nodeClass().gpus().get(gpu));
    }

    /** The idle GPUs that the request accepts, as a mask. */
    public static long idleAccepted(GpuRequest request, NodeState node) {
        GpuSelector selector = request.selector();
        List<GpuKind> kinds = NodeAccess.gpuKinds(node.nodeClass());
        if (kinds.size() == 1 && !selector.looksAtUuids()) {
            return selector.acceptsModel(kinds.get(0).sample()) ? NodeAccess.idleMask(node) : 0;
        }
        long mask = 0;
        for (long rest = NodeAccess.idleMask(node); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= accepts(selector, node, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    /** Those of the GPUs of a mask, not empty, that hang on the NUMA node of its lowest. */
    public static long sameNuma(long gpus, NodeState node) {
        int numaNode =
                node.nodeClass().gpus().get(Long.numberOfTrailingZeros(gpus)).numaNode();
        long same = 0;
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            same |= node.nodeClass().gpus().get(gpu).numaNode() == numaNode ? 1L << gpu : 0;
        }
        return same;
    }

    /** The GPUs on which a share fits, as a mask. */
    public static long shareable(GpuRequest.Share share, NodeState node) {
        long mask = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            if (fits(share, node, g)) {
                mask |= 1L << g;
            }
        }
        return mask;
    }

    /** Whether the node can be taken whole. */
    public static boolean canTakeWhole(GpuRequest request, NodeState node) {
        return node.isEmpty()
                && node.gpuCount() > 0
                && Long.bitCount(idleAccepted(request, node)) == node.gpuCount()
                && (!request.selector().sameNumaNode() || hasOneNumaNode(node));
    }

    private static boolean hasOneNumaNode(NodeState node) {
        List<Gpu> gpus = node.nodeClass().gpus();
        for (int g = 1; g < gpus.size(); g++) {
            if (gpus.get(g).numaNode() != gpus.get(0).numaNode()) {
                return false;
            }
        }
        return true;
    }

    /** The lowest {@code count} bits of a mask. */
    public static long lowest(long mask, int count) {
        long taken = 0;
        long rest = mask;
        for (int i = 0; i < count; i++) {
            taken |= Long.lowestOneBit(rest);
            rest &= rest - 1;
        }
        return taken;
    }
}
