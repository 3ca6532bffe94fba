package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

    /**
     * The counts of one constraint.
     *
     * @param least the count of the domain with the fewest, 0 if there are too few domains
     */
    record Counted(TopologySpread spread, DomainCounts counts, long least) {
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
    }

    List<Counted> counted() {
        List<Counted> counted = new ArrayList<>();
        for (TopologySpread spread : required) {
            counted.add(countsEveryNode(spread) ? known(spread) : byNode(spread));
        }
        return counted;
    }

    private boolean countsEveryNode(TopologySpread spread) {
        boolean oneKey = required.stream().allMatch(other -> other.topologyKey().equals(spread.topologyKey()));
        boolean anyNode =
                !spread.honorsNodeSelector() || pod.nodeSelector().terms().isEmpty();
        return oneKey && anyNode && !spread.honorsTaints();
    }

    private Counted known(TopologySpread spread) {
        DomainCounts counts = source.counts(terms.matching(spread, spread.topologyKey()));
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
        DomainCounts matching = source.counts(terms.matching(spread, NodeRequirement.NAME));
        Map<String, Integer> counts = new HashMap<>();
        for (NodeState node : source.nodes()) {
            String domain =
                    counts(spread, node.node()) ? NodeRequirement.value(spread.topologyKey(), node.node()) : null;
            if (domain != null) {
                counts.merge(domain, matching.get(node.name()), Integer::sum);
            }
        }
        int least = counts.size() < spread.minDomains()
                ? 0
                : counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        counts.values().removeIf(count -> count == 0);
        return new Counted(spread, DomainCounts.of(counts), least);
    }

    private boolean counts(TopologySpread spread, Node node) {
        for (TopologySpread other : required) {
            if (NodeRequirement.value(other.topologyKey(), node) == null) {
                return false;
            }
        }
        return isIncluded(spread, pod, node);
    }

    /** Whether a constraint's policies let a node count. */
    static boolean isIncluded(TopologySpread spread, Pod pod, Node node) {
        return (!spread.honorsNodeSelector() || pod.nodeSelector().matches(node))
                && (!spread.honorsTaints() || Taints.areTolerated(node.taints(), pod.tolerations()));
    }
}
