package io.gpusched.model;

import io.gpusched.internal.SummaryTree;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

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

    /** First of the two words of levels that are looked at, or -1 where levels do not matter. */
    private final int levelWord;

    /** The least level wanted. */
    private final int leastLevel;

    private Room(int lane, Resources resources, int levelWord, int leastLevel) {
        this.lane = lane;
        this.resources = resources;
        this.levelWord = levelWord;
        this.leastLevel = leastLevel;
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

    /**
     * Returns the room of a node that has a shared GPU with {@code percent} of its compute left (rounded down) or a little
     * more, up to {@link #lastComputeLevel}.
     */
    public static Room withComputeLevel(int percent, Resources resources) {
        return level(RoomFormat.computeLane(percent), RoomFormat.LEVELS_AT, percent, resources);
    }

    /**
     * Returns the room of a node that has a shared GPU with {@code percent} of its memory left (rounded down) or a little
     * more, up to {@link #lastMemoryLevel}.
     */
    public static Room withMemoryLevel(int percent, Resources resources) {
        return level(RoomFormat.memoryLane(percent), RoomFormat.LEVELS_AT + 2, percent, resources);
    }

    /** Returns the greatest level of compute that is searched together with this one, in percent. */
    public static int lastComputeLevel(int percent) {
        int last = percent;
        while (last < 100 && RoomFormat.computeLane(last + 1) == RoomFormat.computeLane(percent)) {
            last++;
        }
        return last;
    }

    /** Returns the greatest level of memory that is searched together with this one, in percent. */
    public static int lastMemoryLevel(int percent) {
        int last = percent;
        while (last < 100 && RoomFormat.memoryLane(last + 1) == RoomFormat.memoryLane(percent)) {
            last++;
        }
        return last;
    }

    private static Room level(int lane, int firstWord, int percent, Resources resources) {
        Checks.inRange("room", "percent", percent, 0, 100);
        return new Room(lane, resources, firstWord, percent);
    }

    SummaryTree.Guide<NodeState> guide(NodeClass nodeClass, Predicate<? super NodeState> wanted) {
        return new Guide(nodeClass, wanted);
    }

    Tightest tightest(NodeClass nodeClass, ToIntFunction<? super NodeState> levelOf) {
        return new Tightest(nodeClass, levelOf);
    }

    /** Finds the first node with the least level; passes by whatever cannot have a lesser one than that found last. */
    final class Tightest implements SummaryTree.Guide<NodeState> {
        private final Guide room;
        private final ToIntFunction<? super NodeState> levelOf;
        private int best = Integer.MAX_VALUE;
        private @Nullable NodeState found;

        Tightest(NodeClass nodeClass, ToIntFunction<? super NodeState> levelOf) {
            this.room = new Guide(nodeClass, any -> true);
            this.levelOf = levelOf;
        }

        @Nullable
        NodeState found() {
            return found;
        }

        @Override
        public boolean enter(long[] summary) {
            return room.enter(summary) && leastLevel(summary) < best;
        }

        @Override
        public boolean acceptKey(long key, long secondKey) {
            return room.acceptKey(key, secondKey);
        }

        @Override
        public boolean accept(NodeState leaf) {
            int level = levelOf.applyAsInt(leaf);
            if (level >= 0 && level < best) {
                best = level;
                found = leaf;
            }
            return best == leastLevel;
        }
    }

    /** The least level that occurs, from the least wanted on; more than 100 if there is none. */
    private int leastLevel(long[] summary) {
        long low = leastLevel < 64 ? summary[levelWord] >>> leastLevel : 0;
        if (low != 0) {
            return leastLevel + Long.numberOfTrailingZeros(low);
        }
        int from = Math.max(0, leastLevel - 64);
        return 64 + from + Long.numberOfTrailingZeros(summary[levelWord + 1] >>> from);
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
                    && (levelWord < 0 || leastLevel(summary) <= 100);
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
