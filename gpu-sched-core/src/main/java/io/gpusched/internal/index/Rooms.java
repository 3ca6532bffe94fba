package io.gpusched.internal.index;

import io.gpusched.internal.lookahead.Tightness;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionTable;

/**
 * The kinds of room that a node may have, each the number of a capacity bucket.
 *
 * <p>A node that takes pods is in the bucket of its number of idle GPUs; in one of its number of GPUs if nothing runs on it; for
 * each shared GPU in one of the percentage that is left of its compute, and in one of the percentage of its memory if that is
 * another; and for each GPU that is cut into partitions in one of the level of what it still has room for (see
 * {@link PartitionTable#level}). One that is held as a whole or full of pods is in none.
 */
public final class Rooms {
    /** Percentages are 0..100. */
    public static final int LEVELS = 101;

    private static final int EMPTY = Node.MAX_GPUS;

    /** For each level a bucket of compute, and next to it one of memory. */
    private static final int SHARED = EMPTY + Node.MAX_GPUS + 1;

    private static final int CUT = SHARED + 2 * LEVELS;
    static final int COUNT = CUT + PartitionTable.LEVELS;
    static final int WORDS = Bitmap.above(COUNT);

    private Rooms() {}

    /** Returns the room of nodes with exactly this many idle GPUs. */
    public static int idle(int gpus) {
        return gpus;
    }

    /** Returns the room of nodes with this many GPUs, at least one, all healthy, on which nothing runs. */
    public static int empty(int gpus) {
        return EMPTY + gpus;
    }

    /** Returns the room of nodes with a shared GPU of whose compute this many percent are left, rounded down. */
    public static int compute(int level) {
        return SHARED + 2 * level;
    }

    /** Returns the room of nodes with a shared GPU of whose memory this many percent are left, but not as much of its compute. */
    public static int memory(int level) {
        return compute(level) + 1;
    }

    /** Returns the level of a room of {@link #compute} or {@link #memory}. */
    public static int level(int room) {
        return (room - SHARED) / 2;
    }

    /** Returns the room of nodes with a GPU that is cut into partitions and whose state is of this level. */
    public static int cut(int level) {
        return CUT + level;
    }

    /** Returns the rooms of nodes with a shared GPU with at least this percentage left, of compute or of memory. */
    public static RoomSet sharedFrom(int level) {
        return RoomSet.of(compute(level), CUT);
    }

    /** Returns the rooms of nodes with GPUs, all of them healthy, on which nothing runs. */
    public static RoomSet anyEmpty() {
        return RoomSet.of(empty(1), SHARED);
    }

    /** Returns the rooms of nodes with a GPU that is cut into partitions. */
    public static RoomSet anyCut() {
        return RoomSet.of(CUT, COUNT);
    }

    /** Writes the rooms of a node, as a mask over all. */
    static void write(NodeState node, long[] rooms) {
        for (int i = 0; i < WORDS; i++) {
            rooms[i] = 0;
        }
        if (node.isHeldWhole() || node.podCount() >= node.nodeClass().maxPods()) {
            return;
        }
        int idle = node.idleGpus();
        add(rooms, idle(idle));
        if (node.isEmpty() && idle > 0 && idle == node.gpuCount()) {
            add(rooms, empty(idle));
        }
        long cut = node.cutMask();
        long shared = node.sharedMask();
        if ((cut | shared) != 0) {
            addCut(node, cut, rooms);
            addShared(node, shared, rooms);
        }
    }

    private static void add(long[] rooms, int room) {
        rooms[room >> 6] |= 1L << room;
    }

    private static void addCut(NodeState node, long cut, long[] rooms) {
        for (long rest = cut; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            PartitionTable table = node.nodeClass().partitions(gpu);
            if (table != null && node.isHealthy(gpu) && !node.isWhole(gpu)) {
                add(rooms, cut(table.level(node.partitionWord(gpu))));
            }
        }
    }

    private static void addShared(NodeState node, long shared, long[] rooms) {
        int last = -1;
        for (long rest = shared; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            // many a GPU is as full as the one before, and to divide takes long
            if (node.freeSlots(gpu) > 0 && (last < 0 || !node.isInterchangeable(gpu, last))) {
                int compute = Tightness.level(node, gpu, true);
                add(rooms, compute(compute));
                if (!Tightness.isOfLevel(node, gpu, false, compute)) {
                    add(rooms, memory(Tightness.level(node, gpu, false)));
                }
                last = gpu;
            }
        }
    }
}
