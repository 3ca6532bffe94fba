package io.gpusched.internal.fit;

import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;

/**
 * The rule of what fits: a request fits on a GPU that it accepts if as much compute, memory and as many slots are free as
 * it takes. All of what is asked here is cheap, and exact for requests that only one container makes.
 */
public final class NodeFit {
    private NodeFit() {}

    /** Whether CPU, memory, other resources and the pod limit leave room, and the node takes new pods at all. */
    public static boolean hasResources(PodDemand demand, NodeState node) {
        return demand.resources().cpuMillis() <= node.freeCpuMillis()
                && demand.resources().memoryMib() <= node.freeMemoryMib()
                && hasNamed(demand, node)
                && node.podCount() < node.nodeClass().maxPods()
                && (!node.isCordoned() || Taints.isCordonTolerated(demand.pod().tolerations()))
                && !node.isHeldWhole();
    }

    /** Whether the resources that a pod asks for by name are free. */
    public static boolean hasNamed(PodDemand demand, NodeState node) {
        return demand.resources().named().fitsIn(node.freeNamed());
    }

    /** Whether this GPU is accepted and has room. */
    public static boolean fits(GpuRequest request, NodeState node, int gpu) {
        if (request instanceof GpuRequest.Partition partition) {
            return PartitionFit.hasRoom(partition, node, gpu);
        }
        return (request instanceof GpuRequest.Share share ? hasRoom(share, node, gpu) : node.isIdle(gpu))
                && accepts(request.selector(), node, gpu);
    }

    private static boolean hasRoom(GpuRequest.Share share, NodeState node, int gpu) {
        return node.freeComputeMillis(gpu) >= share.computeMillis()
                && node.freeSlots(gpu) >= share.slots()
                && node.freeMemoryMib(gpu)
                        >= share.memory().on(node.nodeClass().gpus().get(gpu).memoryMib());
    }

    /** Whether a selector accepts a GPU; the GPU itself is looked at only where its UUID matters. */
    public static boolean accepts(GpuSelector selector, NodeState node, int gpu) {
        return selector.looksAtUuids()
                ? selector.accepts(node.node().gpus().get(gpu))
                : selector.acceptsModel(node.nodeClass().gpus().get(gpu));
    }

    /** The GPUs on which a request fits, as a mask. */
    public static long fitting(GpuRequest request, NodeState node) {
        if (GpuTake.isWhole(request)) {
            return idleAccepted(request, node);
        }
        long mask = 0;
        boolean anyOfEqual = !request.selector().looksAtUuids();
        boolean fits = false;
        for (int g = 0; g < node.gpuCount(); g++) {
            fits = anyOfEqual && g > 0 && node.isInterchangeable(g, g - 1) ? fits : fits(request, node, g);
            mask |= fits ? 1L << g : 0;
        }
        return mask;
    }

    /** The idle GPUs on which a request fits, as a mask. */
    public static long idleFitting(GpuRequest request, NodeState node) {
        long mask = 0;
        for (long rest = node.idleMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= fits(request, node, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    /** The idle GPUs that the request accepts, as a mask. */
    public static long idleAccepted(GpuRequest request, NodeState node) {
        GpuSelector selector = request.selector();
        List<Gpu> kinds = node.nodeClass().kinds();
        if (kinds.size() == 1 && !selector.looksAtUuids()) {
            return selector.acceptsModel(kinds.get(0)) ? node.idleMask() : 0;
        }
        long mask = 0;
        for (long rest = node.idleMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            mask |= accepts(selector, node, gpu) ? 1L << gpu : 0;
        }
        return mask;
    }

    /** The lowest shared GPU of this {@linkplain Tightness#level level} on which a request fits, or -1. */
    public static int firstShared(GpuRequest request, NodeState node, int level, boolean byCompute) {
        for (long rest = node.sharedMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (Tightness.isOfLevel(node, gpu, byCompute, level) && fits(request, node, gpu)) {
                return gpu;
            }
        }
        return -1;
    }

    /** Whether the node can be taken whole. */
    public static boolean canTakeWhole(GpuRequest request, NodeState node) {
        long idle = node.isEmpty() && node.gpuCount() > 0 ? idleAccepted(request, node) : 0;
        return idle != 0
                && Long.bitCount(idle) == node.gpuCount()
                && Bonds.hold(request.selector().affinity(), node.nodeClass(), idle);
    }

    /** So many of the idle GPUs of a mask as a request for them gets, where it takes them whole; 0 if it gets none. */
    public static long choose(GpuRequest request, NodeState node, long idle, SearchSteps steps) {
        int count = request.count();
        GpuAffinity affinity = request.selector().affinity();
        return LinkSets.matter(node.nodeClass(), affinity, count)
                ? LinkSets.pick(node.nodeClass(), affinity, idle, count, steps)
                : lowest(idle, count);
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
