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
     * level that is not in a cache; 32 changes made together wait together, and copy the upper levels once.
     */
    static final int MOST = 32;

    private final HashTrie<PodId, Placement> base;

    /** The last change; of several of one pod the last counts. */
    private final @Nullable Change last;

    private PodIndex(HashTrie<PodId, Placement> base, @Nullable Change last) {
        this.base = base;
        this.last = last;
    }

    /**
     * A placement that came or went.
     *
     * @param number how many changes there are with this one
     * @param before the change before
     */
    private record Change(
            long hash,
            Placement placement,
            boolean gone,
            int number,
            @Nullable Change before) {
        boolean isOf(long podHash, PodId pod) {
            return hash == podHash && placement.isOf(pod);
        }
    }

    /** Returns the index of these placements, of which no two are of one pod. */
    static PodIndex of(Collection<Placement> all) {
        Placement[] placements = all.toArray(Placement[]::new);
        long[] hashes = new long[placements.length];
        for (int i = 0; i < hashes.length; i++) {
            hashes[i] = NodeAccess.podHash(placements[i]);
        }
        return new PodIndex(HashTrie.of(Placement::pod, hashes, placements), null);
    }

    /** Returns the placement of a pod, or null. */
    @Nullable
    Placement find(PodId pod) {
        long hash = NodeAccess.hash(pod);
        for (Change change = last; change != null; change = change.before) {
            if (change.isOf(hash, pod)) {
                return change.gone ? null : change.placement;
            }
        }
        return base.get(hash, pod);
    }

    /** Returns this index with the placement of a pod that has none. */
    PodIndex plus(Placement placement) {
        return with(placement, false);
    }

    /** Returns this index without a placement that is there. */
    PodIndex minus(Placement placement) {
        return with(placement, true);
    }

    private PodIndex with(Placement placement, boolean gone) {
        Change before = last;
        long hash = NodeAccess.podHash(placement);
        return before != null && before.number == MOST
                ? new PodIndex(settled(), new Change(hash, placement, gone, 1, null))
                : new PodIndex(base, new Change(hash, placement, gone, before == null ? 1 : before.number + 1, before));
    }

    /** The trie with everything that is buffered. */
    private HashTrie<PodId, Placement> settled() {
        Change first = last;
        if (first == null) {
            return base;
        }
        Change[] latest = new Change[first.number];
        int count = 0;
        for (Change change = first; change != null; change = change.before) {
            if (!isAmong(latest, count, change)) {
                latest[count++] = change;
            }
        }
        Arrays.sort(latest, 0, count, (one, other) -> Long.compareUnsigned(one.hash, other.hash));
        long[] hashes = new long[count];
        Object[] changes = new Object[count];
        boolean[] gone = new boolean[count];
        for (int i = 0; i < count; i++) {
            hashes[i] = latest[i].hash;
            gone[i] = latest[i].gone;
            changes[i] = latest[i].gone ? latest[i].placement.pod() : latest[i].placement;
        }
        return base.withAll(hashes, changes, gone);
    }

    private static boolean isAmong(Change[] later, int count, Change change) {
        for (int i = 0; i < count; i++) {
            if (later[i].isOf(change.hash, change.placement.pod())) {
                return true;
            }
        }
        return false;
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
