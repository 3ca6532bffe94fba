package io.gpusched.examples.report;

import io.gpusched.examples.simulate.TypicalMix;
import io.gpusched.examples.simulate.TypicalShape;
import io.gpusched.examples.trace.TracePod;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The nodes of one class on the map of the cluster.
 *
 * @param label what the nodes are
 * @param nodes the nodes: the fullest first
 */
public record MapRow(String label, List<MapNode> nodes) {
    /** What stands for a GPU that one pod holds whole, among amounts of 0..1,000. */
    static final int WHOLE = -1;

    /** What stands for a GPU that is out of order. */
    static final int SICK = -2;

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
     * @param starved whether no typical GPU pod fits, though some compute may be free
     * @param gpus for each GPU the compute in use in thousandths, {@link #WHOLE} or {@link #SICK}
     */
    public record MapNode(String name, long cpu, long memory, boolean starved, List<Integer> gpus) {}

    /** Returns a row for each class of nodes that has GPUs, the one with the most GPUs first. */
    static List<MapRow> of(Cluster cluster, TypicalMix mix) {
        Map<NodeClass, List<NodeState>> byClass = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            byClass.computeIfAbsent(node.nodeClass(), unused -> new ArrayList<>())
                    .add(node);
        }
        return byClass.values().stream()
                .filter(nodes -> nodes.get(0).gpuCount() > 0)
                .sorted(Comparator.comparingInt(
                        nodes -> -nodes.size() * nodes.get(0).gpuCount()))
                .map(nodes -> row(nodes, mix))
                .toList();
    }

    private static MapRow row(List<NodeState> nodes, TypicalMix mix) {
        List<NodeState> sorted = new ArrayList<>(nodes);
        // equal ones stay in node order
        sorted.sort(Comparator.comparingLong((NodeState node) -> node.freeComputeMillis()));
        return new MapRow(
                label(nodes.get(0).nodeClass()),
                sorted.stream().map(node -> node(node, mix)).toList());
    }

    private static String label(NodeClass nodeClass) {
        return String.format(
                "%d × %s, %d cores, %d GiB",
                nodeClass.gpus().size(),
                nodeClass.gpus().get(0).model().name(),
                nodeClass.capacity().cpuMillis() / 1_000,
                nodeClass.capacity().memoryMib() / 1_024);
    }

    private static MapNode node(NodeState node, TypicalMix mix) {
        List<Integer> gpus = new ArrayList<>();
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            gpus.add(use(node, gpu));
        }
        return new MapNode(
                node.name(),
                node.freeCpuMillis() / 1_000,
                node.freeMemoryMib() / 1_024,
                mix.shapes().stream().noneMatch(shape -> fits(node, shape)),
                gpus);
    }

    private static int use(NodeState node, int gpu) {
        if (!node.isHealthy(gpu)) {
            return SICK;
        }
        int capacity = node.node().gpus().get(gpu).computeMillis();
        return node.isWhole(gpu) ? WHOLE : (capacity - node.freeComputeMillis(gpu)) * 1_000 / capacity;
    }

    private static boolean fits(NodeState node, TypicalShape shape) {
        if (shape.isCpuOnly() || node.freeCpuMillis() < shape.cpuMillis()) {
            return false;
        }
        Set<String> models = TracePod.models(shape.gpuSpec());
        if (!models.isEmpty()
                && !models.contains(node.node().gpus().get(0).model().name())) {
            return false;
        }
        int fitting = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            fitting += node.freeComputeMillis(gpu) >= shape.gpuMillis() ? 1 : 0;
        }
        return fitting >= shape.gpus();
    }
}
