package io.gpusched.internal.rank;

/**
 * What going down a ranking found.
 *
 * @param slot the slot of the best node that passes a test, -1 if there is none or if that is not sure
 * @param isSure whether there is none better
 */
public record RankedSlot(int slot, boolean isSure) {
    /** No answer. */
    public static final RankedSlot UNSURE = new RankedSlot(-1, false);
}
