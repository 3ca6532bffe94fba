package io.gpusched.analysis;

import io.gpusched.model.NodeState;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.List;

/** Puts pods where they take least of the room that is wanted, and of such places into the tightest. */
final class RoomPolicy implements PlacementPolicy {
    /** More than a score of bin-pack has. */
    private static final int LOSS_SHIFT = 41;

    private static final long MOST_LOSS = (1L << 62 - LOSS_SHIFT) - 1;

    /** The finest part of the dearest unit that counts. */
    private static final long PARTS = 1 << 10;

    private final List<RoomCounts> rooms;
    private final long dearest;

    RoomPolicy(List<RoomCounts> rooms) {
        this.rooms = rooms;
        this.dearest =
                rooms.stream().mapToLong(room -> room.wanted().weight()).max().orElse(1);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long loss = 0;
        for (int i = 0; i < rooms.size(); i++) {
            RoomCounts room = rooms.get(i);
            loss += (room.on(before) - room.on(after)) * room.wanted().weight();
        }
        long parts = loss <= 0 ? 0 : 1 + loss / Math.max(1, dearest / PARTS);
        return BinPack.of().score(before, after, pod) - (Math.min(MOST_LOSS, parts) << LOSS_SHIFT);
    }

    @Override
    public Scope scope() {
        return rooms.stream().allMatch(RoomCounts::isAlike) ? Scope.OCCUPANCY : Scope.NODE;
    }
}
