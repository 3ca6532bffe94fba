package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The nodes by the {@linkplain Rooms rooms} they have; a bucket is made when the first node gets into it. Not thread-safe. */
final class CapacityBuckets {
    private final @Nullable CapacityBucket[] buckets = new CapacityBucket[Rooms.COUNT];

    /** The buckets that have any node, as a mask. */
    private final long[] used = new long[Rooms.WORDS];

    /** The {@link Amounts} that each slot has free; 0 if it has no node. */
    private final long[] amounts;

    private final long[] before = new long[Rooms.WORDS];
    private final long[] after = new long[Rooms.WORDS];

    CapacityBuckets(int capacity) {
        amounts = new long[capacity];
    }

    /** Returns what each slot has free. */
    long[] amounts() {
        return amounts;
    }

    /** Returns a bucket, or null if no node is in it. */
    @Nullable
    CapacityBucket get(int room) {
        return (used[room >> 6] >>> room & 1) == 0 ? null : buckets[room];
    }

    /** Returns the first room from one up to but not including another that any node has; -1 if there is none. */
    int next(int from, int to) {
        for (int word = from >> 6; word < used.length && word << 6 < to; word++) {
            long rest = word == from >> 6 ? used[word] & -1L << from : used[word];
            if (rest != 0) {
                int room = word << 6 | Long.numberOfTrailingZeros(rest);
                return room < to ? room : -1;
            }
        }
        return -1;
    }

    /** Returns the buckets of the rooms from one up to but not including another that any node is in. */
    CapacityBucket[] of(int from, int to) {
        CapacityBucket[] some = new CapacityBucket[to - from];
        int count = 0;
        for (int room = from; room < to; room++) {
            CapacityBucket bucket = get(room);
            if (bucket != null) {
                some[count++] = bucket;
            }
        }
        return count == some.length ? some : Arrays.copyOf(some, count);
    }

    /** Returns the buckets of some rooms that any node is in. */
    CapacityBucket[] of(RoomSet rooms) {
        int count = 0;
        for (int word = rooms.from(); word < rooms.to(); word++) {
            count += Long.bitCount(used[word] & rooms.mask(word));
        }
        CapacityBucket[] some = new CapacityBucket[count];
        for (int word = rooms.from(); word < rooms.to(); word++) {
            for (long rest = used[word] & rooms.mask(word); rest != 0; rest &= rest - 1) {
                some[--count] = buckets[word << 6 | Long.numberOfTrailingZeros(rest)];
            }
        }
        return some;
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    void changed(int slot, @Nullable NodeState was, @Nullable NodeState is) {
        write(was, before);
        write(is, after);
        long old = amounts[slot];
        long now = is == null ? 0 : Amounts.of(is.freeCpuMillis(), is.freeMemoryMib());
        amounts[slot] = now;
        for (int word = 0; word < before.length; word++) {
            for (long rest = before[word] | after[word]; rest != 0; rest &= rest - 1) {
                int room = word << 6 | Long.numberOfTrailingZeros(rest);
                boolean had = (before[word] >>> room & 1) != 0;
                boolean has = (after[word] >>> room & 1) != 0;
                if (!had) {
                    bucket(room).add(slot, now);
                } else if (!has) {
                    remove(room, slot, old);
                } else if (now != old) {
                    bucket(room).change(slot, old, amounts);
                }
            }
        }
    }

    private static void write(@Nullable NodeState node, long[] rooms) {
        if (node == null) {
            Arrays.fill(rooms, 0);
        } else {
            Rooms.write(node, rooms);
        }
    }

    private CapacityBucket bucket(int room) {
        CapacityBucket bucket = buckets[room];
        if (bucket == null) {
            bucket = new CapacityBucket(amounts.length);
            buckets[room] = bucket;
        }
        used[room >> 6] |= 1L << room;
        return bucket;
    }

    private void remove(int room, int slot, long old) {
        CapacityBucket bucket = bucket(room);
        bucket.remove(slot, old, amounts);
        if (bucket.size() == 0) {
            used[room >> 6] &= ~(1L << room);
        }
    }

    /** Throws {@link IllegalStateException} unless this is as another is that was made of the same nodes in the same slots. */
    void validate(CapacityBuckets fresh) {
        if (!Arrays.equals(used, fresh.used) || !Arrays.equals(amounts, fresh.amounts)) {
            throw new IllegalStateException("other buckets or amounts than of a fresh index");
        }
        for (int room = next(0, Rooms.COUNT); room >= 0; room = next(room + 1, Rooms.COUNT)) {
            if (!bucket(room).isSame(fresh.bucket(room))) {
                throw new IllegalStateException("bucket " + room + " is not as in a fresh index");
            }
        }
    }
}
