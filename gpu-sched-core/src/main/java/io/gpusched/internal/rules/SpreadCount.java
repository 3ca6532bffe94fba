package io.gpusched.internal.rules;

import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts the pods by domain of the required spread constraints of a pod, on the nodes that count for it. */
final class SpreadCount {
    /*
     * Mostly every node that has the label counts: then the counts by domain are known already. Where the pod's own
     * selector or taints leave nodes out, or two labels are needed together, the nodes are gone through, and how many pods
     * match is known by node.
     */
    private final Pod pod;
    private final RuleTerms terms;
    private final RuleCounts source;
    private final List<TopologySpread> required;

    /** Whether all are over the values of one label. */
    private final boolean overOne;

    /** Made when first needed. */
    private @Nullable SpreadNodes nodes;

    /**
     * The counts of one constraint.
     *
     * @param least the count of the domain with the fewest, 0 if there are too few domains
     */
    record Counted(TopologySpread spread, Counts counts, long least) {
        /** The most that may be in a domain before the pod comes. */
        long most(boolean countsItself) {
            return spread.maxSkew() + least - (countsItself ? 1 : 0);
        }
    }

    SpreadCount(Pod pod, RuleTerms terms, RuleCounts source) {
        this.pod = pod;
        this.terms = terms;
        this.source = source;
        this.required =
                pod.rules().spread().stream().filter(TopologySpread::required).toList();
        this.overOne = SpreadNodes.labels(required).size() <= 1;
    }

    List<Counted> counted() {
        source.prepare(required.stream()
                .map(spread ->
                        terms.matching(spread, countsEveryNode(spread) ? spread.topologyKey() : NodeRequirement.NAME))
                .toList());
        List<Counted> counted = new ArrayList<>();
        for (TopologySpread spread : required) {
            counted.add(countsEveryNode(spread) ? known(spread) : byNode(spread));
        }
        return counted;
    }

    private boolean countsEveryNode(TopologySpread spread) {
        boolean anyNode =
                !spread.honorsNodeSelector() || pod.nodeSelector().terms().isEmpty();
        return overOne && anyNode && !spread.honorsTaints();
    }

    private Counted known(TopologySpread spread) {
        Counts counts = source.counts(terms.matching(spread, spread.topologyKey()));
        DomainCounts nodes = source.nodesBy(spread.topologyKey());
        int domains = nodes.size();
        if (domains < spread.minDomains() || counts.size() < domains) {
            return new Counted(spread, counts, 0);
        }
        int[] least = {Integer.MAX_VALUE};
        counts.forEachCount(count -> least[0] = Math.min(least[0], count));
        return new Counted(spread, counts, least[0]);
    }

    private Counted byNode(TopologySpread spread) {
        SpreadNodes.Domains domains = nodes().domains(spread);
        int[] counts = domains.counts(source.counts(terms.matching(spread, NodeRequirement.NAME)));
        int least = Integer.MAX_VALUE;
        for (int count : counts) {
            least = Math.min(least, count);
        }
        boolean tooFew = counts.length == 0 || counts.length < spread.minDomains();
        return new Counted(spread, domains.counted(counts), tooFew ? 0 : least);
    }

    private SpreadNodes nodes() {
        SpreadNodes known = nodes;
        if (known == null) {
            known = new SpreadNodes(pod, required, source.nodes());
            nodes = known;
        }
        return known;
    }
}
