package io.gpusched.internal.search;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.rules.RuleCounts;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.workload.PodRules;

/** What the rules between pods make of a request at one snapshot. */
public final class RuledDemand {
    private RuledDemand() {}

    /**
     * Returns a request with what its rules and those of running pods come to; the same request if there are none. O(domains)
     * for each rule that is known already; O(nodes + pods) for others.
     */
    public static PodDemand of(RuleCounts counts, PodDemand demand) {
        RuleSet rules = RuleSet.of(demand.pod(), counts);
        return rules == null ? demand : demand.with(rules);
    }

    /** Whether rules may keep a request away from nodes, now or once a pod like it was placed. */
    public static boolean isAffected(RuleCounts counts, PodDemand demand) {
        PodRules own = demand.pod().rules();
        return !counts.isIdle()
                || own.concernsOthers()
                || own.nodeName().isPresent()
                || demand.pod().group().isPresent();
    }

    /** Whether preferences that do not depend on other pods may decide where a request goes. */
    public static boolean hasPreferences(RuleCounts counts, PodDemand demand) {
        return counts.hasAvoided() || !demand.pod().rules().preferredNodes().isEmpty();
    }
}
