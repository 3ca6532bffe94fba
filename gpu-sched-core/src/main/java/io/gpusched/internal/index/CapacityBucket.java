package io.gpusched.internal.index;

import java.util.Arrays;

/**
 * The slots of the nodes that have one kind of room, such as three idle GPUs, with the greatest free CPU and memory of each 64, 4,096
 * and 262,144 slots. Not thread-safe.
 */
final class CapacityBucket {
    /*
     * Words and amounts stand beside each other, so that a look at both takes one line of the cache: at 2 * i is the word i, at
     * 2 * i + 1 what the slots below it have at most. Where a node changes, the amounts above it are summed up anew only if it
     * had, or has, the most of the word.
     */
    private final long[][] levels = new long[3][];
    private int size;

    CapacityBucket(int capacity) {
        int words = capacity;
        for (int level = 0; level < levels.length; level++) {
            words = Bitmap.above(words);
            levels[level] = new long[2 * words];
        }
    }

    int size() {
        return size;
    }

    /** The 64 slots from {@code 64 * word} on as a mask; of the levels above words that have any slot. */
    long word(int level, int word) {
        return levels[level][2 * word];
    }

    /** The greatest amounts of these slots. */
    long most(int level, int word) {
        return levels[level][2 * word + 1];
    }

    /** Returns how many words a level has. */
    int words(int level) {
        return levels[level].length / 2;
    }

    /** Returns how many slots of a range are in it: counts words between its ends. */
    int count(SlotRange range) {
        long[] words = levels[0];
        if (range.isAllBelow(words.length << 5)) {
            return size;
        }
        int count = 0;
        for (int i = 0; i < range.words() && range.word(i) < words.length >>> 1; i++) {
            count += Long.bitCount(words[2 * range.word(i)] & range.mask(i));
        }
        return count;
    }

    /** Adds a slot that is not there. */
    void add(int slot, long amounts) {
        size++;
        int at = slot;
        for (long[] level : levels) {
            int word = 2 * (at >>> 6);
            long had = level[word];
            long most = level[word + 1];
            long more = Amounts.max(most, amounts);
            level[word] = had | 1L << at;
            level[word + 1] = more;
            if (had != 0 && more == most) {
                return;
            }
            at >>>= 6;
        }
    }

    /** Removes a slot that had these amounts. */
    void remove(int slot, long amounts, long[] bySlot) {
        size--;
        levels[0][2 * (slot >>> 6)] &= ~(1L << slot);
        update(slot, amounts, 0, bySlot);
    }

    /** Takes note that a slot has other amounts than it had. */
    void change(int slot, long old, long[] bySlot) {
        update(slot, old, bySlot[slot], bySlot);
    }

    private void update(int slot, long old, long now, long[] bySlot) {
        long before = old;
        long after = now;
        int at = slot;
        for (int level = 0; level < levels.length; level++) {
            int word = 2 * (at >>> 6);
            long[] words = levels[level];
            boolean emptied = false;
            if (level > 0 && levels[level - 1][2 * at] == 0) {
                words[word] &= ~(1L << at);
            }
            emptied = words[word] == 0;
            long most = words[word + 1];
            long more = Amounts.max(most, after);
            boolean wasLess = Amounts.isLessInBoth(before, most);
            if (more == most && wasLess && !emptied) {
                return;
            }
            long fresh = wasLess ? more : most(level, words[word], at >>> 6 << 6, bySlot, more);
            if (fresh == most && !emptied) {
                return;
            }
            words[word + 1] = fresh;
            before = most;
            after = fresh;
            at >>>= 6;
        }
    }

    /** The greatest amounts of these slots, or of these words, which are no more than a bound. */
    private long most(int level, long bits, int base, long[] bySlot, long bound) {
        long most = 0;
        for (long rest = bits; rest != 0 && most != bound; rest &= rest - 1) {
            int at = base + Long.numberOfTrailingZeros(rest);
            most = Amounts.max(most, level == 0 ? bySlot[at] : levels[level - 1][2 * at + 1]);
        }
        return most;
    }

    /** Returns whether another bucket has the same slots with the same amounts. */
    boolean isSame(CapacityBucket other) {
        return size == other.size && Arrays.deepEquals(levels, other.levels);
    }
}
