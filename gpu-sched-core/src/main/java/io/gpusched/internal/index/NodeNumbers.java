package io.gpusched.internal.index;

import org.jspecify.annotations.Nullable;

/**
 * The nodes of a snapshot by number. A node keeps its number from when it joins until it leaves, whatever else of it changes;
 * numbers of nodes that left are given to others. Immutable and thread-safe; a change costs O(log n).
 */
final class NodeNumbers {
    static final NodeNumbers EMPTY = new NodeNumbers(PersistentVector.empty(), null, 0);

    private final PersistentVector<NodeLocation> locations;

    /** Numbers that no node has any more. */
    private final @Nullable Free free;

    /** The first number that no node ever had. */
    private final int next;

    private NodeNumbers(PersistentVector<NodeLocation> locations, @Nullable Free free, int next) {
        this.locations = locations;
        this.free = free;
        this.next = next;
    }

    private record Free(int number, @Nullable Free others) {}

    /** Returns the numbers of these nodes, of which each has its index. */
    static NodeNumbers of(NodeLocation[] locations) {
        return new NodeNumbers(PersistentVector.of(locations), null, locations.length);
    }

    /** Returns the node of this number, or null. */
    @Nullable
    NodeLocation at(int number) {
        return locations.get(number);
    }

    /** Returns a number that no node has. */
    int unused() {
        return free == null ? next : free.number;
    }

    /** Returns this with a node under its number, which is {@link #unused} or has been its own. */
    NodeNumbers with(NodeLocation location) {
        int number = location.number();
        boolean isNew = number == unused();
        return new NodeNumbers(
                locations.with(number, location),
                isNew && free != null ? free.others : free,
                isNew && free == null ? next + 1 : next);
    }

    /** Returns this without a node. */
    NodeNumbers without(NodeLocation location) {
        return new NodeNumbers(locations.with(location.number(), null), new Free(location.number(), free), next);
    }
}
