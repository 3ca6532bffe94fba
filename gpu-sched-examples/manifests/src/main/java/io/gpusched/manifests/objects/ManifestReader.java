package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.NodeSelector;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads nodes and pods. Amounts are what Kubernetes counts: sidecars from their start on, overhead and pod-level resources
 * included; of a running pod the greatest of what it asks, what it was given and what it has, where it is being resized.
 *
 * <p>What is not there takes the API server's default. Thread-safe.
 */
public final class ManifestReader {
    private ManifestReader() {}

    /**
     * Returns a node. Where it says nothing of what is allocatable, all of its capacity is, as the API server takes it; a resource
     * that is only in the capacity is not there for pods.
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static NodeManifest node(Node node) {
        ObjectMeta metadata = metadata(node.getMetadata());
        Map<String, String> amounts = new HashMap<>();
        if (node.getStatus() != null) {
            amounts.putAll(texts(node.getStatus().getAllocatable()));
            if (amounts.isEmpty()) {
                amounts.putAll(texts(node.getStatus().getCapacity()));
            }
        }
        return new NodeManifest(
                metadata.getName(),
                orEmpty(metadata.getLabels()),
                orEmpty(metadata.getAnnotations()),
                amounts,
                node.getSpec() == null ? List.of() : NodeConstraints.taints(node.getSpec()),
                node.getSpec() != null && Boolean.TRUE.equals(node.getSpec().getUnschedulable()));
    }

    /**
     * Returns a node as the API server holds it: where it states no number of pods, it takes none, as in kube-scheduler. A file
     * that is written by hand may leave the number out ({@link #node}).
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static NodeManifest reportedNode(Node node) {
        NodeManifest written = node(node);
        Map<String, String> amounts = new HashMap<>(written.allocatable());
        amounts.putIfAbsent("pods", "0");
        return new NodeManifest(
                written.name(), written.labels(), written.annotations(), amounts, written.taints(), written.cordoned());
    }

    /**
     * Returns a pod as it asks to be placed.
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static PodManifest pod(Pod pod) {
        PodSpec spec = spec(pod);
        List<ContainerManifest> containers = containers(spec);
        return pod(pod, containers, at("spec", () -> PodLevelAmounts.overhead(spec, containers)));
    }

    /**
     * Returns a pod as it runs: it may hold other amounts of CPU and memory than it asks while it is being resized. These count
     * for the pod as a whole then, and its containers ask for none.
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static PodManifest runningPod(Pod pod) {
        PodSpec spec = spec(pod);
        List<ContainerManifest> asked = containers(spec);
        Map<String, BigDecimal> held = at("status", () -> RunningAmounts.of(pod, asked));
        if (held.isEmpty()) {
            return pod(pod);
        }
        List<ContainerManifest> containers =
                asked.stream().map(ManifestReader::withoutResizable).toList();
        Resources others = at("spec", () -> PodLevelAmounts.overhead(spec, containers));
        return pod(pod, containers, at("status", () -> PodLevelAmounts.resources(held, others.named())));
    }

    private static ContainerManifest withoutResizable(ContainerManifest container) {
        Map<String, String> requests = new TreeMap<>(container.requests());
        requests.put(PodLevelAmounts.CPU, "0");
        requests.put(PodLevelAmounts.MEMORY, "0");
        return new ContainerManifest(container.name(), container.kind(), requests, container.limits());
    }

    /** Returns the labels of a namespace, with the one by which Kubernetes tells its name. */
    public static Map<String, String> namespaceLabels(String name, Map<String, String> labels) {
        Map<String, String> all = new TreeMap<>(labels);
        all.put("kubernetes.io/metadata.name", name);
        return all;
    }

    /**
     * Returns what a pod requests as a whole, its overhead included, by resource; amounts are exact.
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static Map<String, BigDecimal> requests(Pod pod) {
        PodSpec spec = spec(pod);
        List<ContainerManifest> containers = containers(spec);
        return at("spec", () -> PodLevelAmounts.whole(spec, containers));
    }

    private static PodSpec spec(Pod pod) {
        metadata(pod.getMetadata());
        PodSpec spec = pod.getSpec();
        if (spec == null) {
            throw new ManifestException("spec", "must be there");
        }
        return spec;
    }

    private static List<ContainerManifest> containers(PodSpec spec) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int i = 0; i < spec.getInitContainers().size(); i++) {
            Container container = spec.getInitContainers().get(i);
            String path = "spec.initContainers[" + i + "]";
            containers.add(container(container, kind(container, path), path));
        }
        for (int i = 0; i < spec.getContainers().size(); i++) {
            Container container = spec.getContainers().get(i);
            containers.add(container(container, ContainerKind.ORDINARY, "spec.containers[" + i + "]"));
        }
        if (spec.getContainers().isEmpty()) {
            throw new ManifestException("spec.containers", "must hold at least one container");
        }
        if (containers.stream().map(ContainerManifest::name).distinct().count() < containers.size()) {
            throw new ManifestException("spec.containers", "must each have a name of its own");
        }
        return containers;
    }

    /** A container that starts again whenever it ends is a sidecar; one that does not, or only where it failed, is not. */
    private static ContainerKind kind(Container init, String path) {
        String policy = Objects.requireNonNullElse(init.getRestartPolicy(), "");
        return switch (policy) {
            case "Always" -> ContainerKind.SIDECAR;
            case "", "Never", "OnFailure" -> ContainerKind.INIT;
            default ->
                throw new ManifestException(
                        path + ".restartPolicy", "must be one of Always, Never, OnFailure, got \"" + policy + "\"");
        };
    }

    private static PodManifest pod(Pod pod, List<ContainerManifest> containers, Resources overhead) {
        ObjectMeta metadata = metadata(pod.getMetadata());
        PodSpec spec = spec(pod);
        String namespace = Objects.requireNonNullElse(metadata.getNamespace(), PodId.DEFAULT_NAMESPACE);
        return new PodManifest(
                at("metadata", () -> new PodId(namespace, metadata.getName())),
                orEmpty(metadata.getLabels()),
                orEmpty(metadata.getAnnotations()),
                containers,
                NodeConstraints.selector(spec),
                NodeConstraints.tolerations(spec),
                overhead,
                PodRuleReader.of(pod));
    }

    /**
     * Returns the nodes that a selector accepts, such as the one of a volume.
     *
     * @throws ManifestException if a field has an illegal value
     */
    public static NodeSelector nodes(io.fabric8.kubernetes.api.model.NodeSelector selector) {
        return NodeConstraints.terms(selector.getNodeSelectorTerms());
    }

    private static ObjectMeta metadata(@Nullable ObjectMeta metadata) {
        if (metadata == null || metadata.getName() == null) {
            throw new ManifestException("metadata.name", "must be there");
        }
        return metadata;
    }

    private static ContainerManifest container(Container container, ContainerKind kind, String path) {
        if (container.getName() == null || container.getName().isBlank()) {
            throw new ManifestException(path + ".name", "must be there");
        }
        ResourceRequirements asked = container.getResources();
        Map<String, String> requests = asked == null ? Map.of() : texts(asked.getRequests());
        Map<String, String> limits = asked == null ? Map.of() : texts(asked.getLimits());
        return new ContainerManifest(container.getName(), kind, requests, limits);
    }

    /** Returns what is built from a field; an illegal argument becomes an error that names it. */
    static <T> T at(String path, Supplier<T> builder) {
        try {
            return builder.get();
        } catch (ArithmeticException e) {
            throw new ManifestException(path, "an amount is too large");
        } catch (ManifestException e) {
            throw e;
        } catch (IllegalArgumentException e) {
            throw new ManifestException(path, String.valueOf(e.getMessage()));
        }
    }

    /** Returns amounts as they are written. */
    static Map<String, String> texts(@Nullable Map<String, Quantity> amounts) {
        Map<String, String> texts = new TreeMap<>();
        if (amounts != null) {
            amounts.forEach((name, amount) -> texts.put(name, amount.toString()));
        }
        return texts;
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return map == null ? Map.of() : map;
    }
}
