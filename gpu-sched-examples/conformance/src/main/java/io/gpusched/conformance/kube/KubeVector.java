package io.gpusched.conformance.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Difference;
import io.gpusched.conformance.Outcome;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Reason.Code;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.Quantity;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.verify.Law;
import io.gpusched.verify.Verifier;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One pod, one small cluster, and what kube-scheduler said of each node. The library is asked node by node, with the pod bound
 * to that node; then once without that, and the node it chooses must be one that kube-scheduler's preferences score highest.
 */
public final class KubeVector {
    /** The plugins that say what a pod prefers, with their weights; the others compare room, which is the policy's affair. */
    private static final Map<String, Long> PREFERENCES =
            Map.of("TaintToleration", 3L, "NodeAffinity", 2L, "PodTopologySpread", 2L, "InterPodAffinity", 2L);

    private static final String PASSED = "passed";

    private final JsonNode json;
    private final List<Difference> differences = new ArrayList<>();

    private KubeVector(JsonNode json) {
        this.json = json;
    }

    /** Runs a case; a pod as it was before the API server merged its label keys must be answered alike. */
    public static Outcome run(JsonNode json) throws JsonProcessingException {
        KubeVector vector = new KubeVector(withoutRounding(json));
        Cluster cluster = KubeCluster.of(vector.json);
        vector.compare(cluster, KubeCluster.pod(vector.json.get("pod")), "pod");
        if (vector.json.path("podSubmitted").isObject()) {
            vector.compare(cluster, KubeCluster.pod(vector.json.get("podSubmitted")), "podSubmitted");
        }
        return Outcome.of(vector.differences);
    }

    /** Every byte of memory becomes a MiB, so that rounding to MiB, which the library does, changes nothing. */
    private static JsonNode withoutRounding(JsonNode json) {
        JsonNode copy = json.deepCopy();
        copy.findParents("memory").forEach(parent -> {
            String bytes = Quantity.parse(parent.get("memory").asText()).value().toPlainString();
            ((ObjectNode) parent).put("memory", bytes + "Mi");
        });
        return copy;
    }

    private void compare(Cluster cluster, Pod pod, String name) {
        Map<String, String> answers = new TreeMap<>();
        for (NodeState node : cluster.nodes()) {
            answers.put(node.name(), answer(cluster, pod, node.name()));
        }
        Map<String, String> expected = expected();
        answers.forEach((node, answer) -> {
            String wanted = expected.get(node);
            if (!answer.equals(wanted)) {
                differences.add(new Difference(name + " on " + node, String.valueOf(wanted), answer));
            }
        });
        compareChoice(cluster, pod, name);
        compareChecker(cluster, pod, name);
    }

    /** The checker, which shares no code with the scheduler, must name the plugin that refuses a node, and nothing where none does. */
    private void compareChecker(Cluster cluster, Pod pod, String name) {
        expected().forEach((node, wanted) -> {
            Placement there = KubeCluster.place(cluster.node(node).orElseThrow(), pod);
            Set<String> named = Verifier.create().check(cluster, pod, there).stream()
                    .map(violation -> plugin(violation.law()))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (wanted.equals(PASSED) ? !named.isEmpty() : !named.contains(wanted)) {
                differences.add(new Difference(name + " on " + node + ", checker", wanted, named.toString()));
            }
        });
    }

    private String plugin(Law law) {
        JsonNode before = json.at("/expected/preFilter");
        if (before.isObject()) {
            return before.get("plugin").asText();
        }
        return switch (law) {
            case CORDON -> "NodeUnschedulable";
            case TAINT -> "TaintToleration";
            case NODE_SELECTOR -> "NodeAffinity";
            case NODE_NAME -> "NodeName";
            case HOST_PORT -> "NodePorts";
            case TOPOLOGY_SPREAD -> "PodTopologySpread";
            case POD_AFFINITY -> "InterPodAffinity, near";
            case POD_ANTI_AFFINITY -> "InterPodAffinity, apart";
            default -> "NodeResourcesFit";
        };
    }

    private Map<String, String> expected() {
        Map<String, String> expected = new TreeMap<>();
        json.at("/expected/feasible").forEach(node -> expected.put(node.asText(), PASSED));
        json.at("/expected/infeasible")
                .properties()
                .forEach(node -> expected.put(node.getKey(), expected(node.getValue())));
        return expected;
    }

    private static String expected(JsonNode refusal) {
        String plugin = refusal.get("plugin").asText();
        boolean near = refusal.get("reasons").toString().contains("didn't match pod affinity rules");
        return plugin.equals("InterPodAffinity") ? plugin + (near ? ", near" : ", apart") : plugin;
    }

    private String answer(Cluster cluster, Pod pod, String node) {
        Pod there = pod.withRules(pod.rules().withNodeName(node));
        Decision decision = GpuScheduler.create().schedule(cluster, there);
        if (decision instanceof Unschedulable refusal) {
            return refusal.diagnosis().reasons().stream()
                    .map(Reason::code)
                    .filter(code -> code != Code.NODE_NAME)
                    .map(this::plugin)
                    .findFirst()
                    .orElse("NodeName");
        }
        return PASSED;
    }

    /** Where kube-scheduler gave up before it looked at nodes, it says the same of each. */
    private String plugin(Code code) {
        JsonNode before = json.at("/expected/preFilter");
        if (before.isObject()) {
            return before.get("plugin").asText();
        }
        return switch (code) {
            case CORDONED -> "NodeUnschedulable";
            case TAINT -> "TaintToleration";
            case NODE_SELECTOR -> "NodeAffinity";
            case HOST_PORT -> "NodePorts";
            case TOPOLOGY_SPREAD -> "PodTopologySpread";
            case POD_AFFINITY -> "InterPodAffinity, near";
            case POD_ANTI_AFFINITY -> "InterPodAffinity, apart";
            default -> "NodeResourcesFit";
        };
    }

    private void compareChoice(Cluster cluster, Pod pod, String name) {
        Map<String, Long> sums = new TreeMap<>();
        json.at("/expected/feasible").forEach(node -> sums.put(node.asText(), 0L));
        PREFERENCES.forEach((plugin, weight) -> json.path("scores")
                .path(plugin)
                .properties()
                .forEach(score ->
                        sums.merge(score.getKey(), weight * score.getValue().asLong(), Long::sum)));
        long best = sums.values().stream().mapToLong(Long::longValue).max().orElse(0);
        Decision decision = GpuScheduler.of((before, after, asked) -> 0).schedule(cluster, pod);
        if (decision instanceof Placed placed
                && !json.at("/expected/scoreError").isValueNode()) {
            String node = placed.placement().node();
            if (sums.getOrDefault(node, -1L) != best) {
                differences.add(new Difference(name + ", choice", best + " of " + sums, node));
            }
        }
    }
}
