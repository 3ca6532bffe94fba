package io.gpusched.internal.rank;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntComparators;
import java.util.Arrays;

/**
 * Groups of nodes by a score that never changes and by their first slot, which does: the highest score on top, among
 * equals the group whose first slot comes first. Not thread-safe.
 */
final class RankingHeap {
    /*
     * A binary heap with lazy deletion. An entry keeps the first slot of its group as it was when the entry was pushed. A
     * group that has lost its first node since stands too high: that is found out when it comes to the top, where it is put
     * right or dropped. A group that has got an earlier first node is pushed again. So each entry stands at least as high
     * as it should, or there is another one of its group that does; a top that is as it should be is the best.
     *
     * Once there are twice as many entries as at the last clean-up, the useless ones are dropped, in linear time. To bound
     * its size the heap can also drop the lowest entries that count; it keeps the place of the highest dropped one, its
     * floor. What ranks below the floor is not known here.
     */
    private static final int LEAST_CLEANUP = 64;

    private final NodeGroups all;
    private long[] scores = new long[4];
    private int[] slots = new int[4];
    private NodeGroup[] groups = new NodeGroup[4];
    private int size;
    private int cleanupAt = LEAST_CLEANUP;

    private long floorScore = Long.MIN_VALUE;
    private int floorSlot = NodeGroup.NONE;

    /** Makes an empty heap for some of these groups. */
    RankingHeap(NodeGroups all) {
        this.all = all;
    }

    /** Adds a group that has nodes; below the floor it is ignored. */
    void push(long score, NodeGroup group) {
        int slot = group.first();
        if (!isKnown(score, slot)) {
            return;
        }
        if (size >= cleanupAt) {
            cleanUp();
        }
        if (size == scores.length) {
            resize(size + (size >> 1) + 4);
        }
        size++;
        siftUp(score, slot, group);
    }

    static boolean ranksBefore(long score, int slot, long otherScore, int otherSlot) {
        return score > otherScore || score == otherScore && slot < otherSlot;
    }

    private boolean isKnown(long score, int slot) {
        return ranksBefore(score, slot, floorScore, floorSlot);
    }

    /**
     * Returns the first slot of the best group, {@link NodeGroup#NONE} if no group is left that ranks above the floor; amortised
     * O(log n).
     */
    int top() {
        while (size > 0) {
            int first = groups[0].first();
            if (first == slots[0]) {
                return isKnown(scores[0], first) ? first : NodeGroup.NONE;
            }
            if (first == NodeGroup.NONE) {
                pop();
            } else {
                siftDown(0, scores[0], first, groups[0]);
            }
        }
        return NodeGroup.NONE;
    }

    /** Returns the score of an entry; entry 0 is the top. */
    long score(int at) {
        return scores[at];
    }

    /** Returns the first slot that an entry's group had when it was pushed. */
    int slot(int at) {
        return slots[at];
    }

    /** Returns the group of an entry. Those of {@code 2 * at + 1} and {@code 2 * at + 2} rank no higher. */
    NodeGroup group(int at) {
        return groups[at];
    }

    private void pop() {
        size--;
        siftDown(0, scores[size], slots[size], groups[size]);
    }

    /** Whether it is empty, and nothing was dropped. */
    boolean isUseless() {
        return size == 0 && !hasFloor();
    }

    /** Whether entries were dropped that count. */
    boolean hasFloor() {
        return floorSlot != NodeGroup.NONE;
    }

    /** Returns the score of the best entry that was dropped. */
    long floorScore() {
        return floorScore;
    }

    /** Returns the first slot that the group of the best entry that was dropped had then. */
    int floorSlot() {
        return floorSlot;
    }

    int size() {
        return size;
    }

    /**
     * Puts entries to the place of their group's first slot as it is now, which must be no higher; those of groups without
     * nodes go below all others.
     *
     * @param entries where they stand; sorted by this
     */
    void lower(IntArrayList entries) {
        // from the last on, so that what moves up was looked at, and no other of them moves before its turn
        entries.sort(IntComparators.OPPOSITE_COMPARATOR);
        for (int i = 0; i < entries.size(); i++) {
            int at = entries.getInt(i);
            NodeGroup group = groups[at];
            siftDown(at, group.isEmpty() ? Long.MIN_VALUE : scores[at], group.first(), group);
        }
    }

    /** Drops the lowest entries, all but so many; at least 1 is kept. */
    void trim(int most) {
        cleanUp();
        if (size <= most) {
            return;
        }
        RankingHeap best = new RankingHeap(all);
        while (best.size < Math.max(1, most)) {
            best.push(scores[0], groups[0]);
            pop();
        }
        if (isKnown(scores[0], slots[0])) {
            floorScore = scores[0];
            floorSlot = slots[0];
        }
        scores = best.scores;
        slots = best.slots;
        groups = best.groups;
        size = best.size;
        cleanupAt = Math.max(LEAST_CLEANUP, 2 * size);
    }

    /** Drops the entries of groups without nodes and all but one of each other group, and puts all in order. */
    private void cleanUp() {
        long mark = all.nextMark();
        int kept = 0;
        for (int at = 0; at < size; at++) {
            if (!groups[at].isEmpty() && groups[at].visit(mark)) {
                set(kept++, scores[at], groups[at].first(), groups[at]);
            }
        }
        size = kept;
        resize(kept + (kept >> 1) + 4);
        for (int at = (size >> 1) - 1; at >= 0; at--) {
            siftDown(at, scores[at], slots[at], groups[at]);
        }
        cleanupAt = Math.max(LEAST_CLEANUP, 2 * size);
    }

    private void resize(int length) {
        scores = Arrays.copyOf(scores, length);
        slots = Arrays.copyOf(slots, length);
        groups = Arrays.copyOf(groups, length);
    }

    private void siftUp(long score, int slot, NodeGroup group) {
        int at = size - 1;
        while (at > 0) {
            int parent = (at - 1) >> 1;
            if (!ranksBefore(score, slot, scores[parent], slots[parent])) {
                break;
            }
            set(at, scores[parent], slots[parent], groups[parent]);
            at = parent;
        }
        set(at, score, slot, group);
    }

    private void siftDown(int from, long score, int slot, NodeGroup group) {
        int at = from;
        for (int child = 2 * at + 1; child < size; child = 2 * at + 1) {
            if (child + 1 < size && ranksBefore(scores[child + 1], slots[child + 1], scores[child], slots[child])) {
                child++;
            }
            if (!ranksBefore(scores[child], slots[child], score, slot)) {
                break;
            }
            set(at, scores[child], slots[child], groups[child]);
            at = child;
        }
        set(at, score, slot, group);
    }

    private void set(int at, long score, int slot, NodeGroup group) {
        scores[at] = score;
        slots[at] = slot;
        groups[at] = group;
    }
}
