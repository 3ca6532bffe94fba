package io.gpusched.model;

import io.gpusched.internal.Lanes;
import io.gpusched.internal.SummaryFormat;

/**
 * What the tree of a node class knows about the nodes below a branch.
 *
 * <p>A lane stands for a kind of room: a number of idle GPUs, a range of free levels of a shared GPU, an empty node, any
 * node. In each lane stands the greatest free CPU, and in a second set of lanes the greatest free memory, among the
 * nodes with that kind of room. So a search for "two idle GPUs and 12 cores" passes by a subtree where the one is only to
 * be had without the other. Beside them: which levels occur exactly, and the sums of idle GPUs and of empty nodes.
 */
final class RoomFormat implements SummaryFormat<NodeState> {
    /** Lanes 0..8 are that many idle GPUs, lane 9 is nine and more. */
    static final int MANY_IDLE = 9;

    private static final int COMPUTE = 10;
    private static final int MEMORY = 18;
    private static final int BUCKETS = 8;
    static final int EMPTY = 26;
    static final int ANY = 27;

    private static final int LANE_WORDS = 28 / Lanes.PER_WORD;
    static final int LEVELS_AT = 2 * LANE_WORDS;
    static final int IDLE_GPUS_AT = LEVELS_AT + 4;
    static final int EMPTY_NODES_AT = IDLE_GPUS_AT + 1;

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

    @Override
    public int maxWords() {
        return 2 * LANE_WORDS;
    }

    @Override
    public int orWords() {
        return 4;
    }

    @Override
    public int sumWords() {
        return 2;
    }

    @Override
    public void addLeaf(NodeState leaf, long[] summary) {
        RoomDigest digest = leaf.digest();
        for (int rest = digest.lanes(); rest != 0; rest &= rest - 1) {
            int lane = Integer.numberOfTrailingZeros(rest);
            int word = lane >> 2;
            summary[word] = Lanes.max(summary[word], Lanes.of(lane & 3, digest.cpu()));
            word += LANE_WORDS;
            summary[word] = Lanes.max(summary[word], Lanes.of(lane & 3, digest.memory()));
        }
        if (digest.lanes() != 0) {
            summary[LEVELS_AT] |= digest.lowCompute();
            summary[LEVELS_AT + 1] |= digest.highCompute();
            summary[LEVELS_AT + 2] |= digest.lowMemory();
            summary[LEVELS_AT + 3] |= digest.highMemory();
            summary[IDLE_GPUS_AT] += leaf.idleGpus();
            summary[EMPTY_NODES_AT] += digest.lanes() >>> EMPTY & 1;
        }
    }
}
