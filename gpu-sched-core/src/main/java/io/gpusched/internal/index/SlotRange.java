package io.gpusched.internal.index;

/**
 * The slots from one up to another, and so the nodes between two places of the node order.
 *
 * @param from the first slot
 * @param to the slot after the last
 */
public record SlotRange(int from, int to) {
    /** All slots there can be. */
    public static final SlotRange EVERYWHERE = new SlotRange(0, Integer.MAX_VALUE);

    /** Returns the range of one slot. */
    public static SlotRange of(int slot) {
        return new SlotRange(slot, slot + 1);
    }

    /** Returns the part of this range before a slot. */
    public SlotRange before(int slot) {
        return new SlotRange(from, Math.min(to, slot));
    }

    /** Returns the part of this range that is in another one, too. */
    public SlotRange and(SlotRange other) {
        return new SlotRange(Math.max(from, other.from), Math.min(to, other.to));
    }

    /** Returns whether there is no slot in it. */
    public boolean isEmpty() {
        return from >= to;
    }

    /** Returns whether a slot is in it. */
    public boolean contains(int slot) {
        return from <= slot && slot < to;
    }

    /** Returns whether it is all slots. */
    public boolean isEverywhere() {
        return from == 0 && to == Integer.MAX_VALUE;
    }
}
