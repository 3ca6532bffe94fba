package io.gpusched.internal.index;

import io.gpusched.model.Node;

/** Some {@linkplain Rooms rooms}. Immutable. */
public final class RoomSet {
    private final long[] mask;

    /** The words of the mask that are not 0 are from this one up to, but not including, {@link #to}. */
    private final int from;

    private final int to;

    private RoomSet(long[] mask) {
        this.mask = mask;
        int first = 0;
        int end = mask.length;
        while (first < end && mask[first] == 0) {
            first++;
        }
        while (end > first && mask[end - 1] == 0) {
            end--;
        }
        this.from = first;
        this.to = end;
    }

    /** Returns the rooms from one up to but not including another. */
    public static RoomSet of(int from, int to) {
        long[] mask = new long[Rooms.WORDS];
        for (int room = from; room < to; room++) {
            mask[room >> 6] |= 1L << room;
        }
        return new RoomSet(mask);
    }

    /** Returns the rooms of nodes with at least this many idle GPUs. */
    public static RoomSet idleFrom(int gpus) {
        return of(Rooms.idle(gpus), Rooms.idle(Node.MAX_GPUS) + 1);
    }

    /** Returns these rooms and others. */
    public RoomSet or(RoomSet others) {
        long[] both = new long[Rooms.WORDS];
        for (int i = 0; i < both.length; i++) {
            both[i] = mask[i] | others.mask[i];
        }
        return new RoomSet(both);
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** The rooms of a word, as a mask. */
    long mask(int word) {
        return mask[word];
    }
}
