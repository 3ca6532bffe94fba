package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.dialect.t9k.T9kDialect;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What KAI-Scheduler says in words of its own: parts of a GPU by annotation. For a GPU that it
 * shares a reservation pod holds {@code nvidia.com/gpu: 1}, so that counts are right; a pod that waits for a part goes to one of
 * these ({@link KaiShares}), or is taken to ask for a whole GPU.
 */
public final class Kai {
    private static final String GROUP_NAME = "pod-group-name";
    private static final List<String> PARTS = List.of("gpu-fraction", "gpu-memory");
    private static final String DEVICES = "gpu-fraction-num-devices";
    private static final String GPU = "nvidia.com/gpu";

    private Kai() {}

    /** The annotation by which a pod asks for a part of a GPU. */
    public static Optional<String> part(Pod pod) {
        Map<String, String> annotations = annotations(pod);
        return PARTS.stream()
                .filter(annotations::containsKey)
                .map(name -> name + "=" + annotations.get(name))
                .findFirst();
    }

    /** A pod without the group that it names in any vocabulary. */
    public static Pod ungrouped(Pod pod) {
        Map<String, String> labels = new HashMap<>(orEmpty(pod.getMetadata().getLabels()));
        Map<String, String> annotations = new HashMap<>(annotations(pod));
        labels.keySet().removeAll(List.of("scheduling.x-k8s.io/pod-group", T9kDialect.GROUP_NAME));
        annotations.keySet().removeAll(List.of(GROUP_NAME, "scheduling.k8s.io/group-name"));
        return pod.edit()
                .editMetadata()
                .withLabels(labels)
                .withAnnotations(annotations)
                .endMetadata()
                .editSpec()
                .withSchedulingGroup(null)
                .endSpec()
                .build();
    }

    /** A pod that asks for a part of a GPU, as if it asked for whole ones. */
    public static Pod whole(Pod pod) {
        if (part(pod).isEmpty() || pod.getSpec().getContainers().isEmpty()) {
            return pod;
        }
        Pod whole = pod.edit().build();
        Container first = whole.getSpec().getContainers().get(0);
        ResourceRequirements asked = Objects.requireNonNullElseGet(first.getResources(), ResourceRequirements::new);
        Map<String, Quantity> limits = new HashMap<>(orEmpty(asked.getLimits()));
        limits.put(GPU, new Quantity(annotations(pod).getOrDefault(DEVICES, "1")));
        asked.setLimits(limits);
        first.setResources(asked);
        return whole;
    }

    /** A label of a pod; empty where it has none. */
    public static String label(Pod pod, String name) {
        return orEmpty(pod.getMetadata().getLabels()).getOrDefault(name, "");
    }

    /** An annotation of a pod; empty where it has none. */
    public static String annotation(Pod pod, String name) {
        return annotations(pod).getOrDefault(name, "");
    }

    private static Map<String, String> annotations(Pod pod) {
        return orEmpty(pod.getMetadata().getAnnotations());
    }

    private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }
}
