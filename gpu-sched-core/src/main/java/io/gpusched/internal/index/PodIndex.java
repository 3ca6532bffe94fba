package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.tree.HashTrie;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The placements of a snapshot by pod: exact, and owned by the snapshot, so that forks neither see nor slow each other. All
 * operations cost O(log n). Immutable and thread-safe.
 */
final class PodIndex {
    static final PodIndex EMPTY = new PodIndex(HashTrie.empty(Placement::pod));

    private final HashTrie<PodId, Placement> placements;

    private PodIndex(HashTrie<PodId, Placement> placements) {
        this.placements = placements;
    }

    /** Returns the index of these placements, of which no two are of one pod. */
    static PodIndex of(Collection<Placement> all) {
        long[] hashes = new long[all.size()];
        int next = 0;
        for (Placement placement : all) {
            hashes[next++] = NodeAccess.hash(placement.pod());
        }
        return new PodIndex(HashTrie.of(Placement::pod, hashes, all.toArray(Placement[]::new)));
    }

    /** Returns the number of placements. */
    int size() {
        return placements.size();
    }

    /** Returns the placement of a pod, or null. */
    @Nullable
    Placement find(PodId pod) {
        return placements.get(NodeAccess.hash(pod), pod);
    }

    /** Returns this index with the placement of a pod that has none. */
    PodIndex plus(Placement placement) {
        return new PodIndex(placements.with(NodeAccess.hash(placement.pod()), placement));
    }

    /** Returns this index without the placement of a pod. */
    PodIndex minus(PodId pod) {
        return new PodIndex(placements.without(NodeAccess.hash(pod), pod));
    }

    /** Throws {@link IllegalStateException} unless everything is where it belongs; O(n). */
    void validate() {
        placements.validate();
    }
}
