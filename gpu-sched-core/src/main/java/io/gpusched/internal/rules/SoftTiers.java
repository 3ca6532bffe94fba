package io.gpusched.internal.rules;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rules that only those nodes meet which a pod's preferences between pods like best, then others for those that they like second best, and
 * so on: the first of them under which the pod has a place has the best one. Not thread-safe; good for one decision.
 */
final class SoftTiers {
    /*
     * Raw numbers become scores of 0..100 over the nodes with room, so what a node scores depends on which these are. But for each
     * kind of preference a node scores highest if and only if its own raw number is the best among them: wishes are stretched so
     * that only the greatest sum gets 100 (or all nodes alike get 0), and of spread only the least number gets 100. A number in its
     * turn is best where it reaches a bound that no node can pass. So:
     *
     * - One kind over one label decides alone: the nodes are asked for by their numbers, the best first. That some nodes had no
     *   room does not change the order of the others.
     * - Several have a say, also taints to be avoided: a node at which each of them is at its bound has the greatest sum of scores,
     *   and one at which any is not has less. So only the first step is certain; behind it weights decide, which depend on all nodes
     *   with room.
     *
     * Spread over several labels adds up counts, each times a weight of at least log 3 > 1. So even rounded, the sum at a node
     * where all counts are at their bounds is less than that at any other.
     */

    /** So many steps cost less than to weigh all nodes with room. */
    private static final int MOST = 8;

    /** Stands for taints to be avoided: that a node has none that the pod does not tolerate is no rule of domains, but of the request. */
    static final Levels TAINTS = List::of;

    private final List<Levels> levels;
    private int next;

    /** How well nodes serve one preference, the best first. */
    interface Levels {
        /** Returns rules that the nodes at the next level meet, and perhaps nodes at levels before; null after the last. */
        @Nullable
        List<DomainRule> next();
    }

    /**
     * @param levels of all that has a say; none if nodes have to be weighed
     */
    SoftTiers(List<Levels> levels) {
        this.levels = levels;
    }

    /** Returns the next rules; null if the nodes that are left, if any, have to be weighed. */
    @Nullable
    List<DomainRule> next() {
        int step = next++;
        if (levels.isEmpty() || step >= MOST || step > 0 && levels.size() > 1) {
            return null;
        }
        List<DomainRule> all = new ArrayList<>();
        for (Levels each : levels) {
            List<DomainRule> best = each.next();
            if (best == null) {
                return null;
            }
            all.addAll(best);
        }
        return all;
    }
}
