package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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

    List<TopologySpread> constraints() {
        return preferred;
    }

    /** Returns what is counted for a constraint if all nodes that have its label count; null if nodes have to be looked at. */
    @Nullable
    DomainSums sums(TopologySpread spread) {
        boolean known = spread.topologyKey().equals(HOSTNAME)
                || SpreadCount.countsEveryNode(spread, pod)
                        && SpreadNodes.labels(preferred).stream()
                                .allMatch(label -> label.equals(spread.topologyKey())
                                        || source.nodesBy(label).sum() == source.size());
        return known ? new DomainSums(key(spread)).add(source.counts(terms.matching(spread, key(spread))), -1) : null;
    }

    private static String key(TopologySpread spread) {
        return spread.topologyKey().equals(HOSTNAME) ? NodeRequirement.NAME : spread.topologyKey();
    }

    long[] scores(List<NodeState> nodes) {
        Set<String> labels = SpreadNodes.labels(preferred);
        boolean[] isCompared = new boolean[nodes.size()];
        for (int i = 0; i < isCompared.length; i++) {
            isCompared[i] = SpreadNodes.hasAll(labels, nodes.get(i).node());
        }
        double[] sums = sums(nodes, isCompared);
        long[] raw = new long[isCompared.length];
        for (int i = 0; i < raw.length; i++) {
            raw[i] = isCompared[i] ? Math.round(sums[i]) : IGNORED;
        }
        return normalised(raw);
    }

    private double[] sums(List<NodeState> nodes, boolean[] isCompared) {
        List<DomainCounts> counted = SpreadNodes.count(pod, terms, preferred, source);
        double[] sums = new double[isCompared.length];
        for (int at = 0; at < preferred.size(); at++) {
            TopologySpread spread = preferred.get(at);
            String key = key(spread);
            // by hostname the pods of the node count, whatever else does
            DomainCounts counts = spread.topologyKey().equals(HOSTNAME)
                    ? source.counts(terms.matching(spread, key))
                    : counted.get(at);
            Set<@Nullable String> domains = new HashSet<>();
            for (int i = 0; i < sums.length; i++) {
                if (isCompared[i]) {
                    domains.add(Places.domain(key, nodes.get(i).node()));
                }
            }
            double weight = StrictMath.log(domains.size() + 2.0);
            for (int i = 0; i < sums.length; i++) {
                Node node = nodes.get(i).node();
                sums[i] += counts.get(Places.domain(key, node)) * weight + (spread.maxSkew() - 1);
            }
        }
        return sums;
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
