package io.gpusched.internal.rules;

import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.rules.DomainRule.Test;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The nodes by the sum that the domain of each has, the greatest first; those without the label have a sum of 0. */
final class DomainLevels {
    private final DomainSums sums;

    /** What all nodes must meet. */
    private final List<DomainRule> common;

    /** Whether nodes in whose domain nothing is counted, if there are any, come first, so that no sums are needed for them. */
    private boolean isNoneFirst;

    /** The domains by their sums; made when first needed. */
    private @Nullable NavigableMap<Long, DomainCounts> left;

    private boolean wasNone;

    private DomainLevels(DomainSums sums, List<DomainRule> common, DomainCounts nodes, boolean hasOthers) {
        this.sums = sums;
        this.common = common;
        boolean isFull = !hasOthers && sums.counts().stream().anyMatch(counts -> counts.size() >= nodes.size());
        this.isNoneFirst = sums.areNegative() && !isFull;
        this.wasNone = sums.areNegative() && isFull;
    }

    /** Returns the levels of what pods around make of nodes. */
    static DomainLevels of(DomainSums sums, RuleCounts source) {
        DomainCounts nodes = source.nodesBy(sums.key());
        return new DomainLevels(sums, List.of(), nodes, nodes.sum() < source.size());
    }

    /** Returns the levels of a constraint of spread, of nodes that have its label. */
    static DomainLevels ofSpread(String label, DomainSums sums, RuleCounts source) {
        DomainRule present = rule(Code.TOPOLOGY_SPREAD, label, Test.PRESENT, new DomainCounts());
        return new DomainLevels(sums, List.of(present), source.nodesBy(sums.key()), false);
    }

    /** Returns what the nodes of the next level meet; null after the last. */
    @Nullable
    List<DomainRule> next() {
        if (isNoneFirst) {
            isNoneFirst = false;
            wasNone = true;
            return rules(sums.counts().stream().map(counts -> rule(Test.NONE, counts)));
        }
        if (left == null) {
            left = bySum();
        }
        Map.Entry<Long, DomainCounts> level = left.pollFirstEntry();
        return level == null
                ? null
                : rules(Stream.of(rule(level.getKey() == 0 ? Test.NONE : Test.SOME, level.getValue())));
    }

    private List<DomainRule> rules(Stream<DomainRule> own) {
        return Stream.concat(common.stream(), own).toList();
    }

    /** The domains by their sums, the greatest first; those with another sum stand for the sum of 0, unless it is not to come. */
    private NavigableMap<Long, DomainCounts> bySum() {
        NavigableMap<Long, DomainCounts> levels = new TreeMap<>(Comparator.reverseOrder());
        DomainCounts others = new DomainCounts();
        sums.sums().forEach((domain, sum) -> {
            if (sum != 0) {
                levels.computeIfAbsent(sum, any -> new DomainCounts()).add(domain, 1);
                others.add(domain, 1);
            }
        });
        if (!wasNone) {
            levels.put(0L, others);
        }
        return levels;
    }

    private DomainRule rule(Test test, DomainCounts counts) {
        return rule(Code.POD_AFFINITY, sums.key(), test, counts);
    }

    private static DomainRule rule(Code code, String key, Test test, DomainCounts counts) {
        return new DomainRule(code, pods -> new Fact.Near(key), key, test, counts, 0, null);
    }
}
