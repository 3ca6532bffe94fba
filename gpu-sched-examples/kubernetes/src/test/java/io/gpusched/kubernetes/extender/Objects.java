package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.view.DialectSet;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Nodes and pods of tests. */
final class Objects {
    static final String PERCENT = "nano-gpu/gpu-percent";

    private Objects() {}

    static DialectSet dialects(String... names) {
        List<NamedDialect> dialects = Arrays.stream(names)
                .map(name -> Dialects.find(name).orElseThrow())
                .toList();
        return new DialectSet(dialects);
    }

    /** A node with nano-gpu GPUs. */
    static Node node(String name, int gpus) {
        return node(name, Map.of(), Map.of(), Map.of(PERCENT, "" + 100 * gpus));
    }

    static Node node(
            String name, Map<String, String> labels, Map<String, String> annotations, Map<String, String> own) {
        Map<String, Quantity> amounts = new TreeMap<>();
        Map.of("cpu", "16", "memory", "64Gi", "pods", "110")
                .forEach((key, value) -> amounts.put(key, new Quantity(value)));
        own.forEach((key, value) -> amounts.put(key, new Quantity(value)));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build();
    }

    /** A pod that asks nano-gpu for a percentage. */
    static Pod pod(String name, int percent) {
        return pod(name, Map.of(PERCENT, "" + percent));
    }

    static Pod pod(String name, Map<String, String> limits) {
        Map<String, Quantity> amounts = new TreeMap<>();
        limits.forEach((key, value) -> amounts.put(key, new Quantity(value)));
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withUid("uid-" + name)
                .withResourceVersion("1")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("gpu-sched")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .withLimits(amounts)
                .withRequests(amounts)
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    /** The same pod as it runs on a GPU. */
    static Pod running(Pod pod, String node, int gpu) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations("nano-gpu/container-main", "" + gpu)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    static Pod withPriority(Pod pod, int priority) {
        return new PodBuilder(pod).editSpec().withPriority(priority).endSpec().build();
    }
}
