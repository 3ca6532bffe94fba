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

/**
 * How well nodes serve the spread constraints that are only preferred, 0..100: kube-scheduler's score. Of each constraint the
 * pods in a node's domain count, times the logarithm of the number of domains, so that many small domains weigh as much as a
 * few large ones.
 */
final class SpreadScore {
    /** The label under which a domain is a single node, whatever its value. */
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private static final long IGNORED = -1;
    private static final long BEST = 100;

    private final Pod pod;
    private final RuleTerms terms;
    private final List<TopologySpread> preferred;
    private final RuleCounts source;

    SpreadScore(Pod pod, RuleTerms terms, List<TopologySpread> preferred, RuleCounts source) {
        this.pod = pod;
        this.terms = terms;
        this.preferred = preferred;
        this.source = source;
    }

    long[] scores(List<NodeState> nodes) {
        List<NodeState> compared =
                nodes.stream().filter(node -> hasAllKeys(node.node())).toList();
        double[] sums = new double[nodes.size()];
        for (TopologySpread spread : preferred) {
            add(sums, nodes, spread, compared);
        }
        long[] raw = new long[sums.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = hasAllKeys(nodes.get(i).node()) ? Math.round(sums[i]) : IGNORED;
        }
        return normalised(raw);
    }

    private boolean hasAllKeys(Node node) {
        return preferred.stream().allMatch(spread -> NodeRequirement.value(spread.topologyKey(), node) != null);
    }

    private void add(double[] sums, List<NodeState> nodes, TopologySpread spread, List<NodeState> compared) {
        DomainCounts byNode = source.counts(terms.matching(spread, NodeRequirement.NAME));
        boolean byHost = spread.topologyKey().equals(HOSTNAME);
        Map<String, Long> byDomain = byHost ? Map.of() : byDomain(spread, byNode, compared);
        double weight = StrictMath.log((byHost ? compared.size() : byDomain.size()) + 2.0);
        for (int i = 0; i < sums.length; i++) {
            Node node = nodes.get(i).node();
            String domain = NodeRequirement.value(spread.topologyKey(), node);
            if (domain != null) {
                long count = byHost ? byNode.get(node.name()) : byDomain.getOrDefault(domain, 0L);
                sums[i] += count * weight + (spread.maxSkew() - 1);
            }
        }
    }

    /** The matching pods in each domain of the nodes compared, on nodes that count. */
    private Map<String, Long> byDomain(TopologySpread spread, DomainCounts byNode, List<NodeState> compared) {
        Map<String, Long> counts = new HashMap<>();
        List<String> domains = new ArrayList<>();
        compared.forEach(node -> domains.add(NodeRequirement.value(spread.topologyKey(), node.node())));
        domains.forEach(domain -> counts.put(domain, 0L));
        for (NodeState node : source.nodes()) {
            Node machine = node.node();
            String domain = NodeRequirement.value(spread.topologyKey(), machine);
            int count = domain == null ? 0 : byNode.get(machine.name());
            if (count > 0
                    && counts.containsKey(domain)
                    && hasAllKeys(machine)
                    && SpreadCount.isIncluded(spread, pod, machine)) {
                counts.merge(domain, (long) count, Long::sum);
            }
        }
        return counts;
    }

    private static long[] normalised(long[] raw) {
        long least = Long.MAX_VALUE;
        long most = 0;
        for (long value : raw) {
            least = value == IGNORED ? least : Math.min(least, value);
            most = Math.max(most, value);
        }
        long[] scores = new long[raw.length];
        for (int i = 0; i < raw.length; i++) {
            scores[i] = raw[i] == IGNORED ? 0 : most == 0 ? BEST : BEST * (most + least - raw[i]) / most;
        }
        return scores;
    }
}
