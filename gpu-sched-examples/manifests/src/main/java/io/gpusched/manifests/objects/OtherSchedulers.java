package io.gpusched.manifests.objects;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What annotations and labels of other schedulers ask of a pod's place, and is not looked at here: gangs, topology and parts of GPUs in the
 * words of Koordinator, YuniKorn, KAI-Scheduler, HiveD, TensorFusion and Kueue.
 */
public final class OtherSchedulers {
    private static final String GANG = "it is to start together with others, and that group is not read";
    private static final String PART = "a part of a GPU is requested in words that are not read";

    /** By the beginning of a name, what is required by it. */
    private static final Map<String, String> REQUIRED = required();

    /** By the beginning of a name, what is preferred by it. */
    private static final Map<String, String> WISHED = Map.of(
            "kai.scheduler/topology-preferred-placement", "a preferred topology is not looked at",
            "kueue.x-k8s.io/queue-name", "quotas of queues are not looked at",
            "kai.scheduler/queue", "quotas of queues are not looked at",
            "scheduling.volcano.sh/queue-name", "quotas of queues are not looked at",
            "gpu-sched.io/queue", "quotas of queues are not looked at",
            "yunikorn.apache.org/queue", "quotas of queues are not looked at",
            "volcano.sh/numa-topology-policy", "NUMA nodes are not looked at");

    private OtherSchedulers() {}

    private static Map<String, String> required() {
        Map<String, String> required = new LinkedHashMap<>();
        required.put("gang.scheduling.koordinator.sh/", GANG);
        required.put("pod-group.scheduling.sigs.k8s.io", GANG);
        required.put("yunikorn.apache.org/task-group", GANG);
        required.put("kueue.x-k8s.io/pod-group-name", GANG);
        required.put("kai.scheduler/topology-required-placement", "the topology that it requires is not read");
        required.put("scheduling.koordinator.sh/gpu-partition-spec", PART);
        required.put("scheduling.koordinator.sh/device-", "devices are requested in words that are not read");
        required.put(
                "hivedscheduler.microsoft.com/pod-scheduling-spec", "GPUs are requested in words that are not read");
        required.put("tensor-fusion.ai/", PART);
        return required;
    }

    /** Returns what is not looked at, annotations first, in the order of their names. */
    public static List<UnhonouredConstraint> of(Pod pod) {
        List<UnhonouredConstraint> found = new ArrayList<>();
        ObjectMeta metadata = pod.getMetadata();
        lookAt("metadata.annotations.", metadata.getAnnotations(), found);
        lookAt("metadata.labels.", metadata.getLabels(), found);
        return found;
    }

    private static void lookAt(String path, @Nullable Map<String, String> texts, List<UnhonouredConstraint> found) {
        if (texts == null) {
            return;
        }
        texts.keySet().stream().sorted().forEach(name -> {
            matching(REQUIRED, name)
                    .ifPresent(problem -> found.add(UnhonouredConstraint.required(path + name, problem)));
            matching(WISHED, name).ifPresent(problem -> found.add(UnhonouredConstraint.wish(path + name, problem)));
        });
    }

    private static Optional<String> matching(Map<String, String> table, String name) {
        return table.entrySet().stream()
                .filter(entry -> name.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
