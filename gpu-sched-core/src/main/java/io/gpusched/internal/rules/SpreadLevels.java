package io.gpusched.internal.rules;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.rules.DomainRule.Test;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The domains of a spread constraint by how many pods they have, the fewest first. O(domains with any) for each level but that of none. */
final class SpreadLevels implements SoftTiers.Levels {
    private static final String WORDS = "preferred spread";

    private final DomainRule present;
    private final String key;
    private final Counts counts;
    private long last;

    /**
     * @param label what a node must have
     * @param key the label whose values are counted
     * @param domains no fewer than there are
     */
    SpreadLevels(String label, String key, Counts counts, int domains) {
        this.present = new DomainRule(Code.TOPOLOGY_SPREAD, WORDS, label, Test.PRESENT, DomainCounts.NONE, 0);
        this.key = key;
        this.counts = counts;
        this.last = counts.size() > 0 && counts.size() >= domains ? 0 : -1;
    }

    @Override
    public @Nullable List<DomainRule> next() {
        long level = last < 0 ? 0 : leastAbove(last);
        last = level;
        if (level == Long.MAX_VALUE) {
            return null;
        }
        Test test = level == 0 ? Test.NONE : Test.AT_MOST;
        return List.of(present, new DomainRule(Code.TOPOLOGY_SPREAD, WORDS, key, test, counts, level));
    }

    private long leastAbove(long bound) {
        long[] least = {Long.MAX_VALUE};
        counts.forEachCount(count -> least[0] = count > bound ? Math.min(least[0], count) : least[0]);
        return least[0];
    }
}
