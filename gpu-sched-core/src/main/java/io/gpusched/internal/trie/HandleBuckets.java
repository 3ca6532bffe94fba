package io.gpusched.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The parts of a {@link HandleTrie}: branches, which are arrays of nodes, and buckets, which are arrays of words. */
final class HandleBuckets {
    /** The bits of a word that hold no hash. */
    static final int HANDLE_BITS = 24;

    /** No bucket has more words, unless all have the same hash. */
    static final int MOST = 24;

    static final int BITS = 4;
    static final int FAN = 1 << BITS;

    /** The number of bits behind the first digit of a word. */
    static final int TOP = Long.SIZE - BITS;

    static final long[] NO_WORDS = {};

    private HandleBuckets() {}

    /** Which node of a branch a word belongs to, given the number of bits behind that digit; ascends with the words. */
    static int digit(long word, int shift) {
        return (int) ((word ^ Long.MIN_VALUE) >>> shift) & FAN - 1;
    }

    /** Whether two words have the same hash, as far as it counts. */
    static boolean haveSameHash(long word, long other) {
        return (word ^ other) >>> HANDLE_BITS == 0;
    }

    /** Whether there are too many words with different hashes. */
    static boolean isToBeSplit(long[] words, int from, int to) {
        if (to - from > MOST) {
            for (int i = from + 1; i < to; i++) {
                if (!haveSameHash(words[i], words[from])) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns a node of these words, at least one. */
    static Object node(long[] words, int from, int to, int shift) {
        if (!isToBeSplit(words, from, to)) {
            return Arrays.copyOfRange(words, from, to);
        }
        int[] ends = new int[FAN + 1];
        for (int i = from; i < to; i++) {
            ends[digit(words[i], shift) + 1]++;
        }
        for (int i = 0; i < FAN; i++) {
            ends[i + 1] += ends[i];
        }
        int[] next = ends.clone();
        long[] sorted = new long[to - from];
        for (int i = from; i < to; i++) {
            sorted[next[digit(words[i], shift)]++] = words[i];
        }
        @Nullable Object[] branch = new Object[FAN];
        for (int i = 0; i < FAN; i++) {
            if (ends[i] < ends[i + 1]) {
                branch[i] = node(sorted, ends[i], ends[i + 1], shift - BITS);
            }
        }
        return branch;
    }
}
