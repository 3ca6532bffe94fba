package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Goes through the nodes of a ranking from the best on until one passes a test. What it finds to stand too high is noted, and
 * put right when it is {@linkplain #finish finished}. Not thread-safe.
 */
final class RankingWalk {
    /*
     * The entries of a heap come in order if those below an entry are looked at only after it, so a queue holds the entries
     * whose parents were looked at: each with its place, which is at least as high as that of anything below it. A group
     * whose first node fails the test stays in the queue with its next node. The lowest entries of a heap may have been
     * dropped: its floor is in the queue as well, and once that comes to the top nothing more is known.
     *
     * Entries of groups that have lost their first node, or all, stand too high. Were they left there, those of many walks
     * would pile up on top, to be passed by again and again. So each walk puts those right that it has met.
     */
    private final PriorityQueue<Cursor> queue = new PriorityQueue<>();
    private final Map<RankingHeap, IntArrayList> tooHigh = new LinkedHashMap<>();
    private int stepsLeft;
    private boolean isUnsure;

    /** A place in a ranking: of an entry of a heap, of a node within a group, or of a floor (without a group). */
    private record Cursor(
            long net,
            long order,
            RankingHeap heap,
            int at,
            long penalty,
            @Nullable NodeGroup group,
            @Nullable NodeState node,
            @Nullable Iterator<NodeState> rest)
            implements Comparable<Cursor> {
        @Override
        public int compareTo(Cursor other) {
            return net != other.net ? Long.compare(other.net, net) : Long.compare(order, other.order);
        }
    }

    /**
     * @param penalties under each heap the penalty of its entries
     * @param steps how many nodes and entries it may look at
     */
    RankingWalk(Map<RankingHeap, Long> penalties, int steps) {
        this.stepsLeft = steps;
        penalties.forEach((heap, penalty) -> {
            push(heap, 0, penalty);
            if (heap.hasFloor()) {
                long net = Scored.net(heap.floorScore(), penalty);
                queue.add(new Cursor(net, heap.floorOrder(), heap, -1, penalty, null, null, null));
            }
        });
    }

    private void push(RankingHeap heap, int at, long penalty) {
        if (at < heap.size()) {
            long net = Scored.net(heap.score(at), penalty);
            queue.add(new Cursor(net, heap.order(at), heap, at, penalty, heap.group(at), null, null));
        }
    }

    /** Returns the first node that passes, or null if none does or if it {@linkplain #isUnsure does not know}. */
    @Nullable
    NodeState first(Predicate<NodeState> test) {
        for (Cursor top = queue.poll(); top != null; top = queue.poll()) {
            if (top.group() == null || stepsLeft-- == 0) {
                isUnsure = true;
                return null;
            }
            NodeState node = top.node() == null ? open(top, top.group()) : top.node();
            if (node == null) {
                continue;
            }
            if (test.test(node)) {
                return node;
            } else {
                advance(top, top.group());
            }
        }
        return null;
    }

    /** Returns the first node of an entry's group if it comes next; there may be another one by now, or none. */
    private @Nullable NodeState open(Cursor entry, NodeGroup group) {
        push(entry.heap(), 2 * entry.at() + 1, entry.penalty());
        push(entry.heap(), 2 * entry.at() + 2, entry.penalty());
        NodeState first = group.first();
        long order = first == null ? Long.MAX_VALUE : NodeAccess.order(first);
        if (order == entry.order()) {
            return first;
        }
        if (order < entry.order()) {
            return null; // it was pushed again for its earlier first node
        }
        tooHigh.computeIfAbsent(entry.heap(), heap -> new IntArrayList()).add(entry.at());
        if (first != null) {
            queue.add(cursor(entry, group, first, null));
        }
        return null;
    }

    /** Puts the entries right that stood too high. Nothing more can be asked then. */
    void finish() {
        tooHigh.forEach(RankingHeap::lower);
        queue.clear();
    }

    private void advance(Cursor last, NodeGroup group) {
        Iterator<NodeState> rest = last.rest() == null ? group.behindFirst() : last.rest();
        if (rest.hasNext()) {
            queue.add(cursor(last, group, rest.next(), rest));
        }
    }

    private static Cursor cursor(Cursor from, NodeGroup group, NodeState node, @Nullable Iterator<NodeState> rest) {
        return new Cursor(
                from.net(), NodeAccess.order(node), from.heap(), from.at(), from.penalty(), group, node, rest);
    }

    /** Whether the steps were used up, or entries that were dropped may be better, before a node passed. */
    boolean isUnsure() {
        return isUnsure;
    }
}
