package io.gpusched.internal.index;

import io.gpusched.model.Node;

/** Some {@linkplain Rooms rooms}. Immutable. */
public final class RoomSet {
    private final long[] mask = new long[Rooms.WORDS];

    private RoomSet() {}

    /** Returns the rooms from one up to but not including another. */
    public static RoomSet of(int from, int to) {
        RoomSet rooms = new RoomSet();
        for (int room = from; room < to; room++) {
            rooms.mask[room >> 6] |= 1L << room;
        }
        return rooms;
    }

    /** Returns one room. */
    public static RoomSet of(int room) {
        return of(room, room + 1);
    }

    /** Returns the rooms of nodes with at least this many idle GPUs. */
    public static RoomSet idleFrom(int gpus) {
        return of(Rooms.idle(gpus), Rooms.idle(Node.MAX_GPUS) + 1);
    }

    /** Returns these rooms and others. */
    public RoomSet or(RoomSet others) {
        RoomSet rooms = new RoomSet();
        for (int i = 0; i < mask.length; i++) {
            rooms.mask[i] = mask[i] | others.mask[i];
        }
        return rooms;
    }

    long mask(int word) {
        return mask[word];
    }
}
