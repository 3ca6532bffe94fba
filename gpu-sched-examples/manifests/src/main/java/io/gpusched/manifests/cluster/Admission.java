package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Pods of manifests as the API server of a cluster would admit them: a LimitRange says what containers ask that ask nothing, and GKE
 * lets pods tolerate taints that are called as a resource which they ask for, and RuntimeClass and
 * PriorityClass add to the pods that name them.
 */
final class Admission {
    static final String RUNTIME_CLASS = "RuntimeClass";
    static final String PRIORITY_CLASS = "PriorityClass";

    private Admission() {}

    /** Returns a pod with the number of its priority class, or of the one that holds for pods that name none. */
    static Pod ofPriorityClass(Pod pod, List<YamlNode> objects) {
        String name = Objects.requireNonNullElse(pod.getSpec().getPriorityClassName(), "");
        Optional<YamlNode> found = objects.stream()
                .filter(object -> object.at("kind").textOr("").equals(PRIORITY_CLASS)
                        && (name.isEmpty()
                                ? object.at("globalDefault").textOr("").equals("true")
                                : object.need("metadata").need("name").text().equals(name)))
                .findFirst();
        if (pod.getSpec().getPriority() != null || found.isEmpty()) {
            return pod;
        }
        Pod admitted = pod.toBuilder().build();
        admitted.getSpec().setPriority(found.get().need("value").integerOr(0));
        return admitted;
    }

    /**
     * Returns a pod with what its runtime class adds to it: overhead, node selector and tolerations. One that has its overhead has been
     * admitted, and one whose class is not among the objects is returned as it is.
     *
     * @throws RefusedException if the pod and the class select nodes by two values of one label
     */
    static Pod ofRuntimeClass(Pod pod, List<YamlNode> objects) {
        String name = Objects.requireNonNullElse(pod.getSpec().getRuntimeClassName(), "");
        Optional<YamlNode> found = objects.stream()
                .filter(object -> !name.isEmpty()
                        && object.at("kind").textOr("").equals(RUNTIME_CLASS)
                        && object.need("metadata").need("name").text().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            return pod;
        }
        YamlNode scheduling = found.get().at("scheduling");
        Map<String, String> selector = new TreeMap<>(
                Optional.ofNullable(pod.getSpec().getNodeSelector()).orElse(Map.of()));
        scheduling.at("nodeSelector").texts().forEach((key, value) -> {
            String own = selector.put(key, value);
            if (own != null && !own.equals(value)) {
                throw new RefusedException(
                        "pod \"" + SeenCluster.idOf(pod) + "\"",
                        "selects nodes by " + key + "=" + own + ", and its runtime class " + name + " by " + key + "="
                                + value);
            }
        });
        PodSpecBuilder spec =
                pod.getSpec().toBuilder().withRuntimeClassName(null).withNodeSelector(selector);
        for (YamlNode toleration : scheduling.at("tolerations").list()) {
            spec.addNewToleration()
                    .withKey(text(toleration, "key"))
                    .withOperator(text(toleration, "operator"))
                    .withValue(text(toleration, "value"))
                    .withEffect(text(toleration, "effect"))
                    .endToleration();
        }
        if (pod.getSpec().getOverhead() == null || pod.getSpec().getOverhead().isEmpty()) {
            Map<String, Quantity> overhead = new TreeMap<>();
            found.get()
                    .at("overhead")
                    .at("podFixed")
                    .texts()
                    .forEach((resource, amount) -> overhead.put(resource, new Quantity(amount)));
            spec.withOverhead(overhead);
        }
        Pod admitted = pod.toBuilder().build();
        admitted.setSpec(spec.build());
        return admitted;
    }

    private static @Nullable String text(YamlNode object, String field) {
        return object.at(field).isPresent() ? object.at(field).text() : null;
    }

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
