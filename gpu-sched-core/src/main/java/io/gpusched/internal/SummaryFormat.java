package io.gpusched.internal;

/**
 * Says what a {@link SummaryTree} keeps about the leaves below each inner node.
 *
 * <p>A summary is a {@code long[]} of three consecutive parts: words of four 16-bit lanes that merge by maximum (lane
 * values 0..32,767), words that merge by addition, words that merge by bitwise or. The first two parts follow from a key
 * of two {@code long}s that the tree keeps beside each leaf, so that merging touches no leaf.
 *
 * @param <T> the leaves
 */
public interface SummaryFormat<T> {
    /** Returns the number of words that merge lane by lane by maximum. */
    int maxWords();

    /** Returns the number of words that merge by addition. */
    int sumWords();

    /** Returns the number of words that merge by bitwise or. */
    int orWords();

    /** Returns the first word of a leaf's key. */
    long key(T leaf);

    /** Returns the second word of a leaf's key. */
    long secondKey(T leaf);

    /** Merges the leaf of this key into the first two parts of a summary. */
    void addKey(long key, long secondKey, long[] summary);

    /** Returns what the leaf of this key adds to one of the words that merge by addition, counted from 0. */
    long sumOfKey(long key, long secondKey, int word);

    /** Returns a leaf's part of one of the words that merge by or, counted from 0. */
    long orWord(T leaf, int word);

    /** Returns the length of a summary. */
    default int words() {
        return maxWords() + sumWords() + orWords();
    }
}
