package io.gpusched.model;

import io.gpusched.internal.Lanes;
import io.gpusched.internal.SummaryFormat;

/**
 * What the tree of a node class knows about the nodes below a branch.
 *
 * <p>A lane stands for a kind of room: a number of idle GPUs, a range of free levels of a shared GPU, an empty node, any
 * node. In each lane stands the greatest free CPU, and in a second set of lanes the greatest free memory, among the
 * nodes with that kind of room. So a search for "two idle GPUs and 12 cores" passes by a subtree where the one is only to
 * be had without the other. Beside them: the sums of idle GPUs and of empty nodes, and which levels occur exactly.
 */
final class RoomFormat implements SummaryFormat<NodeState> {
    /** Lanes 0..8 are that many idle GPUs, lane 9 is nine and more. */
    static final int MANY_IDLE = 9;

    private static final int COMPUTE = 10;
    private static final int MEMORY = 14;
    private static final int BUCKETS = 4;
    static final int EMPTY = 18;
    static final int ANY = 19;

    private static final int LANE_WORDS = 20 / Lanes.PER_WORD;
    static final int IDLE_GPUS_AT = 2 * LANE_WORDS;
    static final int EMPTY_NODES_AT = IDLE_GPUS_AT + 1;
    static final int LEVELS_AT = EMPTY_NODES_AT + 1;

    /*
     * A key: bits 0..19 the lanes, 20..26 idle GPUs, 27..41 free CPU and 42..56 free memory in the steps of the class,
     * plus 1. All bits are 0 where nothing may be placed.
     */
    private static final int IDLE_SHIFT = 20;
    private static final int CPU_SHIFT = 27;
    private static final int MEMORY_SHIFT = 42;

    static final RoomFormat INSTANCE = new RoomFormat();

    private RoomFormat() {}

    /** The lane value of a free amount on nodes of this capacity: 1..32,767, never less for more. */
    static int lane(long free, long capacity) {
        long step = capacity / (Lanes.MAX - 2) + 1;
        return (int) (free / step) + 1;
    }

    static int computeLane(int level) {
        return COMPUTE + level * BUCKETS / 101;
    }

    static int memoryLane(int level) {
        return MEMORY + level * BUCKETS / 101;
    }

    static int cpu(long[] summary, int lane) {
        return Lanes.get(summary[lane >> 2], lane & 3);
    }

    static int memory(long[] summary, int lane) {
        return Lanes.get(summary[LANE_WORDS + (lane >> 2)], lane & 3);
    }

    static boolean hasLane(long key, int lane) {
        return (key >>> lane & 1) != 0;
    }

    static int cpu(long key) {
        return (int) (key >>> CPU_SHIFT) & Lanes.MAX;
    }

    static int memory(long key) {
        return (int) (key >>> MEMORY_SHIFT) & Lanes.MAX;
    }

    @Override
    public int maxWords() {
        return 2 * LANE_WORDS;
    }

    @Override
    public int sumWords() {
        return 2;
    }

    @Override
    public int orWords() {
        return 4;
    }

    @Override
    public long key(NodeState node) {
        if (node.isClosed()) {
            return 0;
        }
        int idle = node.idleGpus();
        long lanes = 1L << ANY | 1L << Math.min(idle, MANY_IDLE);
        if (node.isEmpty() && idle > 0 && idle == node.gpuCount()) {
            lanes |= 1L << EMPTY;
        }
        SharedLevels levels = node.levels();
        lanes |= levels.lanes();
        Resources capacity = node.nodeClass().capacity();
        return lanes
                | (long) idle << IDLE_SHIFT
                | (long) lane(node.freeCpuMillis(), capacity.cpuMillis()) << CPU_SHIFT
                | (long) lane(node.freeMemoryMib(), capacity.memoryMib()) << MEMORY_SHIFT;
    }

    @Override
    public void addKey(long key, long[] summary) {
        int cpu = cpu(key);
        int memory = memory(key);
        for (int rest = (int) key & 0xF_FFFF; rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int word = lane >> 2;
            summary[word] = Lanes.max(summary[word], Lanes.of(lane & 3, cpu));
            word += LANE_WORDS;
            summary[word] = Lanes.max(summary[word], Lanes.of(lane & 3, memory));
        }
        summary[IDLE_GPUS_AT] += key >>> IDLE_SHIFT & 0x7F;
        summary[EMPTY_NODES_AT] += key >>> EMPTY & 1;
    }

    @Override
    public long orWord(NodeState leaf, int word) {
        return leaf.isClosed() ? 0 : leaf.levels().word(word);
    }
}
