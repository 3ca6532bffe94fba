package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparators;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Groups of nodes by a score that never changes and by their first node, which does: the highest score on top, among
 * equals the group whose first node comes first. Not thread-safe.
 */
final class RankingHeap {
    /*
     * A binary heap with lazy deletion. An entry keeps the order of its group's first node as it was when the entry was
     * pushed. A group that has lost its first node since stands too high: that is found out when it comes to the top, where
     * it is put right or dropped. A group that has got an earlier first node is pushed again. So each entry stands at least
     * as high as it should, or there is another one of its group that does; a top that is as it should be is the best.
     *
     * Once there are twice as many entries as at the last clean-up, the useless ones are dropped, in linear time. To bound
     * its size the heap can also drop the lowest entries that count; it keeps the place of the highest dropped one, its
     * floor. What ranks below the floor is not known here.
     */
    private static final int LEAST_CLEANUP = 64;

    private final NodeGroups all;
    private long[] scores = new long[4];
    private long[] orders = new long[4];
    private NodeGroup[] groups = new NodeGroup[4];
    private int size;
    private int cleanupAt = LEAST_CLEANUP;

    private boolean hasFloor;
    private long floorScore;
    private long floorOrder;

    /** Makes an empty heap for some of these groups. */
    RankingHeap(NodeGroups all) {
        this.all = all;
    }

    /** Adds a group that has nodes; below the floor it is ignored. */
    void push(long score, NodeGroup group) {
        long order = NodeAccess.order(Objects.requireNonNull(group.first()));
        if (hasFloor && !ranksBefore(score, order, floorScore, floorOrder)) {
            return;
        }
        if (size >= cleanupAt) {
            cleanUp();
        }
        if (size == scores.length) {
            resize(size + (size >> 1) + 4);
        }
        size++;
        siftUp(size - 1, score, order, group);
    }

    private static boolean ranksBefore(long score, long order, long otherScore, long otherOrder) {
        return score > otherScore || score == otherScore && order < otherOrder;
    }

    /** Returns the first node of the best group, null if no group is left that ranks above the floor; amortised O(log n). */
    @Nullable
    NodeState top() {
        while (size > 0) {
            NodeState first = groups[0].first();
            if (first != null && NodeAccess.order(first) == orders[0]) {
                boolean known = !hasFloor || ranksBefore(scores[0], orders[0], floorScore, floorOrder);
                return known ? first : null;
            }
            if (first == null) {
                pop();
            } else {
                siftDown(0, scores[0], NodeAccess.order(first), groups[0]);
            }
        }
        return null;
    }

    /** Returns the score of the top, which must be there. */
    long topScore() {
        return scores[0];
    }

    /** Returns the score of an entry. */
    long score(int at) {
        return scores[at];
    }

    /** Returns the order that the first node of an entry's group had when it was pushed. */
    long order(int at) {
        return orders[at];
    }

    /** Returns the group of an entry. Those of {@code 2 * at + 1} and {@code 2 * at + 2} rank no higher. */
    NodeGroup group(int at) {
        return groups[at];
    }

    /** Removes the top, which must be there, and returns its group. */
    NodeGroup pop() {
        NodeGroup top = groups[0];
        size--;
        NodeGroup last = groups[size];
        if (size > 0) {
            siftDown(0, scores[size], orders[size], last);
        }
        return top;
    }

    /** Whether it is empty, and nothing was dropped. */
    boolean isUseless() {
        return size == 0 && !hasFloor;
    }

    /** Whether entries were dropped that count. */
    boolean hasFloor() {
        return hasFloor;
    }

    /** Returns the score of the best entry that was dropped. */
    long floorScore() {
        return floorScore;
    }

    /** Returns the order of the first node of the best entry that was dropped, as it was then. */
    long floorOrder() {
        return floorOrder;
    }

    int size() {
        return size;
    }

    /**
     * Puts entries to the place of their group's first node as it is now, which must be no higher; those of groups without
     * nodes go below all others.
     *
     * @param entries where they stand; sorted by this
     */
    void lower(IntArrayList entries) {
        // from the last on, so that what moves up was looked at, and no other of them moves before its turn
        entries.sort(IntComparators.OPPOSITE_COMPARATOR);
        for (int i = 0; i < entries.size(); i++) {
            int at = entries.getInt(i);
            NodeState first = groups[at].first();
            if (first == null) {
                siftDown(at, Long.MIN_VALUE, Long.MAX_VALUE, groups[at]);
            } else {
                siftDown(at, scores[at], NodeAccess.order(first), groups[at]);
            }
        }
    }

    /** Drops the lowest entries, all but so many; at least 1 is kept. */
    void trim(int most) {
        cleanUp();
        if (size <= most) {
            return;
        }
        int kept = Math.max(1, most);
        RankingHeap best = new RankingHeap(all);
        best.resize(kept);
        for (int at = 0; at < kept; at++) {
            best.scores[at] = scores[0];
            best.orders[at] = orders[0];
            best.groups[at] = pop();
        }
        raiseFloor(scores[0], orders[0]);
        scores = best.scores;
        orders = best.orders;
        groups = best.groups;
        size = kept;
        cleanupAt = Math.max(LEAST_CLEANUP, 2 * size);
    }

    private void raiseFloor(long score, long order) {
        if (!hasFloor || ranksBefore(score, order, floorScore, floorOrder)) {
            hasFloor = true;
            floorScore = score;
            floorOrder = order;
        }
    }

    /** Drops the entries of groups without nodes and all but one of each other group, and puts all in order. */
    private void cleanUp() {
        long mark = all.nextMark();
        int kept = 0;
        for (int at = 0; at < size; at++) {
            NodeState first = groups[at].first();
            if (first != null && groups[at].visit(mark)) {
                scores[kept] = scores[at];
                orders[kept] = NodeAccess.order(first);
                groups[kept] = groups[at];
                kept++;
            }
        }
        size = kept;
        resize(kept + (kept >> 1) + 4);
        for (int at = (size >> 1) - 1; at >= 0; at--) {
            siftDown(at, scores[at], orders[at], groups[at]);
        }
        cleanupAt = Math.max(LEAST_CLEANUP, 2 * size);
    }

    private void resize(int length) {
        scores = Arrays.copyOf(scores, length);
        orders = Arrays.copyOf(orders, length);
        groups = Arrays.copyOf(groups, length);
    }

    private void siftUp(int from, long score, long order, NodeGroup group) {
        int at = from;
        while (at > 0) {
            int parent = (at - 1) >> 1;
            if (!ranksBefore(score, order, scores[parent], orders[parent])) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        set(at, score, order, group);
    }

    private void siftDown(int from, long score, long order, NodeGroup group) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && ranksBefore(scores[child + 1], orders[child + 1], scores[child], orders[child])) {
                child++;
            }
            if (!ranksBefore(scores[child], orders[child], score, order)) {
                break;
            }
            move(child, at);
            at = child;
        }
        set(at, score, order, group);
    }

    private void move(int from, int to) {
        set(to, scores[from], orders[from], groups[from]);
    }

    private void set(int at, long score, long order, NodeGroup group) {
        scores[at] = score;
        orders[at] = order;
        groups[at] = group;
    }
}
