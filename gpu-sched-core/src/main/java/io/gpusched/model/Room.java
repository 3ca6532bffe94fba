package io.gpusched.model;

import io.gpusched.internal.SummaryTree;
import java.util.function.Predicate;

/**
 * A kind of room that a search looks for: what a node must have at least before it is worth a closer look.
 *
 * <p>A room is a necessary condition that the cluster's tree can test for a whole subtree at once. Nodes that are
 * cordoned, full of pods or held as a whole have no room of any kind. Of a level only the range it lies in is
 * sure to be met by the node itself; a search must look at its GPUs.
 *
 * @see Cluster#first
 */
public final class Room {
    private final int lane;
    private final Resources resources;

    /** Word of the levels and bit in it, or -1 where no exact level is asked for. */
    private final int levelWord;

    private final long levelBit;

    private Room(int lane, Resources resources, int levelWord, long levelBit) {
        this.lane = lane;
        this.resources = resources;
        this.levelWord = levelWord;
        this.levelBit = levelBit;
    }

    /** Returns the room of a node with this CPU and memory free, whatever its GPUs. */
    public static Room of(Resources resources) {
        return new Room(RoomFormat.ANY, resources, -1, 0);
    }

    /**
     * Returns the room of a node with exactly this many idle GPUs; from nine on a node with nine or more also passes.
     */
    public static Room withIdleGpus(int count, Resources resources) {
        return new Room(Math.min(count, RoomFormat.MANY_IDLE), resources, -1, 0);
    }

    /** Returns the room of a node on which nothing runs and whose GPUs, at least one, are all healthy. */
    public static Room emptyNode(Resources resources) {
        return new Room(RoomFormat.EMPTY, resources, -1, 0);
    }

    /** Returns the room of a node that has a shared GPU with {@code percent} (rounded down) of its compute left. */
    public static Room withComputeLevel(int percent, Resources resources) {
        return level(RoomFormat.computeLane(percent), RoomFormat.LEVELS_AT, percent, resources);
    }

    /** Returns the room of a node that has a shared GPU with {@code percent} (rounded down) of its memory left. */
    public static Room withMemoryLevel(int percent, Resources resources) {
        return level(RoomFormat.memoryLane(percent), RoomFormat.LEVELS_AT + 2, percent, resources);
    }

    private static Room level(int lane, int firstWord, int percent, Resources resources) {
        Checks.inRange("room", "percent", percent, 0, 100);
        return new Room(lane, resources, firstWord + (percent >> 6), 1L << (percent & 63));
    }

    SummaryTree.Guide<NodeState> guide(NodeClass nodeClass, Predicate<? super NodeState> wanted) {
        return new Guide(nodeClass, wanted);
    }

    private final class Guide implements SummaryTree.Guide<NodeState> {
        private final int cpu;
        private final int memory;
        private final int both;
        private final Predicate<? super NodeState> wanted;

        Guide(NodeClass nodeClass, Predicate<? super NodeState> wanted) {
            Resources capacity = nodeClass.capacity();
            boolean possible = resources.fitsIn(capacity);
            this.cpu = possible ? RoomFormat.lane(resources.cpuMillis(), capacity.cpuMillis()) : Integer.MAX_VALUE;
            this.memory = RoomFormat.lane(resources.memoryMib(), capacity.memoryMib());
            this.both = Math.min(cpu, memory);
            this.wanted = wanted;
        }

        @Override
        public boolean enter(long[] summary) {
            return RoomFormat.cpu(summary, lane) >= cpu
                    && RoomFormat.both(summary, lane) >= both
                    && RoomFormat.memory(summary, RoomFormat.hasMemoryLane(lane) ? lane : RoomFormat.ANY) >= memory
                    && (levelWord < 0 || (summary[levelWord] & levelBit) != 0);
        }

        @Override
        public boolean acceptKey(long key, long secondKey) {
            return RoomFormat.hasLane(key, secondKey, lane)
                    && RoomFormat.cpu(key) >= cpu
                    && RoomFormat.memory(key) >= memory;
        }

        @Override
        public boolean accept(NodeState leaf) {
            return wanted.test(leaf);
        }
    }
}
