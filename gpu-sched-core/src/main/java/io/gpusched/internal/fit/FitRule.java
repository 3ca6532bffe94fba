package io.gpusched.internal.fit;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one rule of what fits where, asked by searches and by diagnoses: each part returns why not, as the code of a reason, and null
 * where nothing is in the way. Nothing is allocated.
 *
 * <pre>
 * {@link #ofNode}     what the node is asked: its labels, its taints, rules between pods      NODE_NAME .. HOST_PORT, TOPOLOGY_SPREAD ..
 * {@link #ofMachine}  what its hardware is asked: mode, size, devices                         NODE_MODE .. GPU_TOO_SMALL
 * {@link #ofState}    whether it takes pods now, and has CPU, memory and the like free        CORDONED, HELD_WHOLE .. RESOURCE
 * {@link #ofHealth}   whether enough devices are healthy                                      GPU_UNHEALTHY
 * {@link #ofGpus}     whether each request alone finds devices with enough free               IDLE_GPUS, GPU_SHARE, PARTITION
 * </pre>
 *
 * <p>That is all for a pod for which {@link PodDemand#countsDecide} holds; where several containers share devices, or links have a say,
 * a {@link LayoutSearch} decides in the end. A search asks for the parts in any order; a reason that is told is the first in the order
 * of the codes.
 */
public final class FitRule {
    private FitRule() {}

    /** What keeps a pod away from a node whatever is free there, a cordon aside. */
    public static @Nullable Code atAll(PodDemand demand, NodeState node) {
        Code hardware = ofMachine(demand, node.nodeClass());
        return hardware == null ? ofNode(demand, node) : hardware;
    }

    /** What keeps a pod away from a node, except for what is held of its GPUs; what is cheapest to see is looked at first. */
    public static @Nullable Code butForGpus(PodDemand demand, NodeState node) {
        Code now = ofState(demand, node);
        return now == null ? atAll(demand, node) : now;
    }

    /** What about the labels and taints of a node, or the rules between pods, keeps a pod away; the first in the order of the codes. */
    public static @Nullable Code ofNode(PodDemand demand, NodeState node) {
        RuleSet rules = demand.rules();
        Code rule = rules == null ? null : rules.refusal(node.node());
        if (rule != null && rule.compareTo(Code.TAINT) < 0) {
            return rule;
        }
        if (!demand.acceptsTaints(node.nodeClass().taints())) {
            return Code.TAINT;
        }
        return demand.acceptsLabels(node.node()) ? rule : Code.NODE_SELECTOR;
    }

    /** What about the hardware of a class of nodes keeps a pod away from all of them; UUIDs are not looked at. */
    public static @Nullable Code ofMachine(PodDemand demand, NodeClass nodeClass) {
        return ofMachine(demand, nodeClass, null);
    }

    /** What about the hardware of a node keeps a pod away. */
    public static @Nullable Code ofMachine(PodDemand demand, NodeState node) {
        return ofMachine(demand, node.nodeClass(), node);
    }

    private static @Nullable Code ofMachine(PodDemand demand, NodeClass nodeClass, @Nullable NodeState node) {
        if (demand.needsWhole() && !nodeClass.mode().admitsWhole()
                || demand.needsShares() && !nodeClass.mode().admitsShares()) {
            return Code.NODE_MODE;
        }
        if (nodeClass.gpus().size() < demand.gpusNeeded()) {
            return Code.TOO_FEW_GPUS;
        }
        boolean areLarge = true;
        List<GpuRequest> requests = demand.requests();
        for (int i = 0; i < requests.size(); i++) {
            GpuRequest request = requests.get(i);
            int needed = needed(request, nodeClass);
            if (count(request, nodeClass, node, false) < needed) {
                return Code.GPU_SELECTOR;
            }
            areLarge &= count(request, nodeClass, node, true) >= needed;
        }
        if (nodeClass.maxPods() == 0
                || !demand.resources().fitsIn(node == null ? nodeClass.capacity() : node.capacity())) {
            return Code.NODE_TOO_SMALL;
        }
        return areLarge && PartitionFit.mayServe(demand, nodeClass) ? null : Code.GPU_TOO_SMALL;
    }

    private static int needed(GpuRequest request, NodeClass nodeClass) {
        return request instanceof GpuRequest.WholeNode ? nodeClass.gpus().size() : request.count();
    }

    /** How many GPUs a request accepts, or would fit on if nothing were held of them. */
    private static int count(GpuRequest request, NodeClass nodeClass, @Nullable NodeState node, boolean asksSize) {
        if (node != null && request.selector().looksAtUuids()) {
            return accepted(request, node, asksSize);
        }
        int count = 0;
        List<Gpu> kinds = nodeClass.kinds();
        for (int i = 0; i < kinds.size(); i++) {
            Gpu kind = kinds.get(i);
            boolean serves = request.selector().acceptsModel(kind) && (!asksSize || GpuTake.fitsOnIdle(request, kind));
            count += serves ? Long.bitCount(nodeClass.alike(kind.index())) : 0;
        }
        return count;
    }

    private static int accepted(GpuRequest request, NodeState node, boolean asksSize) {
        int count = 0;
        List<Gpu> gpus = node.node().gpus();
        for (int g = 0; g < gpus.size(); g++) {
            Gpu gpu = gpus.get(g);
            count += request.selector().accepts(gpu) && (!asksSize || GpuTake.fitsOnIdle(request, gpu)) ? 1 : 0;
        }
        return count;
    }

    /** How many GPUs of a node a request accepts, healthy or not. */
    public static int accepted(GpuRequest request, NodeState node) {
        return count(request, node.nodeClass(), node, false);
    }

    /** What keeps a pod from a node now but not for ever, GPUs aside. */
    public static @Nullable Code ofState(PodDemand demand, NodeState node) {
        if (isCordoned(demand, node)) {
            return Code.CORDONED;
        }
        if (node.isHeldWhole()) {
            return Code.HELD_WHOLE;
        }
        if (node.podCount() >= node.nodeClass().maxPods()) {
            return Code.POD_LIMIT;
        }
        if (demand.wholeNode() && !node.isEmpty()) {
            return Code.NOT_EMPTY;
        }
        if (demand.resources().cpuMillis() > node.freeCpuMillis()) {
            return Code.CPU;
        }
        if (demand.resources().memoryMib() > node.freeMemoryMib()) {
            return Code.MEMORY;
        }
        return demand.resources().named().fitsIn(node.freeNamed()) ? null : Code.RESOURCE;
    }

    /** Whether a node is cordoned, which the pod does not tolerate. */
    public static boolean isCordoned(PodDemand demand, NodeState node) {
        return node.isCordoned() && !Taints.isCordonTolerated(demand.pod().tolerations());
    }

    /** Whether too few of the GPUs that would do are healthy. */
    public static @Nullable Code ofHealth(PodDemand demand, NodeState node) {
        List<GpuRequest> requests = node.isHealthy() ? List.of() : demand.requests();
        for (int i = 0; i < requests.size(); i++) {
            GpuRequest request = requests.get(i);
            int healthy = 0;
            for (int g = 0; g < node.gpuCount(); g++) {
                boolean serves = node.isHealthy(g)
                        && accepts(request.selector(), node, g)
                        && GpuTake.fitsOnIdle(request, node.nodeClass().gpus().get(g));
                healthy += serves ? 1 : 0;
            }
            if (healthy < needed(request, node.nodeClass())) {
                return Code.GPU_UNHEALTHY;
            }
        }
        return null;
    }

    /** What about the present use of the GPUs keeps each request by itself from them. */
    public static @Nullable Code ofGpus(PodDemand demand, NodeState node) {
        if (node.idleGpus() < demand.ordinaryWhole()) {
            return Code.IDLE_GPUS;
        }
        if (demand.needsPartitions() && !PartitionFit.hasRoom(demand, node)) {
            return Code.PARTITION;
        }
        Code share = null;
        List<GpuRequest> requests = demand.requests();
        for (int i = 0; i < requests.size(); i++) {
            GpuRequest request = requests.get(i);
            if (Long.bitCount(fitting(request, node)) < needed(request, node.nodeClass())) {
                if (GpuTake.isWhole(request)) {
                    return Code.IDLE_GPUS;
                }
                share = Code.GPU_SHARE;
            }
        }
        return share;
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
        long memoryMib = share.memory().on(node.nodeClass().gpus().get(gpu).memoryMib());
        return node.hasFree(gpu, share.computeMillis(), memoryMib, share.slots());
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

    /** The lowest shared GPU of this {@linkplain Tightness#level level} on which a request fits, as a mask; 0 if there is none. */
    public static long firstShared(GpuRequest request, NodeState node, int level, boolean byCompute) {
        for (long rest = node.sharedMask(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (Tightness.isOfLevel(node, gpu, byCompute, level) && fits(request, node, gpu)) {
                return 1L << gpu;
            }
        }
        return 0;
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
