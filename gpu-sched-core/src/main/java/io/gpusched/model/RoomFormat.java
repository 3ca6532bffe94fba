package io.gpusched.model;

import io.gpusched.internal.Lanes;
import io.gpusched.internal.SummaryFormat;

/**
 * What the tree of a node class knows about the nodes below a branch.
 *
 * <p>A lane stands for a kind of room: a number of idle GPUs, a range of free levels of a shared GPU, an empty node, any
 * node. In each lane stands the greatest free CPU among the nodes with that kind of room; for the kinds that do not look at
 * shared GPUs, in a second set of lanes the greatest free memory; and in a third the greatest amount that is free of both
 * (the lesser of the two, each as a part of what a node has). So a search for "two idle GPUs and 12 cores" passes by a
 * subtree where the one is only to be had without the other, and a search for cores and memory one where some nodes have
 * cores left and others memory. Beside them: the sums of idle GPUs and of empty nodes, and which levels occur exactly.
 */
final class RoomFormat implements SummaryFormat<NodeState> {
    /** Lanes 0..8 are that many idle GPUs, lane 9 is nine and more. */
    static final int MANY_IDLE = 9;

    static final int EMPTY = 10;
    static final int ANY = 11;

    /** Lanes up to here also have a lane of memory. */
    private static final int BASE_LANES = 12;

    private static final int MEMORY = 12;
    private static final int MEMORY_BUCKETS = 8;
    private static final int COMPUTE = 20;
    private static final int COMPUTE_BUCKETS = 44;

    private static final int CPU_WORDS = (COMPUTE + COMPUTE_BUCKETS) / Lanes.PER_WORD;
    private static final int MEMORY_WORDS = BASE_LANES / Lanes.PER_WORD;
    private static final int BOTH_AT = CPU_WORDS + MEMORY_WORDS;
    static final int IDLE_GPUS_AT = BOTH_AT + CPU_WORDS;
    static final int EMPTY_NODES_AT = IDLE_GPUS_AT + 1;
    static final int LEVELS_AT = EMPTY_NODES_AT + 1;

    /*
     * The first word of a key: bits 0..11 the base lanes, 20..26 idle GPUs, 27..41 free CPU and 42..56 free memory in the
     * steps of the class, plus 1. The second: the lanes of shared GPUs, by number. All bits are 0 where nothing may be
     * placed.
     */
    private static final long BASE_MASK = (1L << BASE_LANES) - 1;
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
        return COMPUTE + level * COMPUTE_BUCKETS / 101;
    }

    static int memoryLane(int level) {
        return MEMORY + level * MEMORY_BUCKETS / 101;
    }

    static int cpu(long[] summary, int lane) {
        return Lanes.get(summary[lane >> 2], lane & 3);
    }

    static int memory(long[] summary, int lane) {
        return Lanes.get(summary[CPU_WORDS + (lane >> 2)], lane & 3);
    }

    /** The greatest amount that one node has free of CPU and memory alike. */
    static int both(long[] summary, int lane) {
        return Lanes.get(summary[BOTH_AT + (lane >> 2)], lane & 3);
    }

    static boolean hasMemoryLane(int lane) {
        return lane < BASE_LANES;
    }

    static boolean hasLane(long key, long secondKey, int lane) {
        return ((lane < BASE_LANES ? key : secondKey) >>> lane & 1) != 0;
    }

    static int cpu(long key) {
        return (int) (key >>> CPU_SHIFT) & Lanes.MAX;
    }

    static int memory(long key) {
        return (int) (key >>> MEMORY_SHIFT) & Lanes.MAX;
    }

    @Override
    public int maxWords() {
        return IDLE_GPUS_AT;
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
        Resources capacity = node.nodeClass().capacity();
        return lanes
                | (long) idle << IDLE_SHIFT
                | (long) lane(node.freeCpuMillis(), capacity.cpuMillis()) << CPU_SHIFT
                | (long) lane(node.freeMemoryMib(), capacity.memoryMib()) << MEMORY_SHIFT;
    }

    @Override
    public long secondKey(NodeState node) {
        return node.isClosed() ? 0 : node.levels().lanes();
    }

    @Override
    public void addKey(long key, long secondKey, long[] summary) {
        int cpu = cpu(key);
        int memory = memory(key);
        int both = Math.min(cpu, memory);
        for (long rest = key & BASE_MASK | secondKey; rest != 0; rest &= rest - 1) {
            int lane = Long.numberOfTrailingZeros(rest);
            int word = lane >> 2;
            summary[word] = Lanes.max(summary[word], Lanes.of(lane & 3, cpu));
            summary[BOTH_AT + word] = Lanes.max(summary[BOTH_AT + word], Lanes.of(lane & 3, both));
            if (hasMemoryLane(lane)) {
                summary[CPU_WORDS + word] = Lanes.max(summary[CPU_WORDS + word], Lanes.of(lane & 3, memory));
            }
        }
        summary[IDLE_GPUS_AT] += sumOfKey(key, secondKey, 0);
        summary[EMPTY_NODES_AT] += sumOfKey(key, secondKey, 1);
    }

    @Override
    public long sumOfKey(long key, long secondKey, int word) {
        return word == 0 ? key >>> IDLE_SHIFT & 0x7F : key >>> EMPTY & 1;
    }

    @Override
    public long orWord(NodeState leaf, int word) {
        return leaf.isClosed() ? 0 : leaf.levels().word(word);
    }
}
