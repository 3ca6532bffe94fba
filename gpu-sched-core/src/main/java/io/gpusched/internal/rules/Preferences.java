package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What decides among the nodes that a pod may go to, before the policy does: the sum of the scores that kube-scheduler's
 * plugins give, by its default weights. Not thread-safe; one for each decision.
 */
public final class Preferences {
    /*
     * Each plugin's raw numbers are made 0..100 over the nodes that are compared, as kube-scheduler 1.37 does: taints to be
     * avoided (fewest best), node affinity (sum of weights), pod affinity (sum of weights times pods, of the pod's own terms and those
     * of running pods), spread (fewest pods best). Weights are 3, 2, 2 and 2.
     */
    private static final long BEST = 100;

    /** The greatest weight of a preferred term. */
    private static final long MOST_WEIGHT = 100;

    private static final long TAINTS = 3;
    private static final long OTHERS = 2;

    private final Pod pod;
    private final RuleCounts counts;

    /** What pods around make of nodes, by the label over whose domains they count. */
    private final Collection<DomainSums> around;

    private final @Nullable SpreadScore spread;

    private Preferences(Pod pod, RuleCounts counts, Collection<DomainSums> around, @Nullable SpreadScore spread) {
        this.pod = pod;
        this.counts = counts;
        this.around = around;
        this.spread = spread;
    }

    /** Returns the preferences of a pod and those of running pods for it, or null if there are none. */
    static @Nullable Preferences of(
            Pod pod, RuleTerms terms, RuleCounts counts, List<Tally> held, List<DomainSums> groups) {
        Map<String, DomainSums> around = new TreeMap<>();
        for (DomainSums group : groups) {
            group.counts().forEach(domains -> add(around, group.key(), domains, MOST_WEIGHT));
        }
        for (PodAffinity.Weighted preferred : pod.rules().affinity().preferred()) {
            add(
                    around,
                    preferred.term().topologyKey(),
                    counts.counts(terms.matching(preferred.term())),
                    preferred.weight());
        }
        for (PodAffinity.Weighted preferred : pod.rules().antiAffinity().preferred()) {
            add(
                    around,
                    preferred.term().topologyKey(),
                    counts.counts(terms.matching(preferred.term())),
                    -preferred.weight());
        }
        for (Tally tally : held) {
            if (tally.key() instanceof TallyKey.Holding holding) {
                add(around, holding.topology(), tally.counts(), holding.weight());
            }
        }
        List<TopologySpread> soft =
                pod.rules().spread().stream().filter(one -> !one.required()).toList();
        SpreadScore spread = soft.isEmpty() ? null : new SpreadScore(pod, terms, soft, counts);
        Preferences all = new Preferences(pod, counts, around.values(), spread);
        return all.isBetweenPods() || all.hasAvoided() || !all.labels().isEmpty() ? all : null;
    }

    private static void add(Map<String, DomainSums> around, String label, DomainCounts counts, long weight) {
        if (counts.size() > 0) {
            around.computeIfAbsent(label, DomainSums::new).add(counts, weight);
        }
    }

    private boolean isBetweenPods() {
        return !around.isEmpty() || spread != null;
    }

    /** Whether nothing decides but taints that are to be avoided, so that the nodes with the fewest of them are best. */
    boolean isOfTaints() {
        return !isBetweenPods() && labels().isEmpty() && mostAvoided() <= BEST;
    }

    /** Whether nothing decides but labels of nodes, so that the nodes with the greatest sum of weights are best. */
    boolean isOfLabels() {
        return !isBetweenPods() && !hasAvoided();
    }

    /** The preferred terms of node affinity. */
    List<NodePreference> labels() {
        return pod.rules().preferredNodes();
    }

    /** The number of alternatives of the pod's own selector, at least 1. */
    long selectors() {
        return Math.max(1, pod.nodeSelector().terms().size());
    }

    boolean hasAvoided() {
        return counts.hasAvoided();
    }

    /** The most taints that are only to be avoided of any node. */
    int mostAvoided() {
        return counts.mostAvoided();
    }

    /** Returns the levels of all that decides, if it is not more than pods and taints to be avoided; none if they cannot be told. */
    List<DomainLevels> levels() {
        if (!labels().isEmpty() || mostAvoided() > BEST) {
            return List.of();
        }
        List<DomainLevels> levels = new ArrayList<>();
        around.forEach(sums -> levels.add(DomainLevels.of(sums, counts)));
        for (TopologySpread constraint : spread == null ? List.<TopologySpread>of() : spread.constraints()) {
            DomainSums sums = spread == null ? null : spread.sums(constraint);
            if (sums == null) {
                return List.of();
            }
            levels.add(DomainLevels.ofSpread(constraint.topologyKey(), sums, counts));
        }
        return levels;
    }

    /** Returns what each of some nodes scores, compared with the others of them. O(nodes), with spread of all nodes. */
    public long[] scores(List<NodeState> nodes) {
        long[] sums = new long[nodes.size()];
        if (hasAvoided()) {
            Predicate<Taint> tolerated = Taints.tolerated(pod.tolerations());
            add(sums, TAINTS, fewest(raw(nodes, node -> Taints.avoided(node.taints(), tolerated))));
        }
        if (!labels().isEmpty()) {
            add(sums, OTHERS, most(raw(nodes, this::labels)));
        }
        if (!around.isEmpty()) {
            add(sums, OTHERS, stretched(raw(nodes, this::around)));
        }
        if (spread != null) {
            add(sums, OTHERS, spread.scores(nodes));
        }
        return sums;
    }

    private long labels(Node node) {
        long sum = 0;
        for (NodePreference preference : labels()) {
            sum += preference.term().matches(node) ? preference.weight() : 0;
        }
        return sum;
    }

    private long around(Node node) {
        long sum = 0;
        for (DomainSums sums : around) {
            sum += sums.of(node);
        }
        return sum;
    }

    private static long[] raw(List<NodeState> nodes, ToLongFunction<Node> raw) {
        long[] values = new long[nodes.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = raw.applyAsLong(nodes.get(i).node());
        }
        return values;
    }

    private static void add(long[] sums, long weight, long[] scores) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += weight * scores[i];
        }
    }

    private static long[] most(long[] raw) {
        long most = Arrays.stream(raw).max().orElse(0);
        return most == 0
                ? raw
                : Arrays.stream(raw).map(value -> BEST * value / most).toArray();
    }

    private static long[] fewest(long[] raw) {
        long most = Arrays.stream(raw).max().orElse(0);
        return Arrays.stream(raw)
                .map(value -> most == 0 ? BEST : BEST - BEST * value / most)
                .toArray();
    }

    private static long[] stretched(long[] raw) {
        long least = Arrays.stream(raw).min().orElse(0);
        long most = Arrays.stream(raw).max().orElse(0);
        return Arrays.stream(raw)
                .map(value -> most == least ? 0 : (long) (BEST * ((double) (value - least) / (most - least))))
                .toArray();
    }
}
