package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CandidateSet;
import io.gpusched.internal.index.RoomSet;
import io.gpusched.internal.index.Rooms;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod in one of its forms is to be placed.
 *
 * @param index the index, at the snapshot
 * @param candidates the nodes that admit the pod and have the CPU and memory for it
 * @param rooms a node with room for the pod has at least one of these rooms
 * @param range the slots that are open to it
 * @param steps what may be spent
 */
record Query(
        SnapshotIndex index,
        PodDemand demand,
        CandidateSet candidates,
        RoomSet rooms,
        SlotRange range,
        SearchSteps steps) {

    static Query of(SnapshotIndex index, PodDemand demand, SlotRange range, SearchSteps steps) {
        return new Query(index, demand, index.candidates(demand), rooms(index, demand), range, steps);
    }

    /** Returns rooms; a node with room for a pod has at least one of them. */
    static RoomSet rooms(SnapshotIndex index, PodDemand demand) {
        GpuRequest single = demand.single();
        if (single instanceof GpuRequest.Partition) {
            return RoomSet.idleFrom(1).or(Rooms.anyCut());
        }
        if (single instanceof GpuRequest.WholeNode) {
            return Rooms.anyEmpty();
        }
        if (single instanceof GpuRequest.Share share) {
            return RoomSet.idleFrom(1).or(Rooms.sharedFrom(Tightness.leastLevel(share, index.classes())));
        }
        return RoomSet.idleFrom(demand.mostIdle());
    }

    /** Whether labels, taints or rules may keep the pod away from nodes. */
    boolean isSelective() {
        return !demand.nodeSelector().terms().isEmpty()
                || !demand.pod().tolerations().isEmpty()
                || demand.isRuled();
    }

    /** Returns the slots of the nodes that may have room, or null if they are more than a number. */
    @Nullable
    IntList slots(int most) {
        return candidates.slots(rooms, range, most);
    }

    /** Returns all nodes that have room, as far as {@link RoomTest} tells. */
    List<NodeState> withRoom() {
        RoomTest test = new RoomTest(demand, steps);
        List<NodeState> found = new ArrayList<>();
        candidates.first(rooms, range, slot -> {
            NodeState node = candidates.state(slot);
            return test.test(node) && !found.add(node);
        });
        return found;
    }
}
