package io.gpusched.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Adds up what pods hold of each GPU by their annotations, as the API server has them: by its own small reader, so that a
 * defect of the scheduler's does not hide itself.
 */
public final class Bookings {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Bookings() {}

    /** Returns the GPUs that are given out beyond what they have, with the pods that hold them. */
    public static List<String> overbooked(KubernetesClient client) {
        return overbooked(client.pods().inAnyNamespace().list().getItems());
    }

    /** Returns the GPUs that are given out beyond what they have, with the pods that hold them. */
    public static List<String> overbooked(List<Pod> pods) {
        Map<String, List<String>> holders = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        held(pods, holders).forEach((gpu, held) -> {
            boolean beside = gpu.endsWith("/all")
                    && holders.keySet().stream()
                            .anyMatch(other -> !other.equals(gpu)
                                    && other.startsWith(gpu.substring(0, gpu.length() - "all".length())));
            if (held > 1_000 || beside) {
                wrong.add(gpu + " " + held + " " + holders.get(gpu));
            }
        });
        return wrong;
    }

    /** Returns the compute that is held of each GPU in thousandths, by node and GPU. */
    public static Map<String, Integer> computeByGpu(List<Pod> pods) {
        return held(pods, new TreeMap<>());
    }

    private static Map<String, Integer> held(List<Pod> pods, Map<String, List<String>> holders) {
        Map<String, Integer> compute = new TreeMap<>();
        for (Pod pod : pods) {
            Map<String, String> annotations =
                    Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
            String grant = annotations.get("gpu-sched.io/grant");
            if (grant != null && pod.getSpec().getNodeName() != null) {
                add(pod.getMetadata().getName(), pod.getSpec().getNodeName(), grant, compute, holders);
            }
        }
        return compute;
    }

    private static void add(
            String pod, String node, String grant, Map<String, Integer> compute, Map<String, List<String>> holders) {
        try {
            for (JsonNode container : JSON.readTree(grant).get("containers")) {
                if (container.has("wholeNode")) {
                    add(pod, node + "/all", 1_000, compute, holders);
                }
                container.path("gpus").forEach(gpu -> add(pod, node + "/" + gpu.asText(), 1_000, compute, holders));
                container
                        .path("shares")
                        .forEach(share -> add(
                                pod,
                                node + "/" + share.get("gpu").asText(),
                                share.get("computeMillis").asInt(),
                                compute,
                                holders));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(
            String pod, String gpu, int millis, Map<String, Integer> compute, Map<String, List<String>> holders) {
        compute.merge(gpu, millis, Integer::sum);
        holders.computeIfAbsent(gpu, any -> new ArrayList<>()).add(pod);
    }
}
