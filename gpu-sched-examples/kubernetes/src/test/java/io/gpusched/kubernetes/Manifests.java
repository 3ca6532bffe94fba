package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.dialect.t9k.T9kDialect;
import java.util.HashMap;
import java.util.Map;

/** Objects as users write them. */
public final class Manifests {
    private Manifests() {}

    /** Returns a ready node with 64 cores, 256 GiB and these labels and amounts. */
    public static Node node(String name, Map<String, String> labels, Map<String, String> amounts) {
        Map<String, Quantity> capacity = new HashMap<>();
        capacity.put("cpu", new Quantity("64"));
        capacity.put("memory", new Quantity("256Gi"));
        capacity.put("pods", new Quantity("110"));
        amounts.forEach((resource, amount) -> capacity.put(resource, new Quantity(amount)));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .withNewStatus()
                .withCapacity(capacity)
                .withAllocatable(capacity)
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .endCondition()
                .endStatus()
                .build();
    }

    /** Returns a node of T9k with this many GPUs of 24 GiB. */
    public static Node t9kNode(String name, String mode, int gpus) {
        return t9kNode(name, mode, gpus, Map.of());
    }

    /** Returns a node of T9k with more labels. */
    public static Node t9kNode(String name, String mode, int gpus, Map<String, String> more) {
        Map<String, String> labels = new HashMap<>(more);
        labels.put(T9kDialect.NODE_ALLOC_MODE, mode);
        labels.put("nvidia.com/gpu.count", String.valueOf(gpus));
        labels.put("nvidia.com/gpu.memory", "24576");
        labels.put("nvidia.com/gpu.product", "NVIDIA-A10");
        String resource = mode.equals("sgn") ? T9kDialect.GPU_PERCENT : T9kDialect.GPU;
        int amount = mode.equals("sgn") ? gpus * 100 : gpus;
        return node(name, labels, Map.of(resource, String.valueOf(amount)));
    }

    /** Returns a node on which HAMi's device plugin registered one GPU of 24 GiB, GPU-a. */
    public static Node hamiNode(String name, Map<String, String> labels) {
        Node node = node(name, labels, Map.of("nvidia.com/gpu", "10"));
        node.getMetadata()
                .setAnnotations(Map.of(
                        "hami.io/node-nvidia-register",
                        "[{\"id\":\"GPU-a\",\"index\":0,\"count\":10,\"devmem\":24576,\"devcore\":100,"
                                + "\"type\":\"NVIDIA-A10\",\"numa\":0,\"mode\":\"hami-core\",\"health\":true}]"));
        return node;
    }

    /** Returns a pod of one container with 1 core, 1 GiB and this limit. */
    public static Pod pod(String name, String resource, String amount) {
        return pod(name, Map.of(resource, amount));
    }

    /** Returns a pod of one container with 1 core, 1 GiB and these limits. */
    public static Pod pod(String name, Map<String, String> amounts) {
        Map<String, Quantity> limits = new HashMap<>();
        limits.put("cpu", new Quantity("1"));
        limits.put("memory", new Quantity("1Gi"));
        amounts.forEach((resource, amount) -> limits.put(resource, new Quantity(amount)));
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("gpu-sched")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .withLimits(limits)
                .withRequests(limits)
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Returns a pod that a DaemonSet owns. */
    public static Pod ofDaemonSet(Pod pod) {
        return new PodBuilder(pod)
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("apps/v1")
                .withKind("DaemonSet")
                .withName("set-of-" + pod.getMetadata().getName())
                .withUid("uid-of-the-set")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    /** Returns a pod with a label. */
    public static Pod labelled(Pod pod, String key, String value) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToLabels(key, value)
                .endMetadata()
                .build();
    }

    /** Returns a pod with an annotation. */
    public static Pod annotated(Pod pod, String key, String value) {
        return new PodBuilder(pod)
                .editMetadata()
                .addToAnnotations(key, value)
                .endMetadata()
                .build();
    }
}
