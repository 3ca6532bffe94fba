package io.gpusched.conformance.kai;

import io.gpusched.conformance.VectorCase;
import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Taint;
import io.gpusched.model.Topology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The nodes of a case. Memory is counted in bytes where the library counts MiB, for queues and jobs count so too. */
final class KaiNodes {
    /** KAI's tests give every node its own name under this label, so that pods can be told apart by node. */
    static final String NAME_LABEL = "kai.scheduler/type";

    /** Keeps tasks that ask for MIG devices off nodes with a task that brought its own. */
    static final String OWN_MIG_TAINT = "kai.scheduler/own-mig";

    /** All MIG devices, each by the number of its slices; a queue has a quota of them as of GPUs. */
    static final String SLICES = "mig-slices";

    private KaiNodes() {}

    static List<Node> read(VectorCase vector) {
        List<String> levels = new ArrayList<>();
        for (YamlNode topology : vector.field("topologies").list()) {
            topology.need("levels").list().forEach(level -> levels.add(level.text()));
        }
        List<Node> nodes = new ArrayList<>();
        for (YamlNode node : vector.field("nodes").list()) {
            nodes.add(read(node, levels, hasOwnMig(vector, node.need("name").text())));
        }
        return nodes;
    }

    private static boolean hasOwnMig(VectorCase vector, String node) {
        for (YamlNode job : vector.field("jobs").list()) {
            for (YamlNode task : job.need("tasks").list()) {
                if (task.at("legacyMig").isTrueOr(false)
                        && task.at("node").textOr("").equals(node)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static Node read(YamlNode node, List<String> levels, boolean hasOwnMig) {
        String name = node.need("name").text();
        Node.Builder machine = Node.builder(name)
                .capacity(
                        node.at("cpuMillis").numberOr(Resources.MAX),
                        node.at("memoryBytes").numberOr(Resources.MAX))
                .maxPods(node.at("maxPods").integerOr(Node.DEFAULT_MAX_PODS))
                .label(NAME_LABEL, name);
        Map<String, YamlNode> labels = node.at("labels").map();
        labels.forEach((key, value) -> machine.label(key, value.text()));
        machine.topology(topology(labels, levels));
        GpuModel model = GpuModel.of(
                "nvidia", node.at("gpuName").textOr("any"), node.at("gpuMemory").numberOr(100));
        YamlNode mig = node.at("mig");
        int gpus = mig.at("strategy").textOr("").equals("mixed")
                ? 0
                : node.need("gpus").integer();
        for (int gpu = 0; gpu < gpus; gpu++) {
            machine.gpu(Gpu.of(gpu, uuid(name, gpu), model));
        }
        instances(mig.at("instances")).forEach(machine::resource);
        if (hasOwnMig) {
            machine.taint(Taint.noSchedule(OWN_MIG_TAINT, ""));
        }
        return machine.build();
    }

    private static Topology topology(Map<String, YamlNode> labels, List<String> levels) {
        List<String> path = new ArrayList<>();
        for (String level : levels) {
            YamlNode value = labels.get(level);
            if (value != null) {
                path.add(level);
                path.add(value.text());
            }
        }
        return Topology.of(path.toArray(String[]::new));
    }

    /** Returns the MIG devices, and how many slices they are together. */
    static Map<String, Long> instances(YamlNode instances) {
        Map<String, Long> amounts = new HashMap<>();
        long slices = 0;
        for (Map.Entry<String, YamlNode> entry : instances.map().entrySet()) {
            long count = entry.getValue().number();
            amounts.put(entry.getKey(), count);
            slices += count * slices(entry.getKey());
        }
        if (slices > 0) {
            amounts.put(SLICES, slices);
        }
        return amounts;
    }

    /** {@code nvidia.com/mig-3g.20gb} is three slices. */
    private static long slices(String resource) {
        int from = resource.lastIndexOf('-') + 1;
        return Long.parseLong(resource.substring(from, resource.indexOf('g', from)));
    }

    static String uuid(String node, int gpu) {
        return node + "/" + gpu;
    }
}
