package io.gpusched.internal.select;

import io.gpusched.internal.tree.Lanes;

/**
 * Goes through the slots, in order, of nodes that are in one of some capacity buckets, have at least some amounts and are in
 * all of some sets. Good until a node changes.
 */
final class CapacityWalk {
    private final CapacityColumn[] columns;

    /** By level: the words of the columns' members, and those of the sets, looked up once as many of them are looked at. */
    private final long[][][] members = new long[SlotSet.LEVELS][][];

    private final long[][][] sets = new long[SlotSet.LEVELS][][];
    private final long[] entries;
    private final long least;

    /** By level: the word it is in, and which of its bits are still to be looked at; above the top one there is nothing. */
    private final int[] words = new int[SlotSet.LEVELS];

    private final long[] rest = new long[SlotSet.LEVELS];
    private int level;

    /**
     * Starts before the least of the slots that is not below one.
     *
     * @param sets bitmaps in all of which a slot must be
     * @param entries the amounts of each slot's node
     */
    CapacityWalk(CapacityColumn[] columns, SlotSet[] sets, long[] entries, long least, int from) {
        this.columns = columns;
        for (int each = 0; each < SlotSet.LEVELS; each++) {
            this.members[each] = new long[columns.length][];
            this.sets[each] = new long[sets.length][];
            for (int i = 0; i < columns.length; i++) {
                this.members[each][i] = columns[i].members().words(each);
            }
            for (int i = 0; i < sets.length; i++) {
                this.sets[each][i] = sets[i].words(each);
            }
        }
        this.entries = entries;
        this.least = least;
        words[0] = from >>> SlotSet.SHIFT;
        rest[0] = common(0, words[0]) & -1L << from;
        for (int above = 1; above < SlotSet.LEVELS; above++) {
            words[above] = words[above - 1] >>> SlotSet.SHIFT;
            // below the bit of the word it comes from it was
            rest[above] = common(above, words[above]) & -2L << words[above - 1];
        }
    }

    /** Whether the node of a slot is one of these. */
    boolean accepts(int slot) {
        return (common(0, slot >>> SlotSet.SHIFT) >>> slot & 1) != 0 && Lanes.covers(entries[slot], least);
    }

    /** Returns the next of these slots, -1 if there is none. */
    int next() {
        while (level < SlotSet.LEVELS) {
            if (rest[level] == 0) {
                level++;
                continue;
            }
            int at = words[level] << SlotSet.SHIFT | Long.numberOfTrailingZeros(rest[level]);
            rest[level] &= rest[level] - 1;
            if (level == 0 && Lanes.covers(entries[at], least)) {
                return at;
            }
            // most words that both are not empty have nothing in common, which is sooner seen than their amounts
            long below = level == 0 ? 0 : common(level - 1, at);
            if (below != 0 && covers(level - 1, at)) {
                level--;
                words[level] = at;
                rest[level] = below;
            }
        }
        return -1;
    }

    /** The bits of a word that may have such slots below them. */
    private long common(int level, int word) {
        long bits = 0;
        for (long[] row : members[level]) {
            bits |= word < row.length ? row[word] : 0;
        }
        for (long[] row : sets[level]) {
            bits &= word < row.length ? row[word] : 0;
        }
        return bits;
    }

    private boolean covers(int level, int word) {
        for (CapacityColumn column : columns) {
            if (Lanes.covers(column.greatest(level, word), least)) {
                return true;
            }
        }
        return false;
    }
}
