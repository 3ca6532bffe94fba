package io.gpusched.internal;

/**
 * Says what a {@link SummaryTree} keeps about the leaves below each inner node.
 *
 * <p>A summary is a {@code long[]} of three consecutive parts: words of four 16-bit lanes that merge by maximum (lane
 * values 0..32,767), words that merge by bitwise or, words that merge by addition.
 *
 * @param <T> the leaves
 */
public interface SummaryFormat<T> {
    /** Returns the number of words that merge lane by lane by maximum. */
    int maxWords();

    /** Returns the number of words that merge by bitwise or. */
    int orWords();

    /** Returns the number of words that merge by addition. */
    int sumWords();

    /** Merges one leaf into a summary. */
    void addLeaf(T leaf, long[] summary);

    /** Returns the length of a summary. */
    default int words() {
        return maxWords() + orWords() + sumWords();
    }
}
