package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.Pod;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

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

    /**
     * Returns the levels of each constraint; none if they do not count every node that has their label, so that nodes have to be
     * looked at.
     */
    List<SoftTiers.Levels> levels() {
        if (!preferred.stream().allMatch(this::countsEveryNode)) {
            return List.of();
        }
        source.prepare(preferred.stream()
                .map(spread -> terms.matching(spread, key(spread)))
                .toList());
        List<SoftTiers.Levels> levels = new ArrayList<>();
        for (TopologySpread spread : preferred) {
            Counts counts = source.counts(terms.matching(spread, key(spread)));
            levels.add(new SpreadLevels(spread.topologyKey(), key(spread), counts, mostDomains(spread)));
        }
        return levels;
    }

    private static String key(TopologySpread spread) {
        return spread.topologyKey().equals(HOSTNAME) ? NodeRequirement.NAME : spread.topologyKey();
    }

    private int mostDomains(TopologySpread spread) {
        DomainCounts known = source.index().nodesBy(key(spread));
        return known == null ? source.size() : known.size();
    }

    /** Whether all nodes with its label count, so that the count of a domain is known. */
    private boolean countsEveryNode(TopologySpread spread) {
        if (spread.topologyKey().equals(HOSTNAME)) {
            return true;
        }
        boolean anyNode =
                !spread.honorsNodeSelector() || pod.nodeSelector().terms().isEmpty();
        return anyNode
                && !spread.honorsTaints()
                && SpreadNodes.labels(preferred).stream()
                        .allMatch(label -> label.equals(spread.topologyKey())
                                || source.nodesBy(label).sum() == source.size());
    }

    long[] scores(List<NodeState> nodes) {
        Set<String> labels = SpreadNodes.labels(preferred);
        List<Node> compared = new ArrayList<>();
        boolean[] isCompared = new boolean[nodes.size()];
        for (int i = 0; i < isCompared.length; i++) {
            isCompared[i] = SpreadNodes.hasAll(labels, nodes.get(i).node());
            if (isCompared[i]) {
                compared.add(nodes.get(i).node());
            }
        }
        double[] sums = sums(compared);
        long[] raw = new long[isCompared.length];
        int at = 0;
        for (int i = 0; i < raw.length; i++) {
            raw[i] = isCompared[i] ? Math.round(sums[at++]) : IGNORED;
        }
        return normalised(raw);
    }

    private double[] sums(List<Node> compared) {
        source.prepare(preferred.stream()
                .map(spread -> terms.matching(spread, NodeRequirement.NAME))
                .toList());
        SpreadNodes counting = new SpreadNodes(pod, preferred, source.nodes());
        Map<String, Placed> placed = new HashMap<>();
        double[] sums = new double[compared.size()];
        for (TopologySpread spread : preferred) {
            Placed domains = placed.computeIfAbsent(spread.topologyKey(), label -> new Placed(label, compared));
            int[] counts = counts(spread, counting, domains);
            double weight = StrictMath.log(domains.names.size() + 2.0);
            for (int i = 0; i < sums.length; i++) {
                sums[i] += counts[domains.domainOf[i]] * weight + (spread.maxSkew() - 1);
            }
        }
        return sums;
    }

    /** The matching pods in each domain of the nodes compared, on nodes that count. */
    private int[] counts(TopologySpread spread, SpreadNodes counting, Placed domains) {
        Counts byNode = source.counts(terms.matching(spread, NodeRequirement.NAME));
        if (spread.topologyKey().equals(HOSTNAME)) {
            return domains.reader.read(byNode);
        }
        SpreadNodes.Domains counted = counting.domains(spread);
        return domains.reader.read(counted.counted(counted.counts(byNode)));
    }

    /** In which domain each of some nodes is: by {@link #HOSTNAME} each in one of its own, of its name. */
    private static final class Placed {
        private final List<String> names = new ArrayList<>();
        private final int[] domainOf;
        private final CountedDomains.Reader reader;

        Placed(String label, List<Node> nodes) {
            Map<String, Integer> numbers = new HashMap<>();
            domainOf = new int[nodes.size()];
            for (int i = 0; i < domainOf.length; i++) {
                String name = domain(label, nodes.get(i));
                Integer number = numbers.putIfAbsent(name, names.size());
                domainOf[i] = number == null ? names.size() : number;
                if (number == null) {
                    names.add(name);
                }
            }
            reader = new CountedDomains.Reader(names);
        }

        private static String domain(String label, Node node) {
            String name = label.equals(HOSTNAME) ? node.name() : NodeLabels.value(label, node);
            return Objects.requireNonNull(name, label);
        }
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
