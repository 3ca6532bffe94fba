package io.gpusched.internal.rank;

import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntIterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntPredicate;
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

    /** A heap whose entries have the same penalty. */
    private record Source(RankingHeap heap, long penalty) {}

    /**
     * A place in a ranking: of an entry of a heap, of a node within a group, or of a floor.
     *
     * @param at the place of the entry in its heap, -1 for a floor
     * @param rest the slots of the group that follow; null for an entry whose group was not looked at yet
     */
    private record Cursor(
            long net,
            int slot,
            Source source,
            int at,
            @Nullable IntIterator rest) implements Comparable<Cursor> {
        @Override
        public int compareTo(Cursor other) {
            return net != other.net ? Long.compare(other.net, net) : Integer.compare(slot, other.slot);
        }
    }

    /**
     * @param penalties under each heap the penalty of its entries
     * @param steps how many nodes and entries it may look at
     */
    RankingWalk(Map<RankingHeap, Long> penalties, int steps) {
        this.stepsLeft = steps;
        penalties.forEach((heap, penalty) -> {
            Source source = new Source(heap, penalty);
            push(source, 0);
            if (heap.hasFloor()) {
                long net = Scored.net(heap.floorScore(), penalty);
                queue.add(new Cursor(net, heap.floorSlot(), source, -1, null));
            }
        });
    }

    private void push(Source source, int at) {
        RankingHeap heap = source.heap();
        if (at < heap.size()) {
            queue.add(new Cursor(Scored.net(heap.score(at), source.penalty()), heap.slot(at), source, at, null));
        }
    }

    /** Returns the first node that passes, unless the steps are used up or entries were dropped that may be better. */
    RankedSlot first(IntPredicate test) {
        for (Cursor top = queue.poll(); top != null; top = queue.poll()) {
            if (top.at() < 0 || stepsLeft-- == 0) {
                return RankedSlot.UNSURE;
            }
            IntIterator rest = top.rest() == null ? open(top) : top.rest();
            if (rest != null) {
                if (test.test(top.slot())) {
                    return new RankedSlot(top.slot(), true);
                }
                advance(top, rest);
            }
        }
        return new RankedSlot(-1, true);
    }

    /** Returns the slots behind the first of an entry's group if that comes next; there may be another first by now, or none. */
    private @Nullable IntIterator open(Cursor entry) {
        RankingHeap heap = entry.source().heap();
        push(entry.source(), 2 * entry.at() + 1);
        push(entry.source(), 2 * entry.at() + 2);
        NodeGroup group = heap.group(entry.at());
        int first = group.first();
        if (first == entry.slot()) {
            return group.isEmpty() ? null : group.behindFirst();
        }
        if (first > entry.slot()) { // a group with an earlier first node was pushed again
            tooHigh.computeIfAbsent(heap, key -> new IntArrayList()).add(entry.at());
            if (!group.isEmpty()) {
                queue.add(new Cursor(entry.net(), first, entry.source(), entry.at(), group.behindFirst()));
            }
        }
        return null;
    }

    private void advance(Cursor last, IntIterator rest) {
        if (rest.hasNext()) {
            queue.add(new Cursor(last.net(), rest.nextInt(), last.source(), last.at(), rest));
        }
    }

    /** Puts the entries right that stood too high. Nothing more can be asked then. */
    void finish() {
        tooHigh.forEach(RankingHeap::lower);
        queue.clear();
    }
}
