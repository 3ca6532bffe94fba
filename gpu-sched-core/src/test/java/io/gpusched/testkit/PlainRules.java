package io.gpusched.testkit;

import io.gpusched.decision.Reason.Code;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Kubernetes' rules between pods, the slow and obvious way: every question goes through all nodes and all pods. It shares no
 * code with the library's own.
 */
public final class PlainRules {
    private final Cluster cluster;
    private final Pod pod;

    /** A pod that runs, and its node. */
    record Running(Pod pod, Node node) {}

    private final List<Running> running = new ArrayList<>();

    PlainRules(Cluster cluster, Pod pod) {
        this.cluster = cluster;
        this.pod = pod;
        for (NodeState node : cluster.nodes()) {
            for (Placement placement : node.placements()) {
                running.add(new Running(Pod.of(placement).orElseThrow(), node.node()));
            }
        }
    }

    List<Running> running() {
        return running;
    }

    /** Returns the first rule, in kube-scheduler's order and room aside, that keeps a pod away from a node. */
    public static Optional<Code> refusal(Cluster cluster, Pod pod, NodeState node) {
        return new PlainRules(cluster, pod).refusal(node.node());
    }

    private Optional<Code> refusal(Node node) {
        if (!pod.rules().nodeName().map(node.name()::equals).orElse(true)) {
            return Optional.of(Code.NODE_NAME);
        }
        if (node.cordoned() && !tolerates(Taint.noSchedule("node.kubernetes.io/unschedulable", ""))) {
            return Optional.of(Code.CORDONED);
        }
        if (!toleratesAll(node)) {
            return Optional.of(Code.TAINT);
        }
        if (!selects(node)) {
            return Optional.of(Code.NODE_SELECTOR);
        }
        if (!hasPorts(node)) {
            return Optional.of(Code.HOST_PORT);
        }
        if (!isEven(node)) {
            return Optional.of(Code.TOPOLOGY_SPREAD);
        }
        if (!isNear(node)) {
            return Optional.of(Code.POD_AFFINITY);
        }
        return isApart(node) && isLetIn(node) ? Optional.empty() : Optional.of(Code.POD_ANTI_AFFINITY);
    }

    boolean tolerates(Taint taint) {
        return pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
    }

    boolean toleratesAll(Node node) {
        return node.taints().stream().allMatch(taint -> !taint.effect().forbids() || tolerates(taint));
    }

    boolean selects(Node node) {
        return pod.nodeSelector().terms().isEmpty()
                || pod.nodeSelector().terms().stream()
                        .anyMatch(term ->
                                term.requirements().stream().allMatch(requirement -> requirement.matches(node)));
    }

    private boolean hasPorts(Node node) {
        for (Running other : running) {
            for (HostPort theirs : other.pod.rules().hostPorts()) {
                boolean here = other.node.name().equals(node.name());
                if (here && pod.rules().hostPorts().stream().anyMatch(theirs::conflictsWith)) {
                    return false;
                }
            }
        }
        return true;
    }

    boolean means(PodAffinity.Term term, Pod owner, Pod other) {
        String namespace = other.id().namespace();
        Map<String, String> labels = cluster.namespaces().getOrDefault(namespace, Map.of());
        boolean none = term.namespaces().isEmpty() && term.namespaceSelector().isEmpty();
        boolean named = none
                ? namespace.equals(owner.id().namespace())
                : term.namespaces().contains(namespace);
        boolean selected = term.namespaceSelector()
                .map(selector -> selector.matches(labels))
                .orElse(false);
        return (named || selected) && term.pods().matches(other.rules().labels());
    }

    static boolean sameDomain(Node one, Node other, String key) {
        String value = one.labels().get(key);
        return value != null && value.equals(other.labels().get(key));
    }

    private boolean isNear(Node node) {
        List<PodAffinity.Term> terms = pod.rules().affinity().required();
        if (terms.stream().anyMatch(term -> !node.labels().containsKey(term.topologyKey()))) {
            return false;
        }
        List<Running> matching = running.stream()
                .filter(other -> terms.stream().allMatch(term -> means(term, pod, other.pod)))
                .toList();
        boolean served = terms.stream()
                .allMatch(
                        term -> matching.stream().anyMatch(other -> sameDomain(node, other.node, term.topologyKey())));
        boolean nobody = terms.stream()
                .noneMatch(term ->
                        matching.stream().anyMatch(other -> other.node.labels().containsKey(term.topologyKey())));
        return served || nobody && terms.stream().allMatch(term -> means(term, pod, pod));
    }

    private boolean isApart(Node node) {
        return pod.rules().antiAffinity().required().stream()
                .noneMatch(term -> running.stream()
                        .anyMatch(other ->
                                means(term, pod, other.pod) && sameDomain(node, other.node, term.topologyKey())));
    }

    private boolean isLetIn(Node node) {
        return running.stream()
                .noneMatch(other -> other.pod.rules().antiAffinity().required().stream()
                        .anyMatch(term ->
                                means(term, other.pod, pod) && sameDomain(node, other.node, term.topologyKey())));
    }

    private boolean isEven(Node node) {
        List<TopologySpread> hard =
                pod.rules().spread().stream().filter(TopologySpread::required).toList();
        for (TopologySpread spread : hard) {
            String here = node.labels().get(spread.topologyKey());
            if (here == null) {
                return false;
            }
            Map<String, Integer> counts = new HashMap<>();
            for (NodeState state : cluster.nodes()) {
                if (counts(state.node(), spread, hard)) {
                    counts.merge(state.node().labels().get(spread.topologyKey()), like(state, spread), Integer::sum);
                }
            }
            int least =
                    counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
            int fewest = counts.size() < spread.minDomains() ? 0 : least;
            int self = spread.pods().matches(pod.rules().labels()) ? 1 : 0;
            if (counts.getOrDefault(here, 0) + self - fewest > spread.maxSkew()) {
                return false;
            }
        }
        return true;
    }

    private boolean counts(Node node, TopologySpread spread, List<TopologySpread> hard) {
        return hard.stream().allMatch(one -> node.labels().containsKey(one.topologyKey()))
                && (!spread.honorsNodeSelector() || selects(node))
                && (!spread.honorsTaints() || toleratesAll(node));
    }

    int like(NodeState state, TopologySpread spread) {
        if (spread.pods().equals(LabelSelector.ALL)) {
            return 0;
        }
        return (int) running.stream()
                .filter(other -> other.node.name().equals(state.name()))
                .filter(other -> other.pod.id().namespace().equals(pod.id().namespace()))
                .filter(other -> !other.pod.rules().terminating())
                .filter(other -> spread.pods().matches(other.pod.rules().labels()))
                .count();
    }
}
