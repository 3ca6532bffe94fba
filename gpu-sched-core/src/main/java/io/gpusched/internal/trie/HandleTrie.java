package io.gpusched.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A persistent collection of pairs of a hash and a handle: a small number that tells where to look for what has the hash.
 *
 * <p>Looking up, adding and removing cost O(log n); all older versions stay valid and share what did not change. Of a hash,
 * which should be well mixed, the lower 40 bits count. A handle that is found for a hash is only likely to be the right one,
 * and must be verified; a hash that is not found is certainly not there. A pair may be there several times. Immutable and
 * thread-safe.
 */
public final class HandleTrie {
    /*
     * Problem: find one of a million pods by name in a snapshot that shares nearly everything with the one before. Each
     * decision looks for a pod that is not there, and then adds or removes one. A lookup costs as many cache misses as it
     * follows references one after the other, and an update as many bytes as it copies.
     *
     * Idea: what an entry needs is not the key, nor a reference to anything, but bits enough to tell that a key is not there.
     * A word of 40 bits of the hash and 24 bits of a handle is all there is of an entry; the node behind the handle knows the
     * rest. The words stand in a trie over the bits of the hash, four bits a level, from the top. Hashes are spread evenly, so
     * the upper levels are full: branches are plain arrays of 16 nodes without a bitmap. Below them stand buckets, each one
     * array of up to 24 words in no particular order. A bucket that would grow larger is split by the next four bits, unless
     * its hashes are all the same: such a bucket may have any size. A branch that is left with a single bucket is replaced by
     * it.
     *
     * Cost at 720,000 entries: four branches and a bucket of 11 words. The branches are in the faster caches, so a lookup
     * waits for memory once. An update copies a bucket of 100 bytes and four branches of 80, of many together the upper ones
     * only once. The garbage collector follows no reference out of a bucket. Two keys of a million have the same 40 bits
     * with a probability of a third: then one node is looked at in vain, now and then.
     *
     * See P. Bagwell, "Ideal Hash Trees", 2001, which compresses sparse branches by a bitmap; buckets do the same job here with
     * one reference less a level.
     */
    /** Handles are less than 2 to the power of this. */
    public static final int HANDLE_BITS = HandleBuckets.HANDLE_BITS;

    private static final int[] NO_HANDLES = {};

    private static final HandleTrie EMPTY = new HandleTrie(0, null);

    private final int size;

    /** A branch, which is an array of nodes; a bucket, which is an array of words; or nothing. */
    private final @Nullable Object root;

    HandleTrie(int size, @Nullable Object root) {
        this.size = size;
        this.root = root;
    }

    /** Returns an empty collection. */
    public static HandleTrie empty() {
        return EMPTY;
    }

    /** Returns the collection of these pairs, O(n). */
    public static HandleTrie of(long[] words) {
        return words.length == 0
                ? EMPTY
                : new HandleTrie(words.length, HandleBuckets.node(words, 0, words.length, HandleBuckets.TOP));
    }

    /**
     * Returns a pair of a hash and a handle as one number.
     *
     * @param handle from 0 up to but not including 2 to the power of {@link #HANDLE_BITS}
     */
    public static long word(long hash, int handle) {
        return hash << HANDLE_BITS | handle;
    }

    /** Returns whether two pairs have the same hash, as far as it counts. */
    public static boolean haveSameHash(long word, long other) {
        return HandleBuckets.haveSameHash(word, other);
    }

    /** Returns the handle of a pair. */
    public static int handle(long word) {
        return (int) word & (1 << HANDLE_BITS) - 1;
    }

    /** Returns the number of pairs. */
    public int size() {
        return size;
    }

    /** Returns the handles of a hash, given as a word with any handle, in no particular order. */
    public int[] handles(long wanted) {
        long[] bucket = bucket(wanted);
        int count = 0;
        for (long word : bucket) {
            count += haveSameHash(word, wanted) ? 1 : 0;
        }
        return count == 0 ? NO_HANDLES : handles(bucket, wanted, count);
    }

    private static int[] handles(long[] bucket, long wanted, int count) {
        int[] found = new int[count];
        int at = 0;
        for (long word : bucket) {
            if (haveSameHash(word, wanted)) {
                found[at++] = handle(word);
            }
        }
        return found;
    }

    /** The bucket that a word is in if it is anywhere. */
    private long[] bucket(long word) {
        Object node = root;
        for (int shift = HandleBuckets.TOP; node instanceof @Nullable Object[] branch; shift -= HandleBuckets.BITS) {
            node = branch[HandleBuckets.digit(word, shift)];
        }
        return node instanceof long[] bucket ? bucket : HandleBuckets.NO_WORDS;
    }

    /**
     * Returns this collection with some pairs more and some less.
     *
     * @param added what is to be added; is put in order
     * @param removed what is to be removed, of which each must be there or among what is added; is put in order
     */
    public HandleTrie with(long[] added, long[] removed) {
        Arrays.sort(added);
        Arrays.sort(removed);
        // of use only to have all buckets fetched from memory together; the updates would wait for one after the other
        if (fetched(added) + fetched(removed) < 0) {
            return this;
        }
        return new HandleTrie(size + added.length - removed.length, new HandleTrieUpdate(root).with(added, removed));
    }

    /**
     * Reads the buckets of some words, level by level: the reads of one level depend on nothing, so they wait together.
     */
    private int fetched(long[] words) {
        @Nullable Object[] nodes = new Object[words.length];
        Arrays.fill(nodes, root);
        boolean down = true;
        for (int shift = HandleBuckets.TOP; down; shift -= HandleBuckets.BITS) {
            down = false;
            for (int i = 0; i < nodes.length; i++) {
                if (nodes[i] instanceof @Nullable Object[] branch) {
                    nodes[i] = branch[HandleBuckets.digit(words[i], shift)];
                    down = true;
                }
            }
        }
        int sum = 0;
        for (Object node : nodes) {
            // a bucket stands in two or three lines of a cache: at its ends, both or two of them
            sum += node instanceof long[] bucket ? (int) bucket[bucket.length - 1] & 1 : 0;
        }
        return sum;
    }

    /** Throws {@link IllegalStateException} unless every word is where it belongs and no node is superfluous; O(n). */
    public void validate() {
        int words = HandleTrieCheck.words(root, HandleBuckets.TOP, 0);
        if (words != size) {
            throw new IllegalStateException("size " + size + ", but " + words + " words");
        }
    }
}
