package io.gpusched.manifests.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.gpusched.dialect.kai.KaiDialect;
import io.gpusched.dialect.nvidia.MigResources;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.dialect.ResidentPods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * KAI-Scheduler's pods as its dialect reads them: parts of a GPU are asked by annotation, pods that share a GPU have a label in
 * common, and a reservation pod holds that GPU for the device plugin.
 */
public final class Kai {
    private static final String GROUP_NAME = "pod-group-name";
    private static final List<String> PARTS = List.of(KaiDialect.FRACTION, KaiDialect.MEMORY);

    /** An annotation of this name, and no resource of others that ends or goes on alike. */
    private static final Pattern IN_TEXT =
            Pattern.compile("(?<![\\w./-])(" + String.join("|", PARTS) + ")(?![\\w./-])");

    /** The container that gets the part, where it is not the first. */
    private static final String CONTAINER = "gpu-fraction-container-name";

    /** Label of the pods that share one GPU of their node. */
    private static final String SHARE = "runai-gpu-group";

    private static final String RESERVATION = "gpu-reservation-";
    private static final String GPU = "nvidia.com/gpu";

    private Kai() {}

    /** Returns the dialect that reads such pods. */
    static NamedDialect dialect() {
        Set<String> resources = new HashSet<>(Set.of(GPU, KaiDialect.PART));
        resources.addAll(MigResources.known());
        return new NamedDialect(KaiDialect.of(), resources);
    }

    /** Returns whether any of some pods asks for a part of a GPU by annotation. */
    static boolean isUsed(Collection<Pod> pods) {
        return pods.stream().anyMatch(pod -> part(pod).isPresent());
    }

    /** Returns whether a text speaks of parts of a GPU by annotation. */
    static boolean isUsed(String text) {
        return IN_TEXT.matcher(text).find();
    }

    /** Returns the annotation by which a pod asks for a part of a GPU. */
    public static Optional<String> part(Pod pod) {
        Map<String, String> annotations = orEmpty(pod.getMetadata().getAnnotations());
        return PARTS.stream().filter(annotations::containsKey).findFirst();
    }

    /** Returns a pod without the group that it names in any vocabulary. */
    public static Pod ungrouped(Pod pod) {
        Map<String, String> labels = new HashMap<>(orEmpty(pod.getMetadata().getLabels()));
        Map<String, String> annotations =
                new HashMap<>(orEmpty(pod.getMetadata().getAnnotations()));
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

    /** Returns a pod with a mark on the container that gets the part of a GPU; one that asks for none as it is. */
    public static Pod marked(Pod pod) {
        if (part(pod).isEmpty() || pod.getSpec().getContainers().isEmpty()) {
            return pod;
        }
        Pod marked = pod.edit().build();
        String name = orEmpty(pod.getMetadata().getAnnotations()).getOrDefault(CONTAINER, "");
        Container container = marked.getSpec().getContainers().stream()
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElse(marked.getSpec().getContainers().get(0));
        container.setResources(with(container.getResources(), KaiDialect.PART, "1"));
        return marked;
    }

    private static ResourceRequirements with(@Nullable ResourceRequirements asked, String resource, String amount) {
        ResourceRequirements with = new ResourceRequirements();
        Map<String, Quantity> limits = new HashMap<>(orEmpty(asked == null ? null : asked.getLimits()));
        limits.put(resource, new Quantity(amount));
        with.setLimits(limits);
        with.setRequests(orEmpty(asked == null ? null : asked.getRequests()));
        return with;
    }

    /**
     * Returns the running pods with the GPU that each shares: pods of one label on one GPU of their node, counted from 0. What
     * reservation pods hold is what those pods share; one that no pod shares keeps its GPU.
     */
    static List<Pod> shared(List<Pod> running) {
        Map<String, Map<String, Integer>> groups = new HashMap<>();
        for (Pod pod : running) {
            if (part(pod).isPresent() && !group(pod).isEmpty()) {
                Map<String, Integer> onNode = groups.computeIfAbsent(SeenCluster.nodeOf(pod), any -> new TreeMap<>());
                onNode.putIfAbsent(group(pod), onNode.size());
            }
        }
        Map<String, Integer> unnamed = new HashMap<>();
        groups.forEach((node, onNode) -> unnamed.put(node, onNode.size()));
        List<Pod> shared = new ArrayList<>();
        for (Pod pod : running) {
            Map<String, Integer> onNode = groups.getOrDefault(SeenCluster.nodeOf(pod), Map.of());
            if (part(pod).isPresent()) {
                Integer gpu = onNode.get(group(pod));
                shared.add(gpu == null ? marked(pod) : on(gpu, marked(pod)));
            } else if (isReservation(pod)
                    && (onNode.containsKey(group(pod))
                            || group(pod).isEmpty() && unnamed.merge(SeenCluster.nodeOf(pod), -1, Integer::sum) >= 0)) {
                shared.add(withoutGpus(pod));
            } else {
                shared.add(pod);
            }
        }
        return shared;
    }

    private static String group(Pod pod) {
        return orEmpty(pod.getMetadata().getLabels()).getOrDefault(SHARE, "");
    }

    private static boolean isReservation(Pod pod) {
        return !ResidentPods.isOfNode(pod)
                && (!group(pod).isEmpty() || pod.getMetadata().getName().startsWith(RESERVATION));
    }

    private static Pod on(int gpu, Pod pod) {
        return pod.edit()
                .editMetadata()
                .addToAnnotations(KaiDialect.SHARED, String.valueOf(gpu))
                .endMetadata()
                .build();
    }

    private static Pod withoutGpus(Pod pod) {
        Pod without = pod.edit().build();
        for (Container container : without.getSpec().getContainers()) {
            if (container.getResources() != null) {
                ResourceRequirements asked = container.getResources();
                Map<String, Quantity> limits = new HashMap<>(orEmpty(asked.getLimits()));
                Map<String, Quantity> requests = new HashMap<>(orEmpty(asked.getRequests()));
                limits.remove(GPU);
                requests.remove(GPU);
                asked.setLimits(limits);
                asked.setRequests(requests);
            }
        }
        return without;
    }

    private static <V> Map<String, V> orEmpty(@Nullable Map<String, V> map) {
        return map == null ? Map.of() : map;
    }
}
