package io.gpusched.internal.select;

import java.util.Arrays;

/**
 * A set of slots: a bitmap, above it a bitmap of its words that are not empty, and so on. What several sets have in common is
 * found by looking at the same words of all, and at no others than those that no set's upper levels rule out. Not thread-safe.
 */
final class SlotSet {
    /** Enough for 2^30 slots, 64 for each bit of the level above. */
    static final int LEVELS = 5;

    static final int SHIFT = 6;

    private final long[][] words = new long[LEVELS][1];

    /** Returns 64 bits of a level; those of level 0 are slots. */
    long word(int level, int at) {
        long[] row = words[level];
        return at < row.length ? row[at] : 0;
    }

    /** Returns the words of a level, those missing at the end being empty; good until a slot is added, and not to be written to. */
    long[] words(int level) {
        return words[level];
    }

    boolean contains(int slot) {
        return (word(0, slot >>> SHIFT) >>> slot & 1) != 0;
    }

    boolean isEmpty() {
        return words[LEVELS - 1][0] == 0;
    }

    void add(int slot) {
        int at = slot;
        for (int level = 0; level < LEVELS; level++) {
            int word = at >>> SHIFT;
            long[] row = row(level, word);
            long before = row[word];
            row[word] = before | 1L << at;
            if (before != 0) {
                return;
            }
            at = word;
        }
    }

    /** Adds the first of some slots, so many, in any order. */
    void addAll(int[] slots, int count) {
        int greatest = 0;
        for (int i = 0; i < count; i++) {
            greatest = Math.max(greatest, slots[i]);
        }
        long[] lowest = row(0, greatest >>> SHIFT);
        long[] next = row(1, greatest >>> 2 * SHIFT);
        for (int i = 0; i < count; i++) {
            // without a branch: whether a word is empty is hard to foretell
            int slot = slots[i];
            lowest[slot >>> SHIFT] |= 1L << slot;
            next[slot >>> 2 * SHIFT] |= 1L << (slot >>> SHIFT);
        }
        for (int level = 2; level < LEVELS; level++) {
            long[] below = words[level - 1];
            long[] row = row(level, below.length - 1 >>> SHIFT);
            for (int word = 0; word < below.length; word++) {
                row[word >>> SHIFT] |= below[word] == 0 ? 0 : 1L << word;
            }
        }
    }

    private long[] row(int level, int word) {
        if (word >= words[level].length) {
            words[level] = Arrays.copyOf(words[level], Math.max(word + 1, words[level].length * 5 / 4));
        }
        return words[level];
    }

    void remove(int slot) {
        int at = slot;
        for (int level = 0; level < LEVELS && at >>> SHIFT < words[level].length; level++) {
            int word = at >>> SHIFT;
            words[level][word] &= ~(1L << at);
            if (words[level][word] != 0) {
                return;
            }
            at = word;
        }
    }

    /** Adds what is in another set. */
    void addAll(SlotSet other) {
        for (int level = 0; level < LEVELS; level++) {
            long[] more = other.words[level];
            long[] row = row(level, more.length - 1);
            for (int i = 0; i < more.length; i++) {
                row[i] |= more[i];
            }
        }
    }

    void clear() {
        for (long[] row : words) {
            Arrays.fill(row, 0);
        }
    }

    /** Returns the least slot that is here and not below this one, -1 if there is none. */
    int next(int from) {
        int level = 0;
        int at = from;
        while (level < LEVELS) {
            long rest = word(level, at >>> SHIFT) & -1L << at;
            if (rest == 0) {
                level++;
                at = (at >>> SHIFT) + 1;
            } else {
                int found = at & -1 << SHIFT | Long.numberOfTrailingZeros(rest);
                if (level == 0) {
                    return found;
                }
                level--;
                at = found << SHIFT;
            }
        }
        return -1;
    }
}
