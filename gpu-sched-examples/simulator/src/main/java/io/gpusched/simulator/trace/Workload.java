package io.gpusched.simulator.trace;

import io.gpusched.model.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A cluster and the pods that will ask for it.
 *
 * @param name a short name for tables
 * @param nodes the machines, at least one with a GPU
 * @param pods the pods in the order of their list, at least one
 */
public record Workload(String name, List<Node> nodes, List<TracePod> pods) {
    /**
     * Copies the lists and checks them.
     *
     * @throws IllegalArgumentException if there is no GPU, no pod, or a node's name occurs twice
     */
    public Workload {
        nodes = List.copyOf(nodes);
        pods = List.copyOf(pods);
        Set<String> names = new HashSet<>();
        for (Node node : nodes) {
            if (!names.add(node.name())) {
                throw new IllegalArgumentException(
                        "workload \"" + name + "\": two nodes are called \"" + node.name() + "\"");
            }
        }
        if (pods.isEmpty() || nodes.stream().allMatch(node -> node.gpus().isEmpty())) {
            throw new IllegalArgumentException("workload \"" + name + "\": at least one gpu and one pod expected, got "
                    + nodes.size() + " nodes and " + pods.size() + " pods");
        }
    }

    /** Returns the compute of all GPUs together, in thousandths of a GPU. */
    public long gpuMillis() {
        return nodes.stream()
                .mapToLong(node -> (long) node.gpus().size() * TracePod.WHOLE_GPU_MILLIS)
                .sum();
    }
}
