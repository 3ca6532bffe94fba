package io.gpusched.internal.index;

import it.unimi.dsi.fastutil.ints.IntList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The slots of a domain: all from one up to another, or some of them. The nodes of a topology domain stand together in the node
 * order; those of a label need not, and are kept as the words of 64 slots that have any, each with its slots as a mask. Immutable.
 */
public final class SlotRange {
    /** All slots there can be. */
    public static final SlotRange EVERYWHERE = new SlotRange(0, Integer.MAX_VALUE);

    private final int from;
    private final int to;

    /** The words that have any slot, ascending; null for all slots between the ends. */
    private final int @Nullable [] words;

    /** The slots of each of these words. */
    private final long[] masks;

    private SlotRange(int from, int to, int @Nullable [] words, long[] masks) {
        this.from = from;
        this.to = to;
        this.words = words;
        this.masks = masks;
    }

    /**
     * @param from the first slot
     * @param to the slot after the last
     */
    public SlotRange(int from, int to) {
        this(from, to, null, new long[0]);
    }

    /** Returns the range of one slot. */
    public static SlotRange of(int slot) {
        return new SlotRange(slot, slot + 1);
    }

    /** Returns the range of these slots alone, which ascend and are at least one. */
    static SlotRange of(IntList slots) {
        int[] words = new int[slots.size()];
        long[] masks = new long[slots.size()];
        int size = 0;
        for (int i = 0; i < slots.size(); i++) {
            int slot = slots.getInt(i);
            if (size == 0 || words[size - 1] != slot >>> 6) {
                words[size++] = slot >>> 6;
            }
            masks[size - 1] |= 1L << slot;
        }
        return new SlotRange(
                slots.getInt(0),
                slots.getInt(slots.size() - 1) + 1,
                Arrays.copyOf(words, size),
                Arrays.copyOf(masks, size));
    }

    /** The first slot there may be in it. */
    public int from() {
        return from;
    }

    /** The slot after the last that there may be in it. */
    public int to() {
        return to;
    }

    /** Returns the part of this range that is in another one, too. */
    public SlotRange and(SlotRange other) {
        int first = Math.max(from, other.from);
        int end = Math.min(to, other.to);
        if (words == null) {
            return other.words == null
                    ? new SlotRange(first, end)
                    : new SlotRange(first, end, other.words, other.masks);
        }
        long[] both = masks;
        for (int i = 0; i < words.length && other.words != null; i++) {
            both = both == masks ? masks.clone() : both;
            both[i] &= other.slots(words[i]);
        }
        return new SlotRange(first, end, words, both);
    }

    /** Returns whether there is no slot in it. */
    public boolean isEmpty() {
        return from >= to || words != null && next(from) < 0;
    }

    /** Returns whether a slot is in it. */
    public boolean contains(int slot) {
        return from <= slot && slot < to && (words == null || (slots(slot >>> 6) >>> slot & 1) != 0);
    }

    /** Returns whether it is all slots. */
    public boolean isEverywhere() {
        return from == 0 && to == Integer.MAX_VALUE;
    }

    /** Returns whether it is all slots below this one, and perhaps more. */
    boolean isAllBelow(int slot) {
        return words == null && from == 0 && to >= slot;
    }

    /** Returns the slots of a word that are in it, as a mask. */
    long slots(int word) {
        if (isEverywhere()) {
            return -1L;
        }
        int index = words == null ? word - (from >>> 6) : Arrays.binarySearch(words, word);
        return index < 0 ? 0 : mask(index);
    }

    /** Returns how many words may have slots of it. */
    int words() {
        return words == null ? Math.max(0, Bitmap.above(to) - (from >>> 6)) : words.length;
    }

    /** Returns one of these words, in ascending order. */
    int word(int index) {
        return words == null ? (from >>> 6) + index : words[index];
    }

    /** Returns the slots of one of these words, as a mask. */
    long mask(int index) {
        int word = word(index);
        long between = word == from >>> 6 ? -1L << from : word < from >>> 6 ? 0 : -1L;
        return between & Bitmap.mask(word, to) & (words == null ? -1L : masks[index]);
    }

    /** Returns the first word from this one on that may have slots of it, or one beyond its end. */
    int nextWord(int word) {
        int first = Math.max(word, from >>> 6);
        if (words == null) {
            return first;
        }
        int at = Arrays.binarySearch(words, first);
        int next = at < 0 ? -1 - at : at;
        return next < words.length ? words[next] : Integer.MAX_VALUE >>> 6;
    }

    /** Returns the first slot of the range from this one on, or -1; where it is all slots between its ends, of these. */
    private int next(int slot) {
        int word = nextWord(slot >>> 6);
        long rest = word == slot >>> 6 ? slots(word) & -1L << slot : 0;
        word = rest == 0 && word == slot >>> 6 ? nextWord(word + 1) : word;
        while (rest == 0 && word < Bitmap.above(to)) {
            rest = slots(word);
            word = rest == 0 ? nextWord(word + 1) : word;
        }
        return rest == 0 ? -1 : word << 6 | Long.numberOfTrailingZeros(rest);
    }

    /** Returns the first slot of a set from this one on that is in the range, or -1. */
    int next(Bitmap set, int slot) {
        int next = set.next(Math.max(slot, from));
        while (next >= 0 && next < to && words != null && !contains(next)) {
            int mine = next(next);
            next = mine < 0 ? -1 : set.next(mine);
        }
        return next < to ? next : -1;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SlotRange range
                && from == range.from
                && to == range.to
                && Arrays.equals(words, range.words)
                && Arrays.equals(masks, range.masks);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * from + to) + Arrays.hashCode(masks);
    }

    @Override
    public String toString() {
        return from + ".." + to + (words == null ? "" : " in part");
    }
}
