package io.gpusched.cli.place;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.manifests.cluster.ClusterObjects;
import io.gpusched.manifests.cluster.FoundDialects;
import io.gpusched.manifests.cluster.SeenCluster;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.objects.UnhonouredConstraints;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.manifests.yaml.YamlReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** One case that kube-scheduler answered, put to the library on the way that {@code place} takes. */
record KubeSchedulerCase(JsonNode json) {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final NamedDialect DIALECT =
            new NamedDialect(DevicePluginDialect.of("nvidia.com/gpu"), Set.of("nvidia.com/gpu"));
    private static final String INSUFFICIENT = "Insufficient ";
    private static final Set<String> COUNTED = Set.of("cpu", "memory", "nvidia.com/gpu");

    static List<KubeSchedulerCase> read(Path file) {
        try {
            List<KubeSchedulerCase> cases = new ArrayList<>();
            JSON.readTree(file.toFile()).forEach(json -> cases.add(new KubeSchedulerCase(json)));
            return cases;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns this case with every byte of memory become a MiB, so that rounding to MiB changes nothing. */
    KubeSchedulerCase withoutRounding() {
        JsonNode copy = json.deepCopy();
        copy.findParents("memory").forEach(parent -> {
            String bytes = Quantity.parse(parent.get("memory").asText()).value().toPlainString();
            ((ObjectNode) parent).put("memory", bytes + "Mi");
        });
        return new KubeSchedulerCase(copy);
    }

    private KubernetesFile file(Notes notes, List<JsonNode> objects) {
        return new KubernetesFile(documents(objects), notes);
    }

    private List<YamlNode> documents(List<JsonNode> objects) {
        return YamlReader.parse(
                toString(), objects.stream().map(JsonNode::toString).collect(Collectors.joining("\n---\n")));
    }

    private SeenCluster seen() {
        List<JsonNode> objects = new ArrayList<>();
        json.get("nodes").forEach(objects::add);
        json.get("pods").forEach(objects::add);
        return SeenCluster.of(ClusterObjects.of(documents(objects)), FoundDialects.named(List.of(DIALECT)));
    }

    /** Returns by node whether the pod goes there, as the library says. */
    Map<String, Boolean> answers() {
        Notes notes = new Notes(named());
        Cluster cluster = seen().cluster();
        KubernetesFile asked = file(notes, List.of(json.get("pod")));
        Pod pod = new KubernetesRequest(asked, DIALECT, notes, cluster, Optional.empty())
                .read(asked.ofKind("Pod").get(0))
                .pods()
                .get(0);
        Map<String, Boolean> answers = new TreeMap<>();
        for (NodeState node : cluster.nodes()) {
            answers.put(
                    node.name(),
                    GpuScheduler.builder()
                            .policy(DIALECT.dialect().policy())
                            .memory(0)
                            .build()
                            .place(node, pod)
                            .isPresent());
        }
        return answers;
    }

    /** Returns what of the pod is named as not honoured. */
    Set<String> named() {
        return named(counted());
    }

    private Set<String> named(Set<String> counted) {
        KubernetesFile file = file(new Notes(Set.of()), List.of(json.get("pod")));
        return UnhonouredConstraints.of(file.pod(file.ofKind("Pod").get(0)), DIALECT.served(counted), counted).stream()
                .map(UnhonouredConstraint::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns by node whether kube-scheduler let the pod go there, resources aside that the library does not count. */
    Map<String, Boolean> expected() {
        Map<String, Boolean> expected = new TreeMap<>();
        json.at("/expected/feasible").forEach(name -> expected.put(name.asText(), true));
        json.at("/expected/infeasible").properties().forEach(node -> {
            boolean only = true;
            for (JsonNode reason : node.getValue().get("reasons")) {
                only &= isUncounted(reason.asText());
            }
            expected.put(node.getKey(), only);
        });
        return expected;
    }

    /** Returns the resources that made kube-scheduler refuse a node and that the library does not count. */
    Set<String> uncounted() {
        Set<String> resources = new TreeSet<>();
        json.at("/expected/infeasible")
                .forEach(node -> node.get("reasons").forEach(reason -> {
                    if (isUncounted(reason.asText())) {
                        resources.add(reason.asText().substring(INSUFFICIENT.length()));
                    }
                }));
        return resources;
    }

    /** What no node reports is not counted, unless the library always does. */
    private boolean isUncounted(String reason) {
        String resource = reason.substring(reason.startsWith(INSUFFICIENT) ? INSUFFICIENT.length() : 0);
        return reason.startsWith(INSUFFICIENT)
                && !COUNTED.contains(resource)
                && !counted().contains(resource);
    }

    /** Returns the resources that nodes report and that are counted by name. */
    private Set<String> counted() {
        return NamedDialect.counted(seen().cluster());
    }

    @Override
    public String toString() {
        return json.get("name").asText();
    }
}
