package io.gpusched.internal.rules;

import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a pod as rules without preferences: first rules that only the nodes meet which its preferences rank highest, then rules
 * that the next nodes meet, and so on. The first of them under which the pod has a place has the best one, and indexes serve them. Not
 * thread-safe; good for one decision.
 */
public final class RankedRules {
    /*
     * Raw numbers become scores of 0..100 over the nodes with room, so what a node scores depends on which these are. But for each kind
     * of preference a node scores highest if and only if its own raw number is the best among them: the greatest sum of weights of
     * labels gets 100 or all nodes get 0; sums of pods around are stretched so that only the greatest gets 100; of spread only the least
     * number gets 100; and of taints only the least number, unless some node has more than 100 of them. So one kind over one label
     * decides alone: the nodes are asked for by their numbers, the best first, and it does not matter that some had no room.
     *
     * Where several have a say, a node at which each is at a bound that no node can pass has the greatest sum of scores, and one at which
     * any is not has less. So only that step is certain; after it weights decide, which depend on all nodes with room. (Spread over
     * several labels adds up counts, each times a weight of at least log 3 > 1. So even rounded, the sum at a node where all counts are at
     * their bounds is less than that at any other.)
     */

    /** So many steps cost less than to weigh all nodes with room. */
    private static final int MOST_LEVELS = 8;

    /** Of so many preferred terms at most all combinations are asked for. */
    private static final int MOST_PREFERENCES = 5;

    /** So many terms of labels at most: those of the pod's own selector times those of all combinations. */
    private static final int MOST_TERMS = 256;

    private final RuleSet rules;
    private final Preferences preferences;
    private final Iterator<RuleSet> whole;
    private final boolean isWhole;
    private final List<DomainLevels> levels;
    private int step;

    /** Returns the ranks of some rules by the preferences that are a part of them. */
    public static RankedRules of(RuleSet rules, Preferences preferences) {
        return new RankedRules(rules, preferences);
    }

    private RankedRules(RuleSet rules, Preferences preferences) {
        this.rules = rules;
        this.preferences = preferences;
        List<RuleSet> all = preferences.isOfTaints() ? byTaints() : isOfFewTerms() ? byLabels() : List.of();
        this.whole = all.iterator();
        this.levels = all.isEmpty() ? preferences.levels() : List.of();
        this.isWhole = !all.isEmpty();
    }

    /** Whether the pod has no place if it has none under any of the rules; otherwise the nodes with room are to be weighed then. */
    public boolean isOfAllNodes() {
        return isWhole;
    }

    /** Returns the next rules; null after the last. */
    public @Nullable RuleSet next() {
        if (isWhole) {
            return whole.hasNext() ? whole.next() : null;
        }
        int at = step++;
        if (levels.isEmpty() || at >= MOST_LEVELS || at > 0 && (levels.size() > 1 || preferences.hasAvoided())) {
            return null;
        }
        List<DomainRule> more = new ArrayList<>();
        for (DomainLevels each : levels) {
            List<DomainRule> best = each.next();
            if (best == null) {
                return null;
            }
            more.addAll(best);
        }
        return rules.narrowed(more, NodeSelector.ANY, preferences.hasAvoided() ? 0 : RuleSet.ANY_TAINTS);
    }

    private List<RuleSet> byTaints() {
        List<RuleSet> ranks = new ArrayList<>();
        for (int taints = 0; taints <= preferences.mostAvoided(); taints++) {
            ranks.add(rules.narrowed(List.of(), NodeSelector.ANY, taints));
        }
        return ranks;
    }

    private boolean isOfFewTerms() {
        int terms = preferences.labels().size();
        return preferences.isOfLabels() && terms <= MOST_PREFERENCES && preferences.selectors() << terms <= MOST_TERMS;
    }

    /** Nodes that a better rank had no room on may be in a later one as well. */
    private List<RuleSet> byLabels() {
        List<NodePreference> terms = preferences.labels();
        Map<Long, List<NodeSelector.Term>> bySum = new TreeMap<>(Comparator.reverseOrder());
        for (int some = 1; some < 1 << terms.size(); some++) {
            long sum = 0;
            NodeSelector all = NodeSelector.ANY;
            for (int i = 0; i < terms.size(); i++) {
                if ((some >>> i & 1) != 0) {
                    sum += terms.get(i).weight();
                    all = all.and(new NodeSelector(List.of(terms.get(i).term())));
                }
            }
            bySum.computeIfAbsent(sum, any -> new ArrayList<>()).addAll(all.terms());
        }
        List<RuleSet> ranks = new ArrayList<>();
        bySum.values()
                .forEach(selected ->
                        ranks.add(rules.narrowed(List.of(), new NodeSelector(selected), RuleSet.ANY_TAINTS)));
        ranks.add(rules.narrowed(List.of(), NodeSelector.ANY, RuleSet.ANY_TAINTS));
        return ranks;
    }
}
