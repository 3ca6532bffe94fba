package io.gpusched.internal.fit;

/** A set of states, each given by two hashes of 64 bits; open addressing, no objects. Not thread-safe. */
public final class StateSet {
    /** Seeds for the two hashes of a state. */
    static final long SEED = 0x5DEECE66DL;

    static final long OTHER_SEED = 0x2545F4914F6CDD1DL;

    private static final long STEP = 0x9E3779B97F4A7C15L;

    /** More are not remembered: 4 MiB. */
    private static final int MOST_REMEMBERED = 1 << 17;

    /** Two longs for each place; both are 0 where it is empty. */
    private long[] table = new long[64];

    private int size;

    /** Adds a state; returns whether it was not there. A full set forgets nothing and takes up nothing new. */
    public boolean add(long first, long second) {
        long one = first == 0 && second == 0 ? 1 : first;
        int mask = table.length / 2 - 1;
        int at = (int) one & mask;
        while ((table[2 * at] | table[2 * at + 1]) != 0) {
            if (table[2 * at] == one && table[2 * at + 1] == second) {
                return false;
            }
            at = at + 1 & mask;
        }
        if (size < MOST_REMEMBERED) {
            table[2 * at] = one;
            table[2 * at + 1] = second;
            size++;
            if (size > mask / 2) {
                grow();
            }
        }
        return true;
    }

    private void grow() {
        long[] old = table;
        table = new long[2 * old.length];
        int mask = table.length / 2 - 1;
        for (int i = 0; i < old.length; i += 2) {
            if ((old[i] | old[i + 1]) != 0) {
                int at = (int) old[i] & mask;
                while ((table[2 * at] | table[2 * at + 1]) != 0) {
                    at = at + 1 & mask;
                }
                table[2 * at] = old[i];
                table[2 * at + 1] = old[i + 1];
            }
        }
    }

    /** Returns a hash of what a hash stands for and one more number, in this order. */
    public static long mix(long hash, long value) {
        return mix(hash * STEP + value);
    }

    /** Returns a number in which each bit hangs on all bits of the value: the finaliser of SplitMix64. */
    public static long mix(long value) {
        long z = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
