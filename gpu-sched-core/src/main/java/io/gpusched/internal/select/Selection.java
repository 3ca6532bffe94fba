package io.gpusched.internal.select;

import java.util.ArrayList;
import java.util.List;

/** Buckets of nodes that a pod may go to, as long as they hold few nodes. Not thread-safe. */
final class Selection {
    private final int most;
    private final List<NodeBucket> buckets = new ArrayList<>(4);
    private int size;

    /** Makes an empty one, that gives up once there are more nodes than this. */
    Selection(int most) {
        this.most = most;
    }

    /** Adds a bucket; returns whether the nodes are still few. */
    boolean add(NodeBucket bucket) {
        size += bucket.size();
        buckets.add(bucket);
        return isFew();
    }

    /** Adds the buckets of another one that is few; returns whether the nodes are still few. */
    boolean addAll(Selection other) {
        size += other.size;
        buckets.addAll(other.buckets);
        return isFew();
    }

    /** Whether there are no more nodes than allowed; else not all of them need be here. */
    boolean isFew() {
        return size <= most;
    }

    /** Gives up: there are more nodes than allowed. */
    Selection withTooMany() {
        size = Integer.MAX_VALUE;
        return this;
    }

    /** Returns the number of nodes, of which some may count several times. */
    int size() {
        return size;
    }

    List<NodeBucket> buckets() {
        return buckets;
    }
}
