package io.gpusched.internal.rules;

import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;

/** Counts the pods by domain of the required spread constraints of a pod, on the nodes that count for it. */
final class SpreadCount {
    /*
     * Mostly every node that has the label counts: then the counts by domain are known already. Where the pod's own selector or
     * taints leave nodes out, or two labels are needed together, the nodes are gone through.
     */
    private SpreadCount() {}

    /**
     * The counts of one constraint.
     *
     * @param least the count of the domain with the fewest, 0 if there are too few domains
     */
    record Counted(TopologySpread spread, DomainCounts counts, int least) {
        /** The most that may be in a domain before the pod comes. */
        long most(boolean countsItself) {
            return (long) spread.maxSkew() + least - (countsItself ? 1 : 0);
        }
    }

    static List<Counted> of(Pod pod, RuleTerms terms, RuleCounts source) {
        List<TopologySpread> required =
                pod.rules().spread().stream().filter(TopologySpread::required).toList();
        boolean everyNode = SpreadNodes.labels(required).size() == 1
                && required.stream().allMatch(spread -> countsEveryNode(spread, pod));
        List<Counted> counted = new ArrayList<>();
        if (everyNode) {
            source.prepare(required.stream()
                    .map(spread -> terms.matching(spread, spread.topologyKey()))
                    .toList());
            for (TopologySpread spread : required) {
                DomainCounts counts = source.counts(terms.matching(spread, spread.topologyKey()));
                int domains = source.nodesBy(spread.topologyKey()).size();
                counted.add(new Counted(spread, counts, counts.size() < domains ? 0 : least(spread, counts)));
            }
        } else if (!required.isEmpty()) {
            List<DomainCounts> counts = SpreadNodes.count(pod, terms, required, source);
            for (int i = 0; i < required.size(); i++) {
                counted.add(new Counted(required.get(i), counts.get(i), least(required.get(i), counts.get(i))));
            }
        }
        return counted;
    }

    private static int least(TopologySpread spread, DomainCounts counts) {
        return counts.size() < spread.minDomains() ? 0 : counts.least();
    }

    /** Whether all nodes that have the label count for a constraint. */
    static boolean countsEveryNode(TopologySpread spread, Pod pod) {
        boolean anyNode =
                !spread.honorsNodeSelector() || pod.nodeSelector().terms().isEmpty();
        return anyNode && !spread.honorsTaints();
    }
}
