package io.gpusched.model;

import io.gpusched.internal.tree.DeferredTree;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A kind of room that a search looks for: what a node must have at least before it is worth a closer look.
 *
 * <p>A room is a necessary condition that the cluster's tree can test for a whole subtree at once. Nodes that are
 * cordoned, full of pods or held as a whole have no room of any kind. CPU and memory count in steps of at most 1/16,000 of
 * what a node has, so a search must still compare them.
 *
 * @see Cluster#first
 */
public final class Room {
    /** The lanes of {@link RoomFormat} of which a node must be in one, as a mask over one word of them. */
    private final int word;

    private final long mask;
    private final Resources resources;

    private Room(int word, long mask, Resources resources) {
        this.word = word;
        this.mask = mask;
        this.resources = resources;
    }

    private static Room inLane(int lane, Resources resources) {
        return new Room(lane >> 6, 1L << lane, resources);
    }

    /** Returns the room of a node with this CPU and memory free, whatever its GPUs. */
    public static Room of(Resources resources) {
        return new Room(0, RoomFormat.ANY_IDLE, resources);
    }

    /**
     * Returns the room of a node with exactly this many idle GPUs; from nine on a node with nine or more also passes.
     */
    public static Room withIdleGpus(int count, Resources resources) {
        return inLane(Math.min(count, RoomFormat.MANY_IDLE), resources);
    }

    /** Returns the room of a node on which nothing runs and whose GPUs, at least one, are all healthy. */
    public static Room emptyNode(Resources resources) {
        return inLane(RoomFormat.EMPTY, resources);
    }

    /** Returns the room of a node that has a shared GPU with {@code percent} (rounded down) of its compute left. */
    public static Room withComputeLevel(int percent, Resources resources) {
        return inLane(RoomFormat.computeLane(Checks.inRange("room", "percent", percent, 0, 100)), resources);
    }

    /**
     * Returns the room of a node that has a shared GPU with {@code percent} (rounded down) of its memory left; one with as
     * much of its compute left may also pass.
     */
    public static Room withMemoryLevel(int percent, Resources resources) {
        int compute = RoomFormat.computeLane(Checks.inRange("room", "percent", percent, 0, 100));
        int memory = RoomFormat.memoryLane(percent);
        return new Room(compute >> 6, 1L << compute | 1L << memory, resources);
    }

    @Nullable
    NodeState first(
            DeferredTree<NodeState> tree, NodeClass nodeClass, int from, int to, Predicate<? super NodeState> wanted) {
        Resources capacity = nodeClass.capacity();
        if (!resources.fitsIn(capacity)) {
            return null;
        }
        long least = RoomFormat.entry(resources.cpuMillis(), resources.memoryMib(), capacity);
        return tree.first(word, mask, least, from, to, wanted);
    }
}
