package io.gpusched.conformance.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** Translates a case's objects as anybody would: by the manifests and the device plugin's dialect. */
final class KubeCluster {
    private static final NamedDialect DIALECT =
            new NamedDialect(DevicePluginDialect.of("nvidia.com/gpu"), Set.of("nvidia.com/gpu"));
    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private KubeCluster() {}

    private static <T> T read(JsonNode json, Class<T> type) {
        return Objects.requireNonNull(SERIALIZATION.unmarshal(json.toString(), type), "object");
    }

    /** Returns a pod as it asks to be placed. */
    static io.gpusched.workload.Pod pod(JsonNode json) {
        return translated(ManifestReader.pod(read(json, Pod.class)));
    }

    private static io.gpusched.workload.Pod translated(PodManifest manifest) {
        return DIALECT.dialect().pod(manifest.counting(DIALECT::isCounted));
    }

    /**
     * Returns the cluster of a case. A node that holds more than it has, which Kubernetes lets happen, has nothing left here.
     *
     * @throws JsonProcessingException if an object is malformed
     */
    static Cluster of(JsonNode vector) throws JsonProcessingException {
        Map<String, Integer> running = new HashMap<>();
        vector.get("pods").forEach(pod -> running.merge(nodeOf(pod), 1, Integer::sum));
        List<io.gpusched.model.Node> nodes = new ArrayList<>();
        for (JsonNode node : vector.get("nodes")) {
            io.gpusched.model.Node machine = DIALECT.dialect()
                    .node(ManifestReader.reportedNode(read(node, Node.class)).counting(DIALECT::isCounted));
            int pods = Math.max(machine.maxPods(), running.getOrDefault(machine.name(), 0));
            nodes.add(machine.toBuilder().maxPods(pods).build());
        }
        Cluster cluster = Cluster.of(nodes);
        for (JsonNode namespace : vector.get("namespaces")) {
            Map<String, String> labels = new HashMap<>();
            namespace
                    .path("labels")
                    .properties()
                    .forEach(one -> labels.put(one.getKey(), one.getValue().asText()));
            cluster = cluster.withNamespace(namespace.get("name").asText(), labels);
        }
        for (JsonNode pod : vector.get("pods")) {
            NodeState node = cluster.node(nodeOf(pod)).orElseThrow();
            cluster = cluster.with(held(node, translated(ManifestReader.runningPod(read(pod, Pod.class)))));
        }
        return cluster;
    }

    private static String nodeOf(JsonNode pod) {
        return pod.at("/spec/nodeName").asText();
    }

    /** What a running pod holds: what it asks, or as much of it as is left. */
    private static Placement held(NodeState node, io.gpusched.workload.Pod pod) {
        Resources free = new Resources(node.freeCpuMillis(), node.freeMemoryMib(), node.freeNamed());
        return new Placement(pod.id(), node.name(), pod.resources().min(free), grants(node, pod)).withSpec(pod.spec());
    }

    /** Returns a place for a new pod on a node, with as many of its GPUs as are idle. */
    static Placement place(NodeState node, io.gpusched.workload.Pod pod) {
        return new Placement(pod.id(), node.name(), pod.resources(), grants(node, pod)).withSpec(pod.spec());
    }

    private static List<ContainerGrant> grants(NodeState node, io.gpusched.workload.Pod pod) {
        List<ContainerGrant> grants = new ArrayList<>();
        // Sidecars first: an init container takes GPUs beside the sidecars before it, ordinary ones beside all.
        int sidecars = 0;
        int ordinary = count(pod, ContainerKind.SIDECAR);
        for (Container container : pod.containers()) {
            int count = container.gpu().count();
            int from = container.kind() == ContainerKind.ORDINARY ? ordinary : sidecars;
            grants.add(new ContainerGrant(container.name(), container.kind(), grant(node, from, from + count)));
            sidecars += container.kind() == ContainerKind.SIDECAR ? count : 0;
            ordinary += container.kind() == ContainerKind.ORDINARY ? count : 0;
        }
        return grants;
    }

    private static int count(io.gpusched.workload.Pod pod, ContainerKind kind) {
        return pod.containers().stream()
                .filter(container -> container.kind() == kind)
                .mapToInt(container -> container.gpu().count())
                .sum();
    }

    /** Some of the idle GPUs, by their positions among these; as many as there are. */
    private static GpuGrant grant(NodeState node, int from, int to) {
        List<Integer> idle =
                IntStream.range(0, node.gpuCount()).filter(node::isIdle).boxed().toList();
        List<Integer> taken = idle.subList(Math.min(from, idle.size()), Math.min(to, idle.size()));
        return taken.isEmpty() ? GpuGrant.none() : new GpuGrant.Whole(taken);
    }
}
