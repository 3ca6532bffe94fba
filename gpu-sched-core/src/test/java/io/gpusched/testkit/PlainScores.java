package io.gpusched.testkit;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Taint;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.TopologySpread;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * How kube-scheduler weighs nodes by a pod's preferences and those of running pods, the slow and obvious way: every question goes
 * through all nodes and all pods. It shares no code with the library's own.
 */
public final class PlainScores {
    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final long IGNORED = Long.MIN_VALUE;

    private final PlainRules rules;
    private final Cluster cluster;
    private final Pod pod;
    private final List<Node> compared;
    private final List<TopologySpread> soft;

    private PlainScores(Cluster cluster, Pod pod, List<NodeState> compared) {
        this.rules = new PlainRules(cluster, pod);
        this.cluster = cluster;
        this.pod = pod;
        this.compared = compared.stream().map(NodeState::node).toList();
        this.soft = pod.rules().spread().stream().filter(one -> !one.required()).toList();
    }

    /** Returns those of the nodes with room, at least one, that score highest. */
    public static List<NodeState> best(Cluster cluster, Pod pod, List<NodeState> withRoom) {
        long[] scores = new PlainScores(cluster, pod, withRoom).scores();
        long best = IntStream.range(0, scores.length)
                .mapToLong(i -> scores[i])
                .max()
                .orElseThrow();
        return IntStream.range(0, scores.length)
                .filter(i -> scores[i] == best)
                .mapToObj(withRoom::get)
                .toList();
    }

    private long[] scores() {
        long mostTaints = greatest(this::taints);
        long mostLiked = greatest(this::liked);
        long mostWished = greatest(this::wished);
        long leastWished = -greatest(node -> -wished(node));
        long mostSpread = Math.max(0, greatest(this::spread));
        long leastSpread = -greatest(node -> spread(node) == IGNORED ? -Long.MAX_VALUE : -spread(node));
        return compared.stream()
                .mapToLong(node -> 3 * (mostTaints == 0 ? 100 : 100 - 100 * taints(node) / mostTaints)
                        + 2 * (mostLiked == 0 ? 0 : 100 * liked(node) / mostLiked)
                        + 2 * stretched(wished(node), leastWished, mostWished)
                        + 2
                                * (spread(node) == IGNORED
                                        ? 0
                                        : mostSpread == 0
                                                ? 100
                                                : 100 * (mostSpread + leastSpread - spread(node)) / mostSpread))
                .toArray();
    }

    /** As kube-scheduler does it, in floating point and cut: 29 of 100 are 28. */
    private static long stretched(long value, long least, long most) {
        return most == least ? 0 : (long) (100 * ((double) (value - least) / (most - least)));
    }

    private long greatest(ToLongFunction<Node> number) {
        return compared.stream().mapToLong(number).max().orElseThrow();
    }

    private long taints(Node node) {
        return node.taints().stream()
                .filter(taint -> taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE)
                .filter(taint -> !rules.tolerates(taint))
                .count();
    }

    private long liked(Node node) {
        return pod.rules().preferredNodes().stream()
                .filter(preference -> preference.term().matches(node))
                .mapToLong(NodePreference::weight)
                .sum();
    }

    /** A running pod's required affinity counts as a wish of weight 1. */
    private long wished(Node node) {
        long sum = 0;
        for (PlainRules.Running other : rules.running()) {
            sum += sum(pod, other.pod(), pod.rules().affinity().preferred(), node, other.node());
            sum -= sum(pod, other.pod(), pod.rules().antiAffinity().preferred(), node, other.node());
            sum += sum(other.pod(), pod, other.pod().rules().affinity().preferred(), node, other.node());
            sum -= sum(other.pod(), pod, other.pod().rules().antiAffinity().preferred(), node, other.node());
            List<PodAffinity.Weighted> required = other.pod().rules().affinity().required().stream()
                    .map(term -> new PodAffinity.Weighted(1, term))
                    .toList();
            sum += sum(other.pod(), pod, required, node, other.node());
        }
        return sum;
    }

    private long sum(Pod owner, Pod meant, List<PodAffinity.Weighted> wishes, Node one, Node other) {
        return wishes.stream()
                .filter(wish -> rules.means(wish.term(), owner, meant))
                .filter(wish -> PlainRules.sameDomain(one, other, wish.term().topologyKey()))
                .mapToLong(PodAffinity.Weighted::weight)
                .sum();
    }

    private long spread(Node node) {
        if (!hasLabels(node)) {
            return IGNORED;
        }
        double sum = 0;
        for (TopologySpread spread : soft) {
            sum += pods(spread, node) * Math.log(domains(spread.topologyKey()) + 2.0) + (spread.maxSkew() - 1);
        }
        return Math.round(sum);
    }

    private boolean hasLabels(Node node) {
        return soft.stream().allMatch(spread -> node.labels().containsKey(spread.topologyKey()));
    }

    private long domains(String key) {
        return compared.stream()
                .filter(this::hasLabels)
                .map(node -> key.equals(HOSTNAME) ? node.name() : node.labels().get(key))
                .distinct()
                .count();
    }

    private long pods(TopologySpread spread, Node node) {
        long pods = 0;
        for (NodeState state : cluster.nodes()) {
            boolean counts = spread.topologyKey().equals(HOSTNAME)
                    ? state.name().equals(node.name())
                    : PlainRules.sameDomain(node, state.node(), spread.topologyKey())
                            && hasLabels(state.node())
                            && (!spread.honorsNodeSelector() || rules.selects(state.node()))
                            && (!spread.honorsTaints() || rules.toleratesAll(state.node()));
            boolean nobody = spread.pods().equals(LabelSelector.ALL);
            pods += counts && !nobody ? rules.like(state, spread) : 0;
        }
        return pods;
    }
}
