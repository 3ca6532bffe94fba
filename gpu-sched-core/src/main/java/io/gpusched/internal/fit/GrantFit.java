package io.gpusched.internal.fit;

import io.gpusched.decision.Reason.Code;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a pod may hold the GPUs that a placement names: the rule of what fits, asked about given grants, without a search.
 * Null means that it may.
 */
public final class GrantFit {
    private GrantFit() {}

    /** Returns the first reason, in the order of the codes, why a pod may not hold this on this node; null if it may. */
    public static @Nullable Code refusal(PodDemand demand, Placement placement, NodeState node) {
        Code where = FitRule.ofNode(demand, node);
        if (FitRule.isCordoned(demand, node) && (where == null || where.compareTo(Code.CORDONED) > 0)) {
            return Code.CORDONED;
        }
        if (where != null && where.compareTo(Code.HOST_PORT) <= 0) {
            return where;
        }
        Code room = ofRoom(demand, placement, node);
        return room == null ? where : room;
    }

    private static @Nullable Code ofRoom(PodDemand demand, Placement placement, NodeState node) {
        Code grants = ofGrants(demand.spec().containers(), placement.containers(), node);
        if (grants != null) {
            return grants;
        }
        Resources asked = demand.resources();
        if (!placement.resources().equals(asked)) {
            return Code.GPU_LAYOUT;
        }
        if (!asked.fitsIn(node.capacity()) || node.nodeClass().maxPods() == 0) {
            return Code.NODE_TOO_SMALL;
        }
        Code now = FitRule.ofState(demand, node);
        if (now != null && now != Code.CORDONED) {
            return now;
        }
        List<ContainerGrant> held = placement.containers();
        for (int i = 0; i < held.size(); i++) {
            Code use = ofUse(held.get(i).gpus(), node);
            if (use != null) {
                return use;
            }
        }
        return node.hasRoomFor(placement) ? null : Code.GPU_LAYOUT;
    }

    /** What about the grants, whatever else is held of the node, is not what the containers ask. */
    private static @Nullable Code ofGrants(List<Container> asked, List<ContainerGrant> held, NodeState node) {
        if (asked.size() != held.size()) {
            return Code.GPU_LAYOUT;
        }
        for (int i = 0; i < asked.size(); i++) {
            Container container = asked.get(i);
            ContainerGrant grant = held.get(i);
            boolean isOfContainer = container.name().equals(grant.container()) && container.kind() == grant.kind();
            Code refusal = isOfContainer ? ofAlternatives(container.gpu(), grant.gpus(), node) : Code.GPU_LAYOUT;
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private static @Nullable Code ofAlternatives(GpuRequest request, GpuGrant grant, NodeState node) {
        Code refusal = Code.GPU_LAYOUT;
        List<GpuRequest> alternatives = request.alternatives();
        for (int i = 0; i < alternatives.size() && refusal != null; i++) {
            Code one =
                    isServed(alternatives.get(i), grant, node) ? ofDevices(alternatives.get(i), grant, node) : refusal;
            refusal = one == null || refusal == Code.GPU_LAYOUT ? one : refusal;
        }
        return refusal;
    }

    /** Whether a grant has the kind and the amount of a request. */
    private static boolean isServed(GpuRequest request, GpuGrant grant, NodeState node) {
        if (request instanceof GpuRequest.Exclusive whole) {
            return grant instanceof GpuGrant.Whole given && given.gpus().size() == whole.count();
        }
        if (request instanceof GpuRequest.Share share) {
            return grant instanceof GpuGrant.Shared given && isServed(share, given.shares(), node);
        }
        if (request instanceof GpuRequest.Partition partition) {
            return grant instanceof GpuGrant.Partitions given && isServed(partition, given.partitions());
        }
        return request instanceof GpuRequest.WholeNode
                ? grant instanceof GpuGrant.WholeNode given && given.gpuCount() == node.gpuCount()
                : grant instanceof GpuGrant.None;
    }

    private static boolean isServed(GpuRequest.Share share, List<GpuShare> given, NodeState node) {
        for (int i = 0; i < given.size(); i++) {
            int gpu = given.get(i).gpu();
            if (gpu >= node.gpuCount()
                    || given.get(i).computeMillis() != share.computeMillis()
                    || given.get(i).memoryMib()
                            != share.memory()
                                    .on(node.nodeClass().gpus().get(gpu).memoryMib())
                    || given.get(i).slots() != share.slots()) {
                return false;
            }
        }
        return given.size() == share.count();
    }

    private static boolean isServed(GpuRequest.Partition partition, List<GpuPartition> given) {
        return given.size() == partition.instances()
                && given.stream().allMatch(one -> one.profile().equals(partition.profile()));
    }

    /** What about the devices themselves, whatever is held of them, keeps a request from a grant of its kind. */
    private static @Nullable Code ofDevices(GpuRequest request, GpuGrant grant, NodeState node) {
        NodeMode mode = node.nodeClass().mode();
        if (GpuTake.isWhole(request) && !mode.admitsWhole()
                || request instanceof GpuRequest.Share && !mode.admitsShares()) {
            return Code.NODE_MODE;
        }
        long mask = 0;
        List<Integer> indexes = grant.indexes();
        for (int i = 0; i < indexes.size(); i++) {
            int gpu = indexes.get(i);
            if (gpu >= node.gpuCount()) {
                return Code.TOO_FEW_GPUS;
            }
            if (!FitRule.accepts(request.selector(), node, gpu)) {
                return Code.GPU_SELECTOR;
            }
            Gpu device = node.nodeClass().gpus().get(gpu);
            if (!GpuTake.fitsOnIdle(request, device)) {
                return Code.GPU_TOO_SMALL;
            }
            mask |= 1L << gpu;
        }
        GpuAffinity affinity = request.selector().affinity();
        GpuRequest required = affinity.preferred() == GpuAffinity.Bond.NONE
                ? request
                : request.withAffinity(affinity.withoutPreference());
        return Bonds.hold(Bonds.of(required), node.nodeClass(), mask) ? null : Code.GPU_LAYOUT;
    }

    /** What is held of the devices that keeps a grant away, as far as one container alone tells. */
    private static @Nullable Code ofUse(GpuGrant grant, NodeState node) {
        List<Integer> indexes = grant.indexes();
        for (int i = 0; i < indexes.size(); i++) {
            int gpu = indexes.get(i);
            if (!node.isHealthy(gpu)) {
                return Code.GPU_UNHEALTHY;
            }
            boolean isWhole = grant instanceof GpuGrant.Whole || grant instanceof GpuGrant.WholeNode;
            if (isWhole && !node.isIdle(gpu)) {
                return Code.IDLE_GPUS;
            }
            if (grant instanceof GpuGrant.Shared shared
                    && !hasRoom(shared.shares().get(i), node)) {
                return Code.GPU_SHARE;
            }
        }
        if (grant instanceof GpuGrant.Partitions held) {
            for (GpuPartition partition : held.partitions()) {
                if (!node.hasRoomFor(partition)) {
                    return Code.PARTITION;
                }
            }
        }
        return null;
    }

    private static boolean hasRoom(GpuShare share, NodeState node) {
        return node.freeComputeMillis(share.gpu()) >= share.computeMillis()
                && node.freeMemoryMib(share.gpu()) >= share.memoryMib()
                && node.freeSlots(share.gpu()) >= share.slots();
    }
}
