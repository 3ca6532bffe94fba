package io.gpusched.internal.cycle;

import io.gpusched.workload.Queue;
import io.gpusched.workload.Quota;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A queue, what it has, and what its jobs use as the cycle goes on; those of its parts included. */
final class QueueUse {
    final Queue queue;
    final @Nullable QueueUse parent;
    final int depth;
    final List<QueueUse> parts = new ArrayList<>();

    final long[] deserved;
    final long[] limit;

    /** What its running and nominated members use. */
    final long[] used;

    /** That part of it which may not be evicted. */
    final long[] fixed;

    /** What its members use and ask for. */
    final long[] requested;

    final long[] fairShare;

    /** What it may keep: what it deserves or its fair share, whatever is more, within its limit. */
    final long[] allocatable;

    final long minRuntime;

    /** What is used, may not be evicted, and is requested when a cycle starts. */
    private final long[] usedAtStart;

    private final long[] fixedAtStart;
    private final long[] requestedAtStart;

    QueueUse(Queue queue, @Nullable QueueUse parent, ResourceTable resources) {
        this.queue = queue;
        this.parent = parent;
        this.depth = parent == null ? 0 : parent.depth + 1;
        int size = resources.size();
        deserved = new long[size];
        limit = new long[size];
        used = new long[size];
        fixed = new long[size];
        requested = new long[size];
        usedAtStart = new long[size];
        fixedAtStart = new long[size];
        requestedAtStart = new long[size];
        fairShare = new long[size];
        allocatable = new long[size];
        for (int r = 0; r < size; r++) {
            Quota quota = queue.quota(resources.resource(r));
            deserved[r] = quota.deserved();
            limit[r] = quota.limit();
        }
        minRuntime = Math.max(queue.minRuntime(), parent == null ? 0 : parent.minRuntime);
    }

    String name() {
        return queue.name();
    }

    /** Adds to what is used here and in all queues above. */
    void use(long[] amounts, boolean isFixed) {
        for (QueueUse at = this; at != null; at = at.parent) {
            Vectors.add(at.used, amounts);
            if (isFixed) {
                Vectors.add(at.fixed, amounts);
            }
        }
    }

    /** Takes away from what is used here and in all queues above. */
    void release(long[] amounts, boolean isFixed) {
        for (QueueUse at = this; at != null; at = at.parent) {
            Vectors.subtract(at.used, amounts);
            if (isFixed) {
                Vectors.subtract(at.fixed, amounts);
            }
        }
    }

    /** A job comes, here and in all queues above. */
    void enter(long[] uses, long[] fixes, long[] requests) {
        for (QueueUse at = this; at != null; at = at.parent) {
            Vectors.add(at.usedAtStart, uses);
            Vectors.add(at.fixedAtStart, fixes);
            Vectors.add(at.requestedAtStart, requests);
        }
    }

    /** A job goes, here and in all queues above. */
    void leave(long[] uses, long[] fixes, long[] requests) {
        for (QueueUse at = this; at != null; at = at.parent) {
            Vectors.subtract(at.usedAtStart, uses);
            Vectors.subtract(at.fixedAtStart, fixes);
            Vectors.subtract(at.requestedAtStart, requests);
        }
    }

    /** A cycle starts. */
    void start() {
        System.arraycopy(usedAtStart, 0, used, 0, used.length);
        System.arraycopy(fixedAtStart, 0, fixed, 0, fixed.length);
        System.arraycopy(requestedAtStart, 0, requested, 0, requested.length);
    }

    /** Sets the fair share of a resource, and what the queue may keep. */
    void setFairShare(int resource, long share) {
        fairShare[resource] = share;
        allocatable[resource] = deserved[resource] == Quota.UNLIMITED
                ? limit[resource]
                : Math.min(limit[resource], Math.max(deserved[resource], share));
    }

    /** Returns whether it uses more of something than its fair share. */
    boolean isOverFairShare() {
        return !Vectors.isWithin(used, fairShare);
    }

    /** Returns whether it would use no more than it deserves with these amounts in addition. */
    boolean deserves(long[] asked) {
        return Vectors.firstAbove(used, asked, deserved) < 0;
    }

    /** The queue on the way from this one to the top that is a sibling of one on the way from the other; itself if they are one. */
    QueueUse siblingOf(QueueUse other) {
        QueueUse mine = this;
        QueueUse theirs = other;
        while (mine.depth > theirs.depth && mine.parent != null) {
            mine = mine.parent;
        }
        while (theirs.depth > mine.depth && theirs.parent != null) {
            theirs = theirs.parent;
        }
        while (mine.parent != null && mine.parent != theirs.parent) {
            mine = mine.parent;
            theirs = Objects.requireNonNull(theirs.parent, "parent");
        }
        return mine;
    }

    @Override
    public String toString() {
        return name();
    }
}
