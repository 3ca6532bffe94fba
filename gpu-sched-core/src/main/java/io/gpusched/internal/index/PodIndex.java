package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.tree.HashTrie;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The placements of a snapshot by pod: exact, and owned by the snapshot, so that forks neither see nor slow each other. All
 * operations cost O(log n), adding and removing on the average of many. Immutable and thread-safe.
 */
final class PodIndex {
    /*
     * A trie, beside which the last changes are buffered. A change of the trie waits for memory several times, once for each
     * level that is not in a cache; 32 changes are looked up one right after the other, so that they wait together.
     */
    private static final int MOST = 32;

    private static final Placement[] NOTHING = {};

    private final HashTrie<PodId, Placement> base;

    /** The hashes of the pods whose placements are buffered, each pod once. */
    private final long[] hashes;

    /** What is buffered of each: added or, if its bit is set below, removed. */
    private final Placement[] buffered;

    private final int removed;

    private PodIndex(HashTrie<PodId, Placement> base, long[] hashes, Placement[] buffered, int removed) {
        this.base = base;
        this.hashes = hashes;
        this.buffered = buffered;
        this.removed = removed;
    }

    private static PodIndex of(HashTrie<PodId, Placement> base) {
        return new PodIndex(base, new long[0], NOTHING, 0);
    }

    /** Returns the index of these placements, of which no two are of one pod. */
    static PodIndex of(Collection<Placement> all) {
        Placement[] placements = all.toArray(Placement[]::new);
        long[] hashes = new long[placements.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = NodeAccess.podHash(placements[i]);
        }
        return of(HashTrie.of(Placement::pod, hashes, placements));
    }

    /** Returns the placement of a pod, or null. */
    @Nullable
    Placement find(PodId pod) {
        long hash = NodeAccess.hash(pod);
        int at = position(hash, pod);
        if (at >= 0) {
            return isRemoved(at) ? null : buffered[at];
        }
        return base.get(hash, pod);
    }

    private boolean isRemoved(int at) {
        return (removed >>> at & 1) != 0;
    }

    /** Where a pod stands among those buffered, or -1. */
    private int position(long hash, PodId pod) {
        for (int i = 0; i < hashes.length; i++) {
            if (hashes[i] == hash && buffered[i].isOf(pod)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns this index with the placement of a pod that has none. */
    PodIndex plus(Placement placement) {
        return with(placement, 0);
    }

    /** Returns this index without a placement that is there. */
    PodIndex minus(Placement placement) {
        return with(placement, 1);
    }

    private PodIndex with(Placement placement, int gone) {
        long hash = NodeAccess.podHash(placement);
        int at = position(hash, placement.pod());
        if (at >= 0) {
            Placement[] changed = buffered.clone();
            changed[at] = placement;
            return new PodIndex(base, hashes, changed, removed & ~(1 << at) | gone << at);
        }
        int size = hashes.length;
        if (size == MOST) {
            return new PodIndex(settled(), new long[] {hash}, new Placement[] {placement}, gone);
        }
        long[] moreHashes = Arrays.copyOf(hashes, size + 1);
        Placement[] more = Arrays.copyOf(buffered, size + 1);
        moreHashes[size] = hash;
        more[size] = placement;
        return new PodIndex(base, moreHashes, more, removed | gone << size);
    }

    /** The trie with everything that is buffered. */
    private HashTrie<PodId, Placement> settled() {
        boolean[] known = new boolean[hashes.length];
        for (int i = 0; i < known.length; i++) {
            known[i] = base.get(hashes[i], buffered[i].pod()) != null;
        }
        HashTrie<PodId, Placement> trie = base;
        for (int i = 0; i < known.length; i++) {
            if (!isRemoved(i)) {
                trie = trie.with(hashes[i], buffered[i]);
            } else if (known[i]) {
                trie = trie.without(hashes[i], buffered[i].pod());
            }
        }
        return trie;
    }

    /** Returns the number of placements, O(log n). */
    int size() {
        return settled().size();
    }

    /** Throws {@link IllegalStateException} unless everything is where it belongs; O(n). */
    void validate() {
        base.validate();
        settled().validate();
    }
}
