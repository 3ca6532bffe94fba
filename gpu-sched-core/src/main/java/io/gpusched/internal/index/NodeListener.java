package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import org.jspecify.annotations.Nullable;

/** What follows the nodes of a {@link SnapshotIndex}. */
public interface NodeListener {
    /**
     * Takes note of a node that changed. A node that moves to another slot leaves the one and joins the other. While this is
     * told, the index stands between two snapshots: {@link SnapshotIndex#state} of this slot is {@code after}, other slots may yet
     * change.
     *
     * @param before the node that was in the slot, null if there was none
     * @param after the node that is in the slot, null if there is none
     */
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after);

    /** Takes note of new slots for all nodes, which now stand as in the snapshot: all that is known of slots is void. */
    void rebuilt();
}
