package io.gpusched.conformance.kai;

import io.gpusched.conformance.VectorCase;
import io.gpusched.kubernetes.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The nodes of a case, and its tasks as pods. */
final class KaiWorld {
    /** KAI's tests give every node its own name under this label, so that pods can be told apart by node. */
    private static final String NAME_LABEL = "kai.scheduler/type";

    private static final long MIB = 1L << 20;

    private KaiWorld() {}

    /** Returns the nodes with what runs there. */
    static Cluster cluster(VectorCase vector, List<KaiJob> jobs) {
        List<String> levels = new ArrayList<>();
        for (YamlNode topology : vector.field("topologies").list()) {
            topology.need("levels").list().forEach(level -> levels.add(level.text()));
        }
        List<Node> nodes = new ArrayList<>();
        vector.field("nodes").list().forEach(node -> nodes.add(node(node, levels)));
        Cluster cluster = Cluster.of(nodes);
        GpuScheduler scheduler = GpuScheduler.create();
        for (KaiJob job : jobs) {
            for (KaiJob.Task task : job.tasks()) {
                if (!task.node().isEmpty()) {
                    var node = cluster.node(task.node())
                            .orElseThrow(() -> vector.field("nodes").error("lack " + task.node()));
                    Placement placement = scheduler
                            .place(node, task.pod())
                            .orElseThrow(() -> vector.field("jobs").error(task.name() + " does not fit where it runs"));
                    cluster = cluster.with(placement);
                }
            }
        }
        return cluster;
    }

    private static Node node(YamlNode node, List<String> levels) {
        Node.Builder machine = Node.builder(node.need("name").text())
                .capacity(
                        node.at("cpuMillis").numberOr(Resources.MAX),
                        node.at("memoryBytes").numberOr(Resources.MAX) / MIB)
                .maxPods(node.at("maxPods").integerOr(Node.DEFAULT_MAX_PODS));
        Map<String, YamlNode> labels = node.at("labels").map();
        List<String> path = new ArrayList<>();
        for (String level : levels) {
            YamlNode value = labels.get(level);
            if (value != null) {
                path.add(level);
                path.add(value.text());
            }
        }
        machine.label(NAME_LABEL, node.need("name").text());
        labels.forEach((key, value) -> machine.label(key, value.text()));
        return machine.topology(Topology.of(path.toArray(String[]::new)))
                .gpus(
                        node.need("gpus").integer(),
                        GpuModel.of("nvidia", "any", node.at("gpuMemory").numberOr(100)))
                .build();
    }

    /** The labels of a task, and the pods of the same labels that it must be near or apart from. */
    static PodRules rules(YamlNode task) {
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

    /** Returns a task as a pod. */
    static Pod pod(String name, YamlNode request, int gpus) {
        Resources resources = Resources.of(
                request.at("cpuMillis").numberOr(0), (request.at("memoryBytes").numberOr(0) + MIB - 1) / MIB);
        return Pod.of(name, resources, gpus == 0 ? GpuRequest.none() : GpuRequest.exclusive(gpus));
    }
}
