package io.gpusched.conformance.kai;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tasks of a case as pods. */
final class KaiPods {
    private KaiPods() {}

    static KaiTask task(YamlNode request, YamlNode task) {
        String name = task.need("name").text();
        KaiTask.Status status = KaiTask.Status.of(task.need("state"));
        boolean waitsForOwnMig = task.at("legacyMig").isTrueOr(false) && !task.has("node");
        Pod pod = status == KaiTask.Status.FAILED || waitsForOwnMig ? impossible(name) : pod(name, request, task);
        return new KaiTask(name, task.at("podSet").textOr("default"), pod, status);
    }

    /** A pod that no node admits: KAI never starts what has failed. */
    static Pod impossible(String name) {
        return Pod.builder(name)
                .container("main", Resources.NONE, GpuRequest.none())
                .nodeSelector(named(List.of("nowhere")))
                .build();
    }

    private static Pod pod(String name, YamlNode request, YamlNode task) {
        Resources resources = Resources.of(
                request.at("cpuMillis").numberOr(0), request.at("memoryBytes").numberOr(0));
        for (Map.Entry<String, Long> amount : KaiNodes.instances(task.at("mig")).entrySet()) {
            resources = resources.with(amount.getKey(), amount.getValue());
        }
        Pod.Builder pod = Pod.builder(name).container("main", resources, gpu(request, task));
        if (task.has("allowedNodes")) {
            pod.nodeSelector(named(task.at("allowedNodes").textList()));
        }
        if (!task.has("mig")) {
            pod.toleration(Toleration.exists(KaiNodes.OWN_MIG_TAINT));
        }
        return pod.rules(rules(task)).build();
    }

    private static NodeSelector named(List<String> nodes) {
        return NodeSelector.all(new NodeRequirement(KaiNodes.NAME_LABEL, NodeRequirement.Operator.IN, nodes));
    }

    /** A fraction is that part of a GPU's memory and compute, an amount of memory takes no compute. */
    private static GpuRequest gpu(YamlNode request, YamlNode task) {
        int devices = request.at("devices").integerOr(1);
        if (request.has("gpuFraction")) {
            double fraction = request.need("gpuFraction").decimal();
            int millis = (int) Math.round(1_000 * fraction);
            GpuMemory memory = millis % 10 == 0 ? GpuMemory.percent(millis / 10) : GpuMemory.none();
            return GpuRequest.share(millis, memory).withCount(devices);
        }
        if (request.has("gpuMemory")) {
            return GpuRequest.share(0, GpuMemory.mib(request.need("gpuMemory").number()))
                    .withCount(devices);
        }
        int gpus = task.at("gpus").integerOr(request.at("gpus").integerOr(0));
        return gpus == 0 ? GpuRequest.none() : GpuRequest.exclusive(gpus);
    }

    /** The labels of a task, and the pods of the same labels that it must be near or apart from. */
    private static PodRules rules(YamlNode task) {
        Map<String, String> labels = new TreeMap<>();
        task.at("labels").map().forEach((key, value) -> labels.put(key, value.text()));
        return PodRules.NONE
                .withLabels(labels)
                .withAffinity(required(labels, task.at("podAffinityKey")))
                .withAntiAffinity(required(labels, task.at("podAntiAffinityKey")));
    }

    private static PodAffinity required(Map<String, String> labels, YamlNode key) {
        return key.isPresent()
                ? PodAffinity.required(PodAffinity.Term.of(LabelSelector.labels(labels), key.text()))
                : PodAffinity.NONE;
    }
}
