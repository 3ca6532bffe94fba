package io.gpusched.conformance.t9k;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.conformance.Answers;
import io.gpusched.conformance.NodeFixture;
import io.gpusched.conformance.VectorCase;
import io.gpusched.conformance.VectorKind;
import io.gpusched.conformance.emulation.T9kDuration;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.dialect.t9k.T9kPodGroup;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The kinds of T9k's cases about nodes, gangs and durations; those about queues are in {@link T9kQueueKinds}. */
public final class T9kKinds {
    private static final String SYSTEM = "t9k-scheduler";
    private static final T9kDialect DIALECT = T9kDialect.of();

    private T9kKinds() {}

    public static List<VectorKind> all() {
        return List.of(
                VectorKind.comparing(SYSTEM, "mode-compat", T9kKinds::modeCompat),
                VectorKind.comparing(SYSTEM, "node-taint", T9kKinds::nodeTaint),
                VectorKind.comparing(SYSTEM, "gang-gate", T9kKinds::gangGate),
                VectorKind.emulating(SYSTEM, "duration-parse", T9kKinds::duration),
                VectorKind.of(SYSTEM, "runtime-env", T9kEnvironmentKind::run),
                VectorKind.emulating(SYSTEM, "queue-order", T9kQueueKinds::queueOrder),
                VectorKind.comparing(SYSTEM, "group-order", T9kQueueKinds::groupOrder),
                VectorKind.of(SYSTEM, "selector", T9kQueueKinds::selector),
                VectorKind.of(SYSTEM, "admission", T9kQueueKinds::admission),
                VectorKind.of(SYSTEM, "preemption", T9kQueueKinds::preemption));
    }

    /** A node of the mode with two idle GPUs: does the pod get a place? */
    private static JsonNode modeCompat(VectorCase vector) {
        YamlNode resource = vector.request().need("resource");
        String amount = resource.text().endsWith("percent") ? "50" : "1";
        PodManifest pod =
                PodManifest.of("pod", List.of(ContainerManifest.limits("main", Map.of(resource.text(), amount))));
        Cluster cluster = Cluster.of(List.of(DIALECT.node(node(vector.given().need("nodeMode")))));
        return NodeFixture.placement(DialectScheduler.of(DIALECT).schedule(cluster, pod))
                .map(placement ->
                        Answers.object().put("allowed", !placement.gpus().isEmpty() || placement.holdsWholeNode()))
                .orElseGet(() -> Answers.object().put("allowed", false));
    }

    private static NodeManifest node(YamlNode mode) {
        Map<String, String> labels = Map.of(
                T9kDialect.ACCELERATOR,
                "nvidia-gpu",
                T9kDialect.NODE_ALLOC_MODE,
                mode.text(),
                "nvidia.com/gpu.count",
                "2");
        return NodeManifest.of("node", labels, Map.of());
    }

    private static JsonNode nodeTaint(VectorCase vector) {
        YamlNode mode = vector.given().need("nodeMode");
        Node node = DIALECT.node(node(mode));
        ObjectNode answer = Answers.object();
        if (node.taints().isEmpty()) {
            answer.putNull("taint");
        }
        node.taints().forEach(taint -> answer.put("taint", taint.key() + "=" + taint.value() + ":NoSchedule"));
        YamlNode resource = vector.request().at("resource");
        if (resource.isPresent()) {
            Pod pod = DIALECT.pod(PodManifest.of(
                    "pod", List.of(ContainerManifest.limits("main", Map.of(resource.text(), "1")))));
            answer.put("tolerated", pod.tolerations().stream().anyMatch(t -> t.tolerates(T9kDialect.XGN_TAINT)));
        }
        return answer;
    }

    private static JsonNode gangGate(VectorCase vector) {
        YamlNode given = vector.given().need("podGroup");
        Map<String, Integer> roles = new LinkedHashMap<>();
        given.at("roles")
                .list()
                .forEach(role -> roles.put(
                        role.need("name").text(), role.need("minMember").integer()));
        T9kPodGroup group = new T9kPodGroup("group", given.need("minMember").integer(), roles);
        List<YamlNode> members = vector.request().need("pods").list();
        boolean open = group.hasSufficientMembers(members.stream()
                .map(pod -> new T9kPodGroup.Member(
                        pod.at("role").textOr(""), pod.need("phase").text()))
                .toList());
        int room = given.at("clusterCanStartTogether").integerOr(members.size());
        return Answers.object()
                .put("mayBeScheduled", open)
                .put("scheduledPods", open ? scheduled(group, members, room) : 0);
    }

    /** Puts the members that have not failed to a cluster with room for so many. */
    private static int scheduled(T9kPodGroup group, List<YamlNode> members, int room) {
        Map<String, List<Pod>> pods = new LinkedHashMap<>();
        for (YamlNode member : members) {
            if (!member.need("phase").text().equals("Failed")) {
                String name =
                        "pod-" + pods.values().stream().mapToInt(List::size).sum();
                Pod pod = DIALECT.pod(PodManifest.of(name, List.of(ContainerManifest.limits("main", Map.of()))));
                pods.computeIfAbsent(member.at("role").textOr(""), role -> new ArrayList<>())
                        .add(pod);
            }
        }
        Cluster cluster = Cluster.of(List.of(Node.builder("node").maxPods(room).build()));
        try {
            GroupDecision decision = GpuScheduler.create().schedule(cluster, group.group(pods));
            return decision instanceof GroupPlaced placed ? placed.placements().size() : 0;
        } catch (RefusedException e) {
            return 0;
        }
    }

    private static ObjectNode duration(VectorCase vector) {
        return Answers.object()
                .put(
                        "valid",
                        T9kDuration.isValid(vector.request().need("maxDuration").text()));
    }
}
