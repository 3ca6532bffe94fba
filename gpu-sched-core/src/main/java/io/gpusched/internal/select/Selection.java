package io.gpusched.internal.select;

import java.util.ArrayList;
import java.util.List;

/** Buckets of nodes that a pod may go to, as long as they are worth being looked at one by one. Not thread-safe. */
final class Selection {
    private final Limits limits;
    private final List<NodeBucket> buckets = new ArrayList<>(4);
    private int size;
    private boolean tooMany;

    /**
     * When to give up.
     *
     * @param nodes the most nodes in a few buckets
     * @param buckets how many buckets are few
     * @param inMany the most nodes in more buckets than that
     */
    record Limits(int nodes, int buckets, int inMany) {}

    /** Makes an empty one. */
    Selection(Limits limits) {
        this.limits = limits;
    }

    /** Adds a bucket; returns whether they are still worth it. */
    boolean add(NodeBucket bucket) {
        if (!tooMany) {
            size += bucket.size();
            buckets.add(bucket);
            tooMany = size > limits.nodes() || buckets.size() > limits.buckets() && size > limits.inMany();
        }
        return !tooMany;
    }

    /** Adds the buckets of another one; returns whether they are still worth it. */
    boolean addAll(Selection other) {
        other.buckets.forEach(this::add);
        tooMany |= other.tooMany;
        return !tooMany;
    }

    /** Whether the nodes are more than is worth it; then not all of them need be here. */
    boolean isTooMany() {
        return tooMany;
    }

    /** Gives up. */
    Selection withTooMany() {
        tooMany = true;
        return this;
    }

    /** Whether this is to be preferred to another selection. */
    boolean isBetterThan(Selection other) {
        return !tooMany && (other.tooMany || size < other.size);
    }

    /** Returns the number of nodes, of which some may count several times. */
    int size() {
        return size;
    }

    List<NodeBucket> buckets() {
        return buckets;
    }
}
