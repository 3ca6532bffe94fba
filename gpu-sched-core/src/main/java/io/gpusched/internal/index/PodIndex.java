package io.gpusched.internal.index;

import io.gpusched.internal.trie.HandleTrie;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * On which nodes the pods of a snapshot run, by the hash of their names: owned by the snapshot, so that forks neither see nor
 * slow each other. It holds numbers alone; the nodes know their pods. All operations cost O(log n), adding and removing on the
 * average of many. Immutable and thread-safe.
 */
final class PodIndex {
    /*
     * A trie, beside which the last changes are buffered. A change of the trie waits for memory several times, once for each
     * level that is not in a cache; 32 changes made together wait together, and copy the upper levels once.
     *
     * Whether a pod runs on a node is for the node to say. So a lookup need not know which pods left: an entry of one that did
     * leads to a node that has no such pod.
     */
    static final int MOST = 32;

    private final HandleTrie base;

    /** The index before the last change that is not in the trie; null if all are. */
    private final @Nullable PodIndex before;

    /** Of that change: the hash of the pod and the number of its node. */
    private final long word;

    private final boolean gone;

    /** How many changes are not in the trie. */
    private final int number;

    /** Of how many of them a pod came. */
    private final int came;

    /** A bit for each pod that came, by its hash: most pods are not among them. */
    private final long filter;

    private PodIndex(HandleTrie base) {
        this.base = base;
        this.before = null;
        this.word = 0;
        this.gone = false;
        this.number = 0;
        this.came = 0;
        this.filter = 0;
    }

    private PodIndex(PodIndex before, long word, boolean gone) {
        this.base = before.base;
        this.before = before;
        this.word = word;
        this.gone = gone;
        this.number = before.number + 1;
        this.came = before.came + (gone ? 0 : 1);
        this.filter = before.filter | (gone ? 0 : bit(word >>> HandleTrie.HANDLE_BITS));
    }

    /** Returns the index of these pods, each a {@linkplain HandleTrie#word word} of its hash and the number of its node. */
    static PodIndex of(long[] words) {
        return new PodIndex(HandleTrie.of(words));
    }

    /** Returns the numbers of nodes on which a pod of this hash may run; if it runs anywhere, its node is among them. */
    int[] nodes(long hash) {
        long wanted = HandleTrie.word(hash, 0);
        int[] found = base.handles(wanted);
        boolean mayBeBuffered = (filter & bit(hash)) != 0;
        for (PodIndex index = this; mayBeBuffered && index.before != null; index = index.before) {
            if (!index.gone && HandleTrie.haveSameHash(index.word, wanted)) {
                found = Arrays.copyOf(found, found.length + 1);
                found[found.length - 1] = HandleTrie.handle(index.word);
            }
        }
        return found;
    }

    /** Returns this index with a pod that runs nowhere on the node of this number. */
    PodIndex plus(long hash, int node) {
        return with(HandleTrie.word(hash, node), false);
    }

    /** Returns this index without a pod that runs on the node of this number. */
    PodIndex minus(long hash, int node) {
        return with(HandleTrie.word(hash, node), true);
    }

    private PodIndex with(long change, boolean isGone) {
        return new PodIndex(number == MOST ? new PodIndex(settled()) : this, change, isGone);
    }

    private static long bit(long hash) {
        return 1L << hash;
    }

    /** The trie with all changes. */
    private HandleTrie settled() {
        if (number == 0) {
            return base;
        }
        long[] added = new long[came];
        long[] removed = new long[number - came];
        int adds = 0;
        int removes = 0;
        for (PodIndex index = this; index.before != null; index = index.before) {
            if (index.gone) {
                removed[removes++] = index.word;
            } else {
                added[adds++] = index.word;
            }
        }
        return base.with(added, removed);
    }

    /** Returns the number of pods, O(1). */
    int size() {
        return base.size() + 2 * came - number;
    }

    /** Throws {@link IllegalStateException} unless everything is where it belongs; O(n). */
    void validate() {
        base.validate();
        settled().validate();
    }
}
