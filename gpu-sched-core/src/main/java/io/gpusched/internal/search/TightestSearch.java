package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.Rooms;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds what {@link io.gpusched.policy.BinPack} scores highest, for pods of at most one GPU container.
 *
 * <p>Whatever such a pod takes from one kind of room scores the same ({@link io.gpusched.internal.lookahead.Tightness}), and {@link Rooms} numbers
 * the tighter before the wider: parts of GPUs by what is left of them, and after all of these idle GPUs by how many the node has. So the
 * rooms that will do are asked for in that order; the first node in node order that has one is the best.
 */
public final class TightestSearch {
    private static final int ANY_LEVEL = -1;

    private final CandidateSet candidates;
    private final PodDemand demand;
    private final SlotRange range;

    /** The GPU that the node last looked at has for a share, as a mask; 0 if none. */
    private long taken;

    public TightestSearch(CandidateSet candidates, PodDemand demand, SlotRange range) {
        this.candidates = candidates;
        this.demand = demand;
        this.range = range;
    }

    /** Whether this search finds what scores highest: for one container whose choice of GPUs on a node is simple. */
    public static boolean serves(PodDemand demand, List<NodeClass> classes) {
        GpuRequest single = demand.single();
        return single != null
                && !(single instanceof GpuRequest.Partition partition && partition.instances() > 1)
                && !needsLayout(demand)
                && !(single instanceof GpuRequest.Share share && mixesLevels(share, classes));
    }

    /** Whether the choice of GPUs on a node is more than taking the lowest indexes that fit. */
    private static boolean needsLayout(PodDemand demand) {
        return demand.mostGpus() > 1 && (demand.needsShares() || !demand.countsDecide());
    }

    /**
     * Whether the share takes memory alone, but none on some GPUs because so little of their memory rounds down to
     * nothing: bin-pack then weighs memory on the one GPU against compute on the other.
     */
    private static boolean mixesLevels(GpuRequest.Share share, List<NodeClass> classes) {
        if (share.computeMillis() > 0 || !(share.memory() instanceof GpuMemory.Percent)) {
            return false;
        }
        for (NodeClass nodeClass : classes) {
            for (Gpu kind : nodeClass.kinds()) {
                if (share.memory().on(kind.memoryMib()) == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the best placement, or null if no node has room. The demand must be one it {@link #serves}.
     *
     * @param classes the classes of nodes
     * @param steps told where the choice of GPUs on the node was cut short
     */
    public @Nullable Placement best(List<NodeClass> classes, SearchSteps steps) {
        GpuRequest request = demand.single();
        GpuRequest.Partition partition = demand.singlePartition();
        if (partition != null) {
            return partition(partition, PartitionFit.levels(partition, classes));
        }
        if (request == null || request.isNone()) {
            NodeState node = firstIdle(0, slot -> true);
            return node == null ? null : Layout.single(demand, node, 0);
        }
        if (request instanceof GpuRequest.Share share) {
            return share(share, classes);
        }
        return request instanceof GpuRequest.WholeNode ? wholeNode(request) : exclusive(request, steps);
    }

    /** The first node of the range that will do, of those with the fewest idle GPUs that are enough. */
    private @Nullable NodeState firstIdle(int least, IntPredicate wanted) {
        return first(Rooms.idle(least), Rooms.idle(Node.MAX_GPUS) + 1, wanted);
    }

    /** The first node of the range with the first of these rooms for which any node will do. */
    private @Nullable NodeState first(int from, int to, IntPredicate wanted) {
        for (int room = candidates.nextRoom(from, to); room >= 0; room = candidates.nextRoom(room + 1, to)) {
            int slot = candidates.first(room, room + 1, range, wanted);
            if (slot >= 0) {
                return candidates.state(slot);
            }
        }
        return null;
    }

    private @Nullable Placement exclusive(GpuRequest request, SearchSteps steps) {
        int count = request.count();
        NodeState node =
                firstIdle(count, slot -> Long.bitCount(FitRule.idleAccepted(request, candidates.state(slot))) >= count);
        return node == null
                ? null
                : Layout.single(
                        demand, node, FitRule.choose(request, node, FitRule.idleAccepted(request, node), steps));
    }

    private @Nullable Placement wholeNode(GpuRequest request) {
        NodeState node = first(
                Rooms.empty(1),
                Rooms.empty(Node.MAX_GPUS) + 1,
                slot -> FitRule.canTakeWhole(request, candidates.state(slot)));
        return node == null ? null : Layout.single(demand, node, 0);
    }

    private @Nullable Placement share(GpuRequest.Share share, List<NodeClass> classes) {
        boolean byCompute = Tightness.isByCompute(share);
        int end = Rooms.compute(Rooms.LEVELS);
        int room = candidates.nextRoom(Rooms.compute(Tightness.leastLevel(share, classes)), end);
        while (room >= 0) {
            int level = Rooms.level(room);
            int slot = candidates.first(
                    Rooms.compute(level),
                    byCompute ? Rooms.memory(level) : Rooms.compute(level + 1),
                    range,
                    any -> isTaken(FitRule.firstShared(share, candidates.state(any), level, byCompute)));
            if (slot >= 0) {
                return Layout.single(demand, candidates.state(slot), taken);
            }
            room = candidates.nextRoom(Rooms.compute(level + 1), end);
        }
        NodeState node = firstIdle(1, slot -> isTaken(FitRule.idleFitting(share, candidates.state(slot))));
        return node == null ? null : Layout.single(demand, node, taken);
    }

    private boolean isTaken(long fitting) {
        taken = Long.lowestOneBit(fitting);
        return fitting != 0;
    }

    /**
     * @param levels the levels of cut GPUs on which one partition more fits, as a mask
     */
    private @Nullable Placement partition(GpuRequest.Partition partition, long levels) {
        for (long rest = levels; rest != 0; rest &= rest - 1) {
            int level = Long.numberOfTrailingZeros(rest);
            NodeState node = first(
                    Rooms.cut(level),
                    Rooms.cut(level) + 1,
                    slot -> PartitionFit.hasRoomAt(partition, candidates.state(slot), level));
            if (node != null) {
                return cut(partition, node, node.cutMask(), level);
            }
        }
        NodeState node = firstIdle(1, slot -> FitRule.idleFitting(partition, candidates.state(slot)) != 0);
        return node == null ? null : cut(partition, node, node.idleMask(), ANY_LEVEL);
    }

    private @Nullable Placement cut(GpuRequest.Partition partition, NodeState node, long gpus, int level) {
        GpuPartition best = PartitionFit.best(partition, node, gpus, level);
        return best == null ? null : Layout.granted(demand, node, List.of(new GpuGrant.Partitions(List.of(best))));
    }
}
