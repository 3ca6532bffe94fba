package io.gpusched.internal.search;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;

/** Ranges of keys of the node order as ranges of slots. */
final class OldRanges {
    private OldRanges() {}

    static SlotRange slots(SnapshotIndex index, NodeRange range) {
        return range.isEverywhere()
                ? SlotRange.EVERYWHERE
                : new SlotRange(slot(index, range.from()), slot(index, range.to()));
    }

    private static int slot(SnapshotIndex index, long key) {
        int from = 0;
        int to = index.size();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (NodeAccess.order(index.state(index.at(middle))) < key) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from == index.size() ? index.capacity() : index.at(from);
    }
}
