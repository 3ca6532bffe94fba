package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The groups of nodes that can take a shape of pod, ranked by score: a heap for each penalty key, so that whatever the
 * penalties are, the best is the best of the tops. Not thread-safe.
 */
final class Ranking {
    private final SpecScorer scorer;
    private final NodeGroups groups;
    private final NodeGroups.Least least;
    private final Map<Object, RankingHeap> byKey = new HashMap<>();
    private int size;
    private long position;

    /** The best found so far by {@link #best}. */
    private @Nullable NodeState best;

    private long bestScore;

    /** Scores all groups of a snapshot. */
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
        NodeState node = group.first();
        if (node != null && scorer.mayFit(node)) {
            Scored scored = scorer.score(node);
            if (scored != null) {
                push(byKey.computeIfAbsent(scored.key(), key -> new RankingHeap(groups)), scored.score(), group);
            }
        }
    }

    private void push(RankingHeap heap, long score, NodeGroup group) {
        size -= heap.size();
        heap.push(score, group);
        size += heap.size();
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
     * Returns the best node by score and penalty, the first in node order among equals, or null if none has room. O(keys) and
     * amortised O(log n); if too much was dropped, all groups are scored anew.
     */
    @Nullable
    NodeState best(ToLongFunction<Object> penalties) {
        findBest(penalties);
        if (isUnsure(penalties)) {
            rebuild();
            findBest(penalties);
        }
        return best;
    }

    /** Returns the best node that passes a test, if that takes no more steps than this. */
    RankedNode best(ToLongFunction<Object> penalties, Predicate<NodeState> test, int steps) {
        RankingWalk walk = walk(penalties, steps);
        NodeState node = walk.first(test);
        walk.finish();
        return new RankedNode(node, !walk.isUnsure());
    }

    private RankingWalk walk(ToLongFunction<Object> penalties, int steps) {
        Map<RankingHeap, Long> byHeap = new LinkedHashMap<>();
        byKey.entrySet().removeIf(entry -> {
            top(entry.getValue());
            return entry.getValue().isUseless();
        });
        byKey.forEach((key, heap) -> byHeap.put(heap, penalties.applyAsLong(key)));
        return new RankingWalk(byHeap, steps);
    }

    private void findBest(ToLongFunction<Object> penalties) {
        best = null;
        byKey.entrySet().removeIf(entry -> {
            RankingHeap heap = entry.getValue();
            NodeState node = top(heap);
            if (node != null) {
                consider(node, heap.topScore(), entry.getKey(), penalties);
            }
            return heap.isUseless();
        });
    }

    private @Nullable NodeState top(RankingHeap heap) {
        size -= heap.size();
        NodeState node = heap.top();
        size += heap.size();
        return node;
    }

    /** Penalties are never negative, so what scores too low without one needs none. */
    private void consider(NodeState node, long gross, Object key, ToLongFunction<Object> penalties) {
        if (best != null && gross < bestScore) {
            return;
        }
        long score = Scored.net(gross, penalties.applyAsLong(key));
        if (best == null
                || score > bestScore
                || score == bestScore && NodeAccess.order(node) < NodeAccess.order(best)) {
            best = node;
            bestScore = score;
        }
    }

    /** Whether an entry that was dropped may be better than the best. */
    private boolean isUnsure(ToLongFunction<Object> penalties) {
        for (Map.Entry<Object, RankingHeap> entry : byKey.entrySet()) {
            RankingHeap heap = entry.getValue();
            if (heap.hasFloor() && heap.top() == null) {
                long score = Scored.net(heap.floorScore(), penalties.applyAsLong(entry.getKey()));
                if (best == null
                        || score > bestScore
                        || score == bestScore && heap.floorOrder() < NodeAccess.order(best)) {
                    return true;
                }
            }
        }
        return false;
    }
}
