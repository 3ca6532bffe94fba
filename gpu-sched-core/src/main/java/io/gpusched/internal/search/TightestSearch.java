package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.PartitionFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.RoomSet;
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
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what {@link io.gpusched.policy.BinPack} scores highest, for pods of at most one GPU container.
 *
 * <p>Whatever such a pod takes from one kind of room scores the same ({@link Tightness}). So the rooms that will do are asked for one
 * after the other, in the order of that score; the first node in node order that has one is the best.
 */
public final class TightestSearch {
    /**
     * One kind of room, and what a placement scores that takes from it.
     *
     * @param amount how many GPUs of the node idle, or what is left of a GPU that others hold parts of
     * @param isIdle whether idle GPUs are taken
     */
    private record Choice(RoomSet rooms, boolean isIdle, int amount, long score) {}

    private static final Choice[] IDLE = ordered(idle(0), List.of());
    private static final Choice[] EMPTY =
            ordered(choices(1, Node.MAX_GPUS + 1, gpus -> idle(Rooms.empty(gpus), gpus, gpus)), List.of());
    private static final Choice[] BY_COMPUTE =
            ordered(idle(1), choices(0, Rooms.LEVELS, level -> part(RoomSet.of(Rooms.compute(level)), level)));
    private static final Choice[] BY_MEMORY = ordered(
            idle(1),
            choices(
                    0,
                    Rooms.LEVELS,
                    level -> part(RoomSet.of(Rooms.compute(level)).or(RoomSet.of(Rooms.memory(level))), level)));
    private static final Choice[] BY_PARTITION =
            ordered(idle(1), choices(0, PartitionTable.LEVELS, level -> part(RoomSet.of(Rooms.cut(level)), level)));

    private static final int ANY_LEVEL = -1;

    private final CandidateSet candidates;
    private final PodDemand demand;
    private final SlotRange range;

    public TightestSearch(CandidateSet candidates, PodDemand demand, SlotRange range) {
        this.candidates = candidates;
        this.demand = demand;
        this.range = range;
    }

    private static Choice idle(int room, int taken, int idle) {
        return new Choice(RoomSet.of(room), true, idle, Tightness.score(taken, 0, false, idle));
    }

    private static Choice part(RoomSet rooms, int level) {
        return new Choice(rooms, false, level, Tightness.score(0, level, true, 0));
    }

    private static List<Choice> idle(int from) {
        return choices(from, Node.MAX_GPUS + 1, idle -> idle(Rooms.idle(idle), 1, idle));
    }

    private static List<Choice> choices(int from, int to, IntFunction<Choice> choice) {
        return IntStream.range(from, to).mapToObj(choice).toList();
    }

    private static Choice[] ordered(List<Choice> some, List<Choice> more) {
        return Stream.concat(some.stream(), more.stream())
                .sorted(Comparator.comparingLong(Choice::score).reversed())
                .toArray(Choice[]::new);
    }

    /** Whether this search finds what scores highest: for one container whose choice of GPUs on a node is simple. */
    public static boolean serves(PodDemand demand, List<NodeClass> classes) {
        GpuRequest single = demand.single();
        return single != null
                && PartitionFit.mostAsked(demand) <= 1
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
            NodeState node = first(IDLE, 0, slot -> true);
            return node == null ? null : Layout.single(demand, node, 0);
        }
        if (request instanceof GpuRequest.Share share) {
            return share(share, classes);
        }
        return request instanceof GpuRequest.WholeNode ? wholeNode(request) : exclusive(request, steps);
    }

    /** The first node of the range with a room of these choices, of this amount at least, of the first such choice that will do. */
    private @Nullable NodeState first(Choice[] choices, int least, IntPredicate wanted) {
        for (Choice choice : choices) {
            if (choice.amount() >= least && candidates.mayHave(choice.rooms())) {
                int slot = candidates.first(choice.rooms(), range, wanted);
                if (slot >= 0) {
                    return candidates.state(slot);
                }
            }
        }
        return null;
    }

    private @Nullable Placement exclusive(GpuRequest request, SearchSteps steps) {
        int count = request.count();
        NodeState node = first(
                IDLE, count, slot -> Long.bitCount(FitRule.idleAccepted(request, candidates.state(slot))) >= count);
        return node == null
                ? null
                : Layout.single(
                        demand, node, FitRule.choose(request, node, FitRule.idleAccepted(request, node), steps));
    }

    private @Nullable Placement wholeNode(GpuRequest request) {
        NodeState node = first(EMPTY, 0, slot -> FitRule.canTakeWhole(request, candidates.state(slot)));
        return node == null ? null : Layout.single(demand, node, 0);
    }

    private @Nullable Placement share(GpuRequest.Share share, List<NodeClass> classes) {
        boolean byCompute = ShareLevels.areByCompute(share);
        int least = ShareLevels.least(share, classes);
        for (Choice choice : byCompute ? BY_COMPUTE : BY_MEMORY) {
            if ((choice.isIdle() || choice.amount() >= least) && candidates.mayHave(choice.rooms())) {
                int slot = candidates.first(
                        choice.rooms(), range, any -> gpu(share, candidates.state(any), choice, byCompute) != 0);
                if (slot >= 0) {
                    NodeState node = candidates.state(slot);
                    return Layout.single(demand, node, gpu(share, node, choice, byCompute));
                }
            }
        }
        return null;
    }

    /** The lowest GPU of this choice on which a share fits, as a mask; 0 if there is none. */
    private static long gpu(GpuRequest.Share share, NodeState node, Choice choice, boolean byCompute) {
        if (choice.isIdle()) {
            return Long.lowestOneBit(FitRule.idleFitting(share, node));
        }
        int gpu = FitRule.firstShared(share, node, choice.amount(), byCompute);
        return gpu < 0 ? 0 : 1L << gpu;
    }

    /**
     * @param levels the levels of cut GPUs on which one partition more fits, as a mask
     */
    private @Nullable Placement partition(GpuRequest.Partition partition, long levels) {
        for (Choice choice : BY_PARTITION) {
            boolean mayFit = choice.isIdle() || (levels >>> choice.amount() & 1) != 0;
            if (mayFit && candidates.mayHave(choice.rooms())) {
                int slot = candidates.first(
                        choice.rooms(), range, any -> hasRoom(partition, candidates.state(any), choice));
                if (slot >= 0) {
                    NodeState node = candidates.state(slot);
                    return choice.isIdle()
                            ? cut(partition, node, node.idleMask(), ANY_LEVEL)
                            : cut(partition, node, node.cutMask(), choice.amount());
                }
            }
        }
        return null;
    }

    private static boolean hasRoom(GpuRequest.Partition partition, NodeState node, Choice choice) {
        return choice.isIdle()
                ? FitRule.idleFitting(partition, node) != 0
                : PartitionFit.hasRoomAt(partition, node, choice.amount());
    }

    private @Nullable Placement cut(GpuRequest.Partition partition, NodeState node, long gpus, int level) {
        GpuPartition best = PartitionFit.best(partition, node, gpus, level);
        return best == null ? null : Layout.granted(demand, node, List.of(new GpuGrant.Partitions(List.of(best))));
    }
}
