package io.gpusched.cli.place;

import io.gpusched.manifests.yaml.YamlNode;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Set;

/** Warns of values that are legal and surely not what was meant. */
final class UnlikelyValues {
    private static final long MIB = 1L << 20;
    private static final Set<String> OF_BYTES = Set.of("memory", "minMemory", "ephemeral-storage");

    private UnlikelyValues() {}

    /** Warns of memory without a unit: 8 bytes where 8 GiB were meant. */
    static void ofMemory(List<YamlNode> values, Notes notes) {
        for (YamlNode value : values) {
            ofMemory(value.elements() == null ? List.of() : value.elements(), notes);
            if (value.members() != null) {
                value.members().forEach((name, member) -> {
                    if (OF_BYTES.contains(name) && isFew(member)) {
                        notes.warn(member, "is " + member.text() + " bytes. Maybe " + member.text() + "Gi is meant");
                    }
                });
                ofMemory(List.copyOf(value.members().values()), notes);
            }
        }
    }

    private static boolean isFew(YamlNode value) {
        boolean isNumber = value.isPresent()
                && value.members() == null
                && value.elements() == null
                && value.text().matches("[0-9]{1,7}");
        return isNumber && value.number() > 0 && value.number() < MIB;
    }

    /** Warns of GPUs without memory where a pod asks for a part of it. */
    static void ofGpus(Cluster cluster, List<Pod> pods, Notes notes) {
        if (pods.stream().noneMatch(UnlikelyValues::asksForMemory)) {
            return;
        }
        List<String> without = cluster.nodes().stream()
                .filter(node -> node.node().mode().admitsShares())
                .filter(node -> node.node().gpus().stream().anyMatch(gpu -> gpu.memoryMib() == 0))
                .map(NodeState::name)
                .toList();
        if (!without.isEmpty()) {
            notes.remark("GPUs of " + without.size() + (without.size() == 1 ? " node" : " nodes") + ", such as "
                    + without.get(0)
                    + ", have no memory, and a pod requests a part of it. Maybe their memory or the label"
                    + " that names it is missing");
        }
    }

    private static boolean asksForMemory(Pod pod) {
        return pod.containers().stream()
                .anyMatch(container -> container.gpu() instanceof GpuRequest.Share share
                        && (share.memory() instanceof GpuMemory.Percent percent
                                ? percent.percent() > 0
                                : share.memory().on(0) > 0));
    }
}
