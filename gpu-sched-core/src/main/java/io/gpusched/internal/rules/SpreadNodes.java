package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Counts for some spread constraints of a pod, over the nodes that have the labels of all of them and that their policies let count. */
final class SpreadNodes {
    private final Pod pod;
    private final List<TopologySpread> constraints;
    private final Set<String> labels;
    private final List<DomainCounts> byNode = new ArrayList<>();
    private final List<DomainCounts> byDomain = new ArrayList<>();
    private final Predicate<Taint> tolerated;

    private SpreadNodes(Pod pod, RuleTerms terms, List<TopologySpread> constraints, RuleCounts source) {
        this.pod = pod;
        this.constraints = constraints;
        this.labels = labels(constraints);
        this.tolerated = Taints.tolerated(pod.tolerations());
        source.prepare(constraints.stream()
                .map(spread -> terms.matching(spread, NodeRequirement.NAME))
                .toList());
        for (TopologySpread spread : constraints) {
            byNode.add(source.counts(terms.matching(spread, NodeRequirement.NAME)));
            byDomain.add(new DomainCounts());
        }
    }

    /**
     * Returns for each constraint how many pods match in each domain, in which none match too. One look at every node for all
     * constraints.
     */
    static List<DomainCounts> count(Pod pod, RuleTerms terms, List<TopologySpread> constraints, RuleCounts source) {
        SpreadNodes nodes = new SpreadNodes(pod, terms, constraints, source);
        source.forEachNode(nodes::look);
        return nodes.byDomain;
    }

    private void look(NodeState state) {
        Node node = state.node();
        if (!hasAll(labels, node)) {
            return;
        }
        boolean selected = pod.nodeSelector().matches(node);
        boolean tolerates = Taints.areTolerated(node.taints(), tolerated);
        for (int i = 0; i < constraints.size(); i++) {
            TopologySpread spread = constraints.get(i);
            String domain = Places.domain(spread.topologyKey(), node);
            if (domain != null && (selected || !spread.honorsNodeSelector()) && (tolerates || !spread.honorsTaints())) {
                byDomain.get(i).add(domain, byNode.get(i).get(node.name()));
            }
        }
    }

    /** Returns the labels over whose values constraints spread. */
    static Set<String> labels(List<TopologySpread> constraints) {
        Set<String> labels = new HashSet<>();
        constraints.forEach(spread -> labels.add(spread.topologyKey()));
        return labels;
    }

    static boolean hasAll(Set<String> labels, Node node) {
        for (String label : labels) {
            if (Places.domain(label, node) == null) {
                return false;
            }
        }
        return true;
    }
}
