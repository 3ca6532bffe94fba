package io.gpusched.internal.index;

import java.util.function.IntConsumer;

/**
 * A set of slots as a bitmap of three levels: a bit of an upper word says whether the word below has any bit. So empty stretches
 * of 64 or 4,096 slots are passed by at once. Not thread-safe.
 */
public final class Bitmap {
    private final long[] slots;
    private final long[] words;
    private final long[] blocks;
    private int size;

    /** Returns an empty set that can hold slots below this number. */
    Bitmap(int capacity) {
        slots = new long[above(capacity)];
        words = new long[above(slots.length)];
        blocks = new long[above(words.length)];
    }

    /** Returns how many words hold this many bits. */
    static int above(int bits) {
        return (int) ((bits + 63L) >>> 6);
    }

    /** Returns the number of slots in the set. */
    public int size() {
        return size;
    }

    /** Returns whether a slot is in the set. */
    public boolean contains(int slot) {
        return (slots[slot >>> 6] >>> slot & 1) != 0;
    }

    /** Returns the 64 slots from {@code 64 * word} on as a mask. */
    long slots(int word) {
        return slots[word];
    }

    /** Returns which of the 64 words from {@code 64 * block} on have any slot, as a mask. */
    long words(int block) {
        return words[block];
    }

    /** Adds a slot, which may be there already. */
    void add(int slot) {
        int word = slot >>> 6;
        long had = slots[word];
        long has = had | 1L << slot;
        size += has != had ? 1 : 0;
        slots[word] = has;
        if (had == 0) {
            words[word >>> 6] |= 1L << word;
            blocks[word >>> 12] |= 1L << (word >>> 6);
        }
    }

    /** Removes a slot, which need not be there. */
    void remove(int slot) {
        int word = slot >>> 6;
        long had = slots[word];
        long has = had & ~(1L << slot);
        size -= has != had ? 1 : 0;
        slots[word] = has;
        if (has == 0 && had != 0) {
            int block = word >>> 6;
            words[block] &= ~(1L << word);
            if (words[block] == 0) {
                blocks[block >>> 6] &= ~(1L << block);
            }
        }
    }

    /** Adds or removes a slot. */
    void set(int slot, boolean isIn) {
        if (isIn) {
            add(slot);
        } else {
            remove(slot);
        }
    }

    /** Calls back with each slot in ascending order. */
    void forEach(IntConsumer action) {
        for (int slot = next(0); slot >= 0; slot = next(slot + 1)) {
            action.accept(slot);
        }
    }

    /** Returns the first slot of the set from this one on, or -1. */
    public int next(int from) {
        int word = from >>> 6;
        if (word >= slots.length) {
            return -1;
        }
        long rest = slots[word] & -1L << from;
        if (rest == 0) {
            word = nextWord(word + 1);
            if (word < 0) {
                return -1;
            }
            rest = slots[word];
        }
        return word << 6 | Long.numberOfTrailingZeros(rest);
    }

    /** Returns the first word with any slot from this one on, or -1. */
    private int nextWord(int from) {
        int block = from >>> 6;
        if (block >= words.length) {
            return -1;
        }
        long rest = words[block] & -1L << from;
        if (rest == 0) {
            block = nextBlock(block + 1);
            if (block < 0) {
                return -1;
            }
            rest = words[block];
        }
        return block << 6 | Long.numberOfTrailingZeros(rest);
    }

    private int nextBlock(int from) {
        for (int top = from >>> 6; top < blocks.length; top++) {
            long rest = top == from >>> 6 ? blocks[top] & -1L << from : blocks[top];
            if (rest != 0) {
                return top << 6 | Long.numberOfTrailingZeros(rest);
            }
        }
        return -1;
    }

    /** Returns the last slot of the set up to this one, or -1. */
    int previous(int from) {
        int word = from >>> 6;
        long rest = slots[word] & -1L >>> 63 - (from & 63);
        while (rest == 0) {
            if (--word < 0) {
                return -1;
            }
            rest = slots[word];
        }
        return word << 6 | 63 - Long.numberOfLeadingZeros(rest);
    }

    /** Returns how many slots of a range are in the set: counts words between its ends. */
    int count(SlotRange range) {
        if (range.isAllBelow(slots.length << 6)) {
            return size;
        }
        int count = 0;
        for (int i = 0; i < range.words() && range.word(i) < slots.length; i++) {
            count += Long.bitCount(slots[range.word(i)] & range.mask(i));
        }
        return count;
    }

    /** Returns the slots of a word that are below a slot, as a mask. */
    static long mask(int word, int to) {
        int bits = to - (word << 6);
        return bits >= 64 ? -1L : bits <= 0 ? 0 : (1L << bits) - 1;
    }

    /** Returns the slot of the set before which stand this many others, or -1. */
    public int select(int rank) {
        int left = rank;
        for (int word = 0; word < slots.length; word++) {
            int count = Long.bitCount(slots[word]);
            if (left < count) {
                long rest = slots[word];
                for (; left > 0; left--) {
                    rest &= rest - 1;
                }
                return word << 6 | Long.numberOfTrailingZeros(rest);
            }
            left -= count;
        }
        return -1;
    }
}
