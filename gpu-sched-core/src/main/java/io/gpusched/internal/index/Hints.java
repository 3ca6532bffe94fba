package io.gpusched.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.IntPredicate;

/**
 * Where things may be: pairs of a hash and a value, which are added and never removed.
 *
 * <p>A pair too many does no harm, for whoever looks something up tests what is found. So any number of versions of what is
 * indexed can share one table though each knows of other things: a version finds all that was added on the way to it. What
 * is added has to find room: where too many look the same, or three quarters of the table are taken, it is refused, once and
 * for all versions. Thread-safe without locks.
 */
public final class Hints {
    /** A slot is 0, or a one, then as much of the hash as there is room for, then the value. */
    private static final int TAKEN = 1 << 31;

    /** How many values that look the same are taken. */
    private static final int CROWD = 4;

    /** How many slots a pair may be away from where it belongs. */
    private static final int REACH = 64;

    private static final int LEAST = 64;
    private static final int MOST = 1 << 28;

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle TAKEN_SLOTS;

    static {
        try {
            TAKEN_SLOTS = MethodHandles.lookup().findVarHandle(Hints.class, "takenSlots", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int[] slots;
    private final int shift;
    private final int valueBits;

    private int takenSlots;

    private Hints(int slots, int valueBits) {
        this.slots = new int[slots];
        this.shift = Integer.numberOfLeadingZeros(slots) + 1;
        this.valueBits = valueBits;
    }

    /**
     * Returns a table with room for a few times as many pairs as expected.
     *
     * @param values values are in 0..values - 1
     */
    public static Hints of(int values, int expected) {
        int needed = (int) Math.min(MOST, Math.max(LEAST, 4L * expected));
        int bits = Integer.SIZE - Integer.numberOfLeadingZeros(Math.max(0, values - 1));
        return new Hints(Integer.highestOneBit(needed * 2 - 1), bits);
    }

    private int mostTaken() {
        return slots.length / 4 * 3;
    }

    private int home(long hash) {
        return (int) (hash >>> 32) >>> shift;
    }

    private int pair(long hash, int value) {
        return TAKEN | (int) hash << valueBits | value;
    }

    private boolean looksLike(int pair, int other) {
        return (pair ^ other) >>> valueBits == 0;
    }

    /** Adds a pair and returns true, or returns false if there is no room for it. */
    public boolean add(long hash, int value) {
        int pair = pair(hash, value);
        while (true) {
            int at = place(hash, pair);
            if (at < 0 || slots[at] == pair) {
                return at >= 0;
            }
            if ((int) TAKEN_SLOTS.getOpaque(this) >= mostTaken()) {
                return false;
            }
            if (SLOT.compareAndSet(slots, at, 0, pair)) {
                TAKEN_SLOTS.getAndAdd(this, 1);
                return true;
            }
        }
    }

    /** Does what {@link #add} does in a table that nobody else knows yet: many in a row need not wait for each other. */
    public boolean addFirst(long hash, int value) {
        int pair = pair(hash, value);
        int at = place(hash, pair);
        if (at < 0 || slots[at] == pair) {
            return at >= 0;
        }
        if (takenSlots >= mostTaken()) {
            return false;
        }
        slots[at] = pair;
        takenSlots++;
        return true;
    }

    /** Whether a pair was added; one that was refused was not. */
    public boolean has(long hash, int value) {
        int pair = pair(hash, value);
        int at = place(hash, pair);
        return at >= 0 && slots[at] == pair;
    }

    /** Where a pair stands, or is to stand if that slot is free; -1 if others are in its way, who will stay there. */
    private int place(long hash, int pair) {
        int crowd = 0;
        int at = home(hash);
        for (int i = 0; i < REACH; i++) {
            // whoever relies on a pair that another thread added passes on what that thread did
            int slot = (int) SLOT.getAcquire(slots, at);
            if (slot == 0 || slot == pair) {
                return at;
            }
            if (looksLike(slot, pair) && ++crowd == CROWD) {
                return -1;
            }
            at = at + 1 & slots.length - 1;
        }
        return -1;
    }

    /** Returns a value that may belong to this hash and that the predicate takes, or -1. */
    public int find(long hash, IntPredicate wanted) {
        int pair = pair(hash, 0);
        int at = home(hash);
        for (int i = 0; i < REACH; i++) {
            int slot = slots[at];
            if (slot == 0) {
                return -1;
            }
            if (looksLike(slot, pair)) {
                int value = slot & (1 << valueBits) - 1;
                if (wanted.test(value)) {
                    return value;
                }
            }
            at = at + 1 & slots.length - 1;
        }
        return -1;
    }
}
