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
    private final @Nullable Change last;

    /** A bit for each pod that came, by its hash: most pods are not among them. */
    private final long filter;

    private PodIndex(HandleTrie base, @Nullable Change last, long filter) {
        this.base = base;
        this.last = last;
        this.filter = filter;
    }

    /**
     * A pod that came or went.
     *
     * @param word its hash and the number of its node
     * @param number how many changes there are with this one
     * @param came of how many of them a pod came
     * @param before the change before
     */
    private record Change(
            long word,
            boolean gone,
            int number,
            int came,
            @Nullable Change before) {}

    /** Returns the index of these pods, each a {@linkplain HandleTrie#word word} of its hash and the number of its node. */
    static PodIndex of(long[] words) {
        return new PodIndex(HandleTrie.of(words), null, 0);
    }

    /** Returns the numbers of nodes on which a pod of this hash may run; if it runs anywhere, its node is among them. */
    int[] nodes(long hash) {
        long wanted = HandleTrie.word(hash, 0);
        int[] found = base.handles(wanted);
        boolean mayBeBuffered = (filter & bit(hash)) != 0;
        for (Change change = last; mayBeBuffered && change != null; change = change.before) {
            if (!change.gone && HandleTrie.haveSameHash(change.word, wanted)) {
                found = Arrays.copyOf(found, found.length + 1);
                found[found.length - 1] = HandleTrie.handle(change.word);
            }
        }
        return found;
    }

    /** Returns this index with a pod that runs nowhere on the node of this number. */
    PodIndex plus(long hash, int node) {
        return with(hash, node, false);
    }

    /** Returns this index without a pod that runs on the node of this number. */
    PodIndex minus(long hash, int node) {
        return with(hash, node, true);
    }

    private PodIndex with(long hash, int node, boolean gone) {
        Change before = last;
        long word = HandleTrie.word(hash, node);
        long bit = gone ? 0 : bit(hash);
        int came = gone ? 0 : 1;
        if (before == null) {
            return new PodIndex(base, new Change(word, gone, 1, came, null), bit);
        }
        return before.number == MOST
                ? new PodIndex(settled(), new Change(word, gone, 1, came, null), bit)
                : new PodIndex(
                        base, new Change(word, gone, before.number + 1, before.came + came, before), filter | bit);
    }

    private static long bit(long hash) {
        return 1L << hash;
    }

    /** The trie with everything that is buffered. */
    private HandleTrie settled() {
        Change first = last;
        if (first == null) {
            return base;
        }
        long[] added = new long[first.came];
        long[] removed = new long[first.number - first.came];
        int adds = 0;
        int removes = 0;
        for (Change change = first; change != null; change = change.before) {
            if (change.gone) {
                removed[removes++] = change.word;
            } else {
                added[adds++] = change.word;
            }
        }
        return base.with(added, removed);
    }

    /** Returns the number of pods, O(log n). */
    int size() {
        return settled().size();
    }

    /** Throws {@link IllegalStateException} unless everything is where it belongs; O(n). */
    void validate() {
        base.validate();
        settled().validate();
    }
}
