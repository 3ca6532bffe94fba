package io.gpusched.internal.tree;

import java.util.Arrays;

/** The arrays of which a {@link KeyedTree} is made, as explained there. */
final class TreeLayout {
    /** The most parts of a branch, and the most leaves of a chunk. */
    static final int FAN = 16;

    /** No branch or chunk other than the root has fewer parts or leaves. */
    static final int LEAST = 5;

    /** Where a branch keeps the sums of the counts below it, see {@link TreeSums.Known}. */
    static final int SUM = 2 * FAN;

    private static final int CHUNK_KEYS = FAN;
    private static final int BRANCH_KEYS = 2 * FAN + 1;

    private TreeLayout() {}

    /** Returns a chunk with these keys, without its leaves. */
    static Object[] chunk(long[] keys) {
        Object[] chunk = new Object[CHUNK_KEYS + 1];
        chunk[CHUNK_KEYS] = keys;
        return chunk;
    }

    static Object[] emptyChunk() {
        return chunk(keys(new long[0], 0, 0));
    }

    /** Returns a branch with these keys, without its parts and their summaries. */
    static Object[] branch(long[] keys) {
        Object[] branch = new Object[BRANCH_KEYS + 1];
        branch[BRANCH_KEYS] = keys;
        return branch;
    }

    /** Throws unless a leaf may have this key. */
    static void requireKey(long key) {
        if (key < 0 || key == Long.MAX_VALUE) {
            throw new IllegalArgumentException("key must be in 0.." + (Long.MAX_VALUE - 1) + ", got " + key);
        }
    }

    /** The keys of a chunk's leaves. */
    static long[] chunkKeys(Object[] chunk) {
        return (long[]) chunk[CHUNK_KEYS];
    }

    /** The keys that separate the parts of a branch. */
    static long[] branchKeys(Object[] branch) {
        return (long[]) branch[BRANCH_KEYS];
    }

    /** The keys of a chunk or a branch, whichever it is. */
    static long[] keys(Object[] part) {
        return (long[]) part[part.length - 1];
    }

    /** The number of a chunk's leaves or of a branch's parts. */
    static int count(Object[] part) {
        long[] keys = keys(part);
        return keys[0] == Long.MAX_VALUE ? 0 : find(keys, Long.MAX_VALUE - 1) + 1;
    }

    static Object[] part(Object[] branch, int at) {
        return (Object[]) branch[at];
    }

    static long[] summary(Object[] branch, int at) {
        return (long[]) branch[FAN + at];
    }

    /** The digest of a leaf, given the summary of its chunk. */
    static long digest(long[] summary, int at) {
        return summary[summary.length - FAN + at];
    }

    /**
     * Returns the place of a key as one number.
     *
     * @param path which leaf of its chunk it is, which part of its branch that is and so on, four bits each from the lowest on
     * @param isThere whether there is a leaf under the key; if not, the path leads to the last leaf with a smaller one
     */
    static long place(long path, boolean isThere) {
        return path << 1 | (isThere ? 1 : 0);
    }

    static boolean isThere(long place) {
        return (place & 1) != 0;
    }

    /** Which part of a branch of this height, or at height 0 which leaf of a chunk, a place is below. */
    static int digit(long place, int height) {
        return (int) (place >>> 4 * height + 1) & FAN - 1;
    }

    /** Returns keys with room for as many as there can be; {@link Long#MAX_VALUE} stands where there is none. */
    static long[] keys(long[] all, int from, int to) {
        long[] keys = new long[FAN];
        System.arraycopy(all, from, keys, 0, to - from);
        Arrays.fill(keys, to - from, FAN, Long.MAX_VALUE);
        return keys;
    }

    /**
     * Which is the last of these keys that is not greater; the first if all are.
     *
     * <p>Two rounds of three comparisons each, all without branches: which way a search goes cannot be predicted.
     */
    static int find(long[] keys, long key) {
        int at = 4 * (reached(keys[4], key) + reached(keys[8], key) + reached(keys[12], key));
        return at + reached(keys[at + 1], key) + reached(keys[at + 2], key) + reached(keys[at + 3], key);
    }

    /** 1 if the second is at least the first, else 0; neither is negative. */
    private static int reached(long key, long by) {
        return (int) (~(by - key) >>> 63);
    }

    /** Which of these keys is this one; -1 if none is. */
    static int indexOf(long[] keys, long key) {
        int at = find(keys, key);
        return keys[at] == key ? at : -1;
    }

    /** How many of the keys of a chunk are less. */
    static int countBelow(long[] keys, long key) {
        int at = find(keys, key);
        return keys[at] < key ? at + 1 : at;
    }
}
