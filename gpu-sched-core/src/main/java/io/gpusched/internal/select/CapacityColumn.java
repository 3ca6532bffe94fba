package io.gpusched.internal.select;

import io.gpusched.internal.tree.Lanes;
import java.util.Arrays;

/**
 * The nodes that are in one capacity bucket, and of each 64 slots, of each 64 times 64, and so on, the greatest amounts that
 * any of those has. Not thread-safe.
 */
final class CapacityColumn {
    private final SlotSet members = new SlotSet();

    /** By level and word of the set: the greatest of each number in {@link Lanes} below that word. */
    private final long[][] greatest = new long[SlotSet.LEVELS][1];

    SlotSet members() {
        return members;
    }

    /** Returns the greatest amounts below a word. */
    long greatest(int level, int word) {
        long[] row = greatest[level];
        return word < row.length ? row[word] : 0;
    }

    /**
     * Takes note of a node's amounts, 0 where it was or is not here.
     *
     * @param entries the amounts of all nodes by slot, of this one too as they are now
     */
    void replace(int slot, long was, long is, long[] entries) {
        if (is == 0) {
            members.remove(slot);
        } else if (was == 0) {
            members.add(slot);
        }
        int at = slot;
        long before = was;
        long after = is;
        for (int level = 0; level < SlotSet.LEVELS && before != after; level++) {
            int word = at >>> SlotSet.SHIFT;
            long old = greatest(level, word);
            long now = Lanes.mayFall(old, before, after) == 0
                    ? Lanes.max(old, after)
                    : greatest(level, word, level == 0 ? entries : greatest[level - 1]);
            set(level, word, now);
            before = old;
            after = now;
            at = word;
        }
    }

    private long greatest(int level, int word, long[] below) {
        long max = 0;
        for (long rest = members.word(level, word); rest != 0; rest &= rest - 1) {
            max = Lanes.max(max, below[word << SlotSet.SHIFT | Long.numberOfTrailingZeros(rest)]);
        }
        return max;
    }

    private void set(int level, int word, long value) {
        if (word >= greatest[level].length) {
            greatest[level] = Arrays.copyOf(greatest[level], Math.max(word + 1, greatest[level].length * 5 / 4));
        }
        greatest[level][word] = value;
    }
}
