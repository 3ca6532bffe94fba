package io.gpusched.simulator.capacity;

import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.simulator.trace.NodeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kind of node: {@code 8xH100}, a number of GPUs of a model with the CPU and memory that nodes have by default; or the name of a node
 * of a cluster, or of a model, for nodes like the first such.
 *
 * @param text the kind as it was written
 */
public record NodeKind(String text) {
    private static final Pattern SIZE = Pattern.compile("([1-9][0-9]?)x([^\\s,@]+)");

    /** Whether a node is meant: by its name, the model of its GPUs, or by both number and model. */
    boolean isOf(Node node) {
        Matcher size = SIZE.matcher(text);
        return size.matches()
                ? node.gpus().size() == Integer.parseInt(size.group(1)) && hasModel(node, size.group(2))
                : node.name().equals(text) || hasModel(node, text);
    }

    private static boolean hasModel(Node node, String model) {
        return !node.gpus().isEmpty()
                && node.gpus().stream()
                        .map(Gpu::model)
                        .allMatch(gpu -> gpu.name().equals(model));
    }

    /**
     * Returns so many new nodes of this kind: like the first that is meant, else of the usual size.
     *
     * @throws IllegalArgumentException if the cluster has no such node and the kind tells no size
     */
    List<Node> nodes(List<Node> cluster, int count) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(node(cluster, "new-" + text + "-" + i));
        }
        return nodes;
    }

    private Node node(List<Node> cluster, String name) {
        Node like = cluster.stream().filter(this::isOf).findFirst().orElse(null);
        if (like != null) {
            return named(like, name);
        }
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no node and no GPU model of the cluster\nMaybe say how many GPUs: 8x" + text);
        }
        return NodeTable.node(name, Integer.parseInt(size.group(1)), size.group(2));
    }

    /** A healthy node like another, without its cordon and its residents. */
    private static Node named(Node like, String name) {
        Node.Builder node = Node.builder(name)
                .mode(like.mode())
                .capacity(like.capacity())
                .maxPods(like.maxPods())
                .labels(like.labels())
                .topology(like.topology())
                .links(like.links());
        like.taints().forEach(node::taint);
        for (Gpu gpu : like.gpus()) {
            node.gpu(Gpu.of(gpu.index(), name + "-" + gpu.index(), gpu.model())
                    .withComputeMillis(gpu.computeMillis())
                    .withMemoryMib(gpu.memoryMib())
                    .withSlots(gpu.slots())
                    .withNumaNode(gpu.numaNode())
                    .withPartitions(gpu.partitions()));
        }
        return node.build();
    }

    @Override
    public String toString() {
        return text;
    }
}
