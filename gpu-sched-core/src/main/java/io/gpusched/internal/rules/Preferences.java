package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What decides among the nodes that a pod may go to, before the policy does: the sum of the scores that kube-scheduler's
 * plugins give, by its default weights. Not thread-safe; one for each decision.
 */
public final class Preferences {
    /*
     * Each plugin's raw numbers are made 0..100 over the nodes that are compared, as kube-scheduler 1.37 does: taints to be
     * avoided (fewest best), node affinity (sum of weights), pod affinity (sum of weights times pods, own wishes and those
     * of running pods), spread (fewest pods best). Weights are 3, 2, 2 and 2.
     */
    private static final long BEST = 100;
    private static final long TAINTS = 3;
    private static final long OTHERS = 2;

    private final Pod pod;
    private final RuleCounts counts;
    private final WishSums wishes;
    private final @Nullable SpreadScore spread;

    private Preferences(Pod pod, RuleCounts counts, WishSums wishes, @Nullable SpreadScore spread) {
        this.pod = pod;
        this.counts = counts;
        this.wishes = wishes;
        this.spread = spread;
    }

    /** Returns the preferences of a pod and those of running pods for it, or null if there are none. */
    static @Nullable Preferences of(Pod pod, RuleTerms terms, RuleCounts counts, List<Tally> held) {
        WishSums wishes = new WishSums();
        for (PodAffinity.Weighted wish : pod.rules().affinity().preferred()) {
            wishes.add(wish.term().topologyKey(), counts.counts(terms.matching(wish.term())), wish.weight());
        }
        for (PodAffinity.Weighted wish : pod.rules().antiAffinity().preferred()) {
            wishes.add(wish.term().topologyKey(), counts.counts(terms.matching(wish.term())), -wish.weight());
        }
        for (Tally tally : held) {
            if (tally.key() instanceof TallyKey.Holding holding) {
                wishes.add(holding.topology(), tally.counts(), holding.weight());
            }
        }
        List<TopologySpread> soft =
                pod.rules().spread().stream().filter(one -> !one.required()).toList();
        boolean none = wishes.isEmpty()
                && soft.isEmpty()
                && pod.rules().preferredNodes().isEmpty()
                && !counts.index().hasAvoided();
        return none
                ? null
                : new Preferences(
                        pod, counts, wishes, soft.isEmpty() ? null : new SpreadScore(pod, terms, soft, counts));
    }

    /** Whether nothing decides but taints that are to be avoided, so that nodes with the fewest of them are liked best. */
    public boolean isOfTaints() {
        return wishes.isEmpty()
                && spread == null
                && pod.rules().preferredNodes().isEmpty()
                && counts.index().mostAvoided() <= BEST;
    }

    /** Whether nothing decides but labels of nodes, so that nodes with the greatest sum of weights are liked best. */
    public boolean isOfLabels() {
        return wishes.isEmpty() && spread == null && !counts.index().hasAvoided();
    }

    /** Returns the most taints that are only to be avoided of any node. */
    public int mostAvoided() {
        return counts.index().mostAvoided();
    }

    /** Returns the levels of all that decides, if it is not more than pods and taints to be avoided; none if they cannot be told. */
    List<SoftTiers.Levels> levels() {
        if (!pod.rules().preferredNodes().isEmpty() || mostAvoided() > BEST) {
            return List.of();
        }
        List<SoftTiers.Levels> levels = new ArrayList<>(wishes.levels(counts));
        if (spread != null) {
            List<SoftTiers.Levels> more = spread.levels();
            if (more.isEmpty()) {
                return List.of();
            }
            levels.addAll(more);
        }
        if (!levels.isEmpty() && counts.index().hasAvoided()) {
            levels.add(SoftTiers.TAINTS);
        }
        return levels;
    }

    /** Returns how well each of some nodes is liked, compared with the others of them. O(nodes), with spread of all nodes. */
    public long[] scores(List<NodeState> nodes) {
        long[] sums = new long[nodes.size()];
        if (counts.index().hasAvoided()) {
            Predicate<Taint> tolerated = Taints.tolerated(pod.tolerations());
            add(sums, TAINTS, fewest(raw(nodes, node -> Taints.avoided(node.taints(), tolerated))));
        }
        if (!pod.rules().preferredNodes().isEmpty()) {
            TermIndex liked = TermIndex.of(pod.rules().preferredNodes());
            add(sums, OTHERS, most(raw(nodes, liked::weight)));
        }
        if (!wishes.isEmpty()) {
            add(sums, OTHERS, stretched(raw(nodes, wishes::of)));
        }
        if (spread != null) {
            add(sums, OTHERS, spread.scores(nodes));
        }
        return sums;
    }

    private interface Raw {
        long of(Node node);
    }

    private static long[] raw(List<NodeState> nodes, Raw raw) {
        long[] values = new long[nodes.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = raw.of(nodes.get(i).node());
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
