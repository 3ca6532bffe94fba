package io.gpusched.examples.report;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of one kind on the map of the cluster.
 *
 * @param label what the nodes are
 * @param nodes the nodes: the fullest first
 */
public record MapRow(String label, List<MapNode> nodes) {
    /** What stands for a GPU that one pod holds whole, among amounts of 0..1,000. */
    static final int WHOLE = -1;

    /** What stands for a GPU that is unhealthy. */
    static final int UNHEALTHY = -2;

    /** Copies the list. */
    public MapRow {
        nodes = List.copyOf(nodes);
    }

    /**
     * One node on the map.
     *
     * @param name its name
     * @param cpu free CPU in cores
     * @param memory free memory in GiB
     * @param cause why no typical GPU pod fits, as {@link Waste} names its parts; empty where one does
     * @param gpus for each GPU the compute in use in thousandths, {@link #WHOLE} or {@link #UNHEALTHY}
     */
    public record MapNode(String name, long cpu, long memory, String cause, List<Integer> gpus) {}

    /** Returns a row for each kind of nodes that has GPUs, the one with the most GPUs first. */
    static List<MapRow> of(Cluster cluster, WasteMeter meter) {
        Map<String, List<NodeState>> byLabel = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            if (node.gpuCount() > 0) {
                byLabel.computeIfAbsent(label(node.node()), unused -> new ArrayList<>())
                        .add(node);
            }
        }
        return byLabel.entrySet().stream()
                .sorted(Comparator.comparingInt(
                        row -> -row.getValue().size() * row.getValue().get(0).gpuCount()))
                .map(row -> new MapRow(row.getKey(), cells(row.getValue(), meter)))
                .toList();
    }

    private static List<MapNode> cells(List<NodeState> nodes, WasteMeter meter) {
        return nodes.stream()
                .sorted(Comparator.comparingLong(NodeState::freeComputeMillis))
                .map(node -> node(node, meter))
                .toList();
    }

    private static String label(Node node) {
        return String.format(
                "%d × %s, %d cores, %d GiB",
                node.gpus().size(),
                node.gpus().get(0).model().name(),
                node.capacity().cpuMillis() / 1_000,
                node.capacity().memoryMib() / 1_024);
    }

    private static MapNode node(NodeState node, WasteMeter meter) {
        List<Integer> gpus = new ArrayList<>();
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            gpus.add(use(node, gpu));
        }
        return new MapNode(
                node.name(),
                node.freeCpuMillis() / 1_000,
                node.freeMemoryMib() / 1_024,
                meter.mainCause(node).key(),
                gpus);
    }

    private static int use(NodeState node, int gpu) {
        if (!node.isHealthy(gpu)) {
            return UNHEALTHY;
        }
        int capacity = node.node().gpus().get(gpu).computeMillis();
        return node.isWhole(gpu) ? WHOLE : (capacity - node.freeComputeMillis(gpu)) * 1_000 / capacity;
    }
}
