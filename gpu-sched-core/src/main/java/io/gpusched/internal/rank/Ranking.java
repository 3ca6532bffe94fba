package io.gpusched.internal.rank;

import io.gpusched.model.NodeState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.ToLongFunction;

/**
 * The groups of nodes that can take pods of a spec, ranked by score: a heap for each penalty key, so that whatever the
 * penalties are, the best is the best of the tops. Not thread-safe.
 */
final class Ranking {
    private final SpecScorer scorer;
    private final NodeGroups groups;
    private final NodeGroups.Least least;
    private final Map<Object, RankingHeap> byKey = new HashMap<>();
    private int size;
    private long position;

    /** The best found so far by {@link #best}; {@link NodeGroup#NONE} if there is none. */
    private int best;

    private long bestScore;

    /** Scores all groups. */
    Ranking(SpecScorer scorer, NodeGroups groups) {
        this.scorer = scorer;
        this.groups = groups;
        this.least = scorer.least();
        rebuild();
    }

    private void rebuild() {
        byKey.clear();
        size = 0;
        groups.forEach(this::offer);
        position = groups.position();
    }

    /** Scores the groups that may rank higher than when the ranking was last asked for. */
    void catchUp() {
        if (groups.hasLost(position)) {
            rebuild();
        } else {
            groups.forEachSince(position, least, this::offer);
            position = groups.position();
        }
    }

    private void offer(NodeGroup group) {
        NodeState node = scorer.node(group.first());
        Scored scored = scorer.mayFit(node) ? scorer.score(node) : null;
        if (scored != null) {
            RankingHeap heap = byKey.computeIfAbsent(scored.key(), key -> new RankingHeap(groups));
            size -= heap.size();
            heap.push(scored.score(), group);
            size += heap.size();
        }
    }

    /** Returns the number of entries, of 20 bytes each. */
    int size() {
        return size;
    }

    /** Drops the lowest entries of each key so that about so many are left; with them less is remembered. */
    void trim(int most) {
        long all = Math.max(1, size);
        size = 0;
        for (RankingHeap heap : byKey.values()) {
            heap.trim((int) ((long) heap.size() * most / all));
            size += heap.size();
        }
    }

    /**
     * Returns the slot of the best node by score and penalty, the first among equals, or -1 if none has room. O(keys) and amortised
     * O(log n); if too much was dropped, all groups are scored again.
     */
    int best(ToLongFunction<Object> penalties) {
        if (!findBest(penalties)) {
            rebuild();
            findBest(penalties);
        }
        return best == NodeGroup.NONE ? -1 : best;
    }

    /** Finds the best and returns whether no entry that was dropped may be better. */
    private boolean findBest(ToLongFunction<Object> penalties) {
        dropUseless();
        best = NodeGroup.NONE;
        bestScore = Long.MIN_VALUE;
        byKey.forEach((key, heap) -> {
            int slot = heap.top();
            if (slot != NodeGroup.NONE) {
                consider(slot, heap.score(0), key, penalties);
            }
        });
        for (Map.Entry<Object, RankingHeap> entry : byKey.entrySet()) {
            RankingHeap heap = entry.getValue();
            if (heap.hasFloor() && heap.top() == NodeGroup.NONE) {
                long floor = Scored.net(heap.floorScore(), penalties.applyAsLong(entry.getKey()));
                if (RankingHeap.ranksBefore(floor, heap.floorSlot(), bestScore, best)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Penalties are never negative, so what scores too low without one needs none. */
    private void consider(int slot, long gross, Object key, ToLongFunction<Object> penalties) {
        if (gross >= bestScore) {
            long score = Scored.net(gross, penalties.applyAsLong(key));
            if (RankingHeap.ranksBefore(score, slot, bestScore, best)) {
                best = slot;
                bestScore = score;
            }
        }
    }

    /** Returns the best node that passes a test, if that takes no more steps than this. */
    RankedSlot best(ToLongFunction<Object> penalties, IntPredicate test, int steps) {
        dropUseless();
        Map<RankingHeap, Long> byHeap = new LinkedHashMap<>();
        byKey.forEach((key, heap) -> byHeap.put(heap, penalties.applyAsLong(key)));
        RankingWalk walk = new RankingWalk(byHeap, steps);
        RankedSlot found = walk.first(test);
        walk.finish();
        return found;
    }

    /** Puts the right entries on top and drops heaps that are left without any. */
    private void dropUseless() {
        size = 0;
        byKey.values().removeIf(heap -> {
            heap.top();
            size += heap.size();
            return heap.isUseless();
        });
    }
}
