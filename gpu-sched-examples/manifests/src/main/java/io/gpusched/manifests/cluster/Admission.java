package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Pods of manifests as the API server of a cluster would admit them: a LimitRange says what containers ask that ask nothing, and GKE
 * lets pods tolerate taints that are called as a resource which they ask for.
 */
final class Admission {
    private Admission() {}

    /** Returns a pod with what it is given; its claims are as they were. */
    static PodManifest of(PodManifest pod, List<Node> nodes, List<YamlNode> objects) {
        return new PodManifest(
                pod.id(),
                pod.labels(),
                pod.annotations(),
                containers(pod, objects),
                pod.nodeSelector(),
                tolerations(pod, nodes),
                pod.overhead(),
                pod.rules(),
                pod.claimed());
    }

    private static List<Toleration> tolerations(PodManifest pod, List<Node> nodes) {
        boolean isGke = nodes.stream()
                .map(node -> Optional.ofNullable(node.getMetadata().getLabels()).orElse(Map.of()))
                .anyMatch(labels ->
                        labels.keySet().stream().anyMatch(label -> label.startsWith("cloud.google.com/gke-")));
        List<Toleration> tolerations = new ArrayList<>(pod.tolerations());
        if (isGke) {
            pod.containers().stream()
                    .flatMap(container -> container.limits().keySet().stream())
                    .filter(name -> name.contains("/"))
                    .distinct()
                    .forEach(name -> tolerations.add(Toleration.exists(name)));
        }
        return tolerations;
    }

    private static List<ContainerManifest> containers(PodManifest pod, List<YamlNode> objects) {
        Map<String, String> usual = new TreeMap<>();
        for (YamlNode object : objects) {
            if (object.at("kind").textOr("").equals("LimitRange")
                    && object.need("metadata")
                            .at("namespace")
                            .textOr("default")
                            .equals(pod.id().namespace())) {
                object.at("spec").at("limits").list().stream()
                        .filter(limit -> limit.at("type").textOr("").equals("Container"))
                        .forEach(limit -> {
                            limit.at("defaultRequest").texts().forEach(usual::putIfAbsent);
                            limit.at("default").texts().forEach(usual::putIfAbsent);
                        });
            }
        }
        usual.keySet().removeIf(name -> name.contains("/"));
        return usual.isEmpty()
                ? pod.containers()
                : pod.containers().stream().map(one -> asking(one, usual)).toList();
    }

    private static ContainerManifest asking(ContainerManifest container, Map<String, String> usual) {
        Map<String, String> requests = new TreeMap<>(usual);
        requests.keySet().removeAll(container.limits().keySet());
        requests.putAll(container.requests());
        return new ContainerManifest(
                container.name(), container.kind(), requests, container.limits(), container.named());
    }
}
