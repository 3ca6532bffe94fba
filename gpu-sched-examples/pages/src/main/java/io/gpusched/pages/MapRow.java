package io.gpusched.pages;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The nodes of one kind on the map of the cluster.
 *
 * @param label what the nodes are
 * @param nodes the nodes: the fullest first, or in the order of the cluster
 */
public record MapRow(String label, List<MapNode> nodes) {
    /** What stands for a GPU that one pod holds whole, among amounts of 0..1,000. */
    public static final int WHOLE = -1;

    /** What stands for a GPU that is unhealthy. */
    public static final int UNHEALTHY = -2;

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
     * @param cause why no typical GPU pod fits, in a word; empty where one does
     * @param gpus for each GPU what is in use of its compute or memory, whichever is more, in thousandths, or of its slots, {@link #WHOLE} or {@link #UNHEALTHY}
     * @param slices for each GPU the hardware partitions that are held, by where they lie; an empty list if none of them is
     */
    public record MapNode(
            String name,
            long cpu,
            long memory,
            String cause,
            List<Integer> gpus,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<List<Slice>> slices) {}

    /**
     * A hardware partition that is held.
     *
     * @param profile its profile
     * @param from where it begins, in thousandths of the device
     * @param to where it ends
     */
    public record Slice(String profile, int from, int to) {}

    /**
     * Returns a row for each kind of nodes that has GPUs, the one with the most GPUs first, in it the fullest node. O(n log n)
     *
     * @param cause why no typical GPU pod fits on a node, in a word; empty where one does
     */
    public static List<MapRow> fullestFirst(Cluster cluster, Function<NodeState, String> cause) {
        return of(cluster, Comparator.comparingLong(NodeState::freeComputeMillis), cause);
    }

    /** Returns the same rows with their nodes in the order of the cluster, so that each stays where it is; no causes. O(n) */
    public static List<MapRow> inOrder(Cluster cluster) {
        // Nodes of one kind have equally many GPUs, so that this leaves them as they stand.
        return of(cluster, Comparator.comparingInt(NodeState::gpuCount), node -> "");
    }

    private static List<MapRow> of(Cluster cluster, Comparator<NodeState> order, Function<NodeState, String> cause) {
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
                .map(row -> new MapRow(row.getKey(), cells(row.getValue(), order, cause)))
                .toList();
    }

    private static List<MapNode> cells(
            List<NodeState> nodes, Comparator<NodeState> order, Function<NodeState, String> cause) {
        return nodes.stream()
                .sorted(order)
                .map(node -> node(node, cause.apply(node)))
                .toList();
    }

    private static String label(Node node) {
        long cores = node.capacity().cpuMillis() / 1_000;
        return String.format(
                "%d × %s, %d %s, %d GiB",
                node.gpus().size(),
                node.gpus().get(0).model().name(),
                cores,
                cores == 1 ? "core" : "cores",
                node.capacity().memoryMib() / 1_024);
    }

    private static MapNode node(NodeState node, String cause) {
        List<Integer> gpus = new ArrayList<>();
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            gpus.add(use(node, gpu));
        }
        return new MapNode(
                node.name(), node.freeCpuMillis() / 1_000, node.freeMemoryMib() / 1_024, cause, gpus, slices(node));
    }

    private static List<List<Slice>> slices(NodeState node) {
        List<List<Slice>> slices = new ArrayList<>();
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            slices.add(new ArrayList<>());
        }
        node.placements().stream()
                .flatMap(placement -> placement.containers().stream())
                .forEach(container -> {
                    if (container.gpus() instanceof GpuGrant.Partitions cut) {
                        cut.partitions()
                                .forEach(one -> slices.get(one.gpu())
                                        .add(slice(node.node().gpus().get(one.gpu()), one)));
                    }
                });
        if (slices.stream().allMatch(List::isEmpty)) {
            return List.of();
        }
        slices.forEach(held -> held.sort(Comparator.comparingInt(Slice::from)));
        return slices;
    }

    /** Where a partition lies; one without a place, as much as it takes, from the beginning. */
    private static Slice slice(Gpu gpu, GpuPartition held) {
        PartitionGeometry geometry = gpu.partitions();
        PartitionProfile profile = geometry.profiles().stream()
                .filter(one -> one.name().equals(held.profile()))
                .findFirst()
                .orElseThrow();
        int units = geometry.gridUnits();
        return profile.size() == 0
                ? new Slice(held.profile(), 0, Math.min(1_000, profile.computeMillis() * 1_000 / gpu.computeMillis()))
                : new Slice(
                        held.profile(), held.start() * 1_000 / units, (held.start() + profile.size()) * 1_000 / units);
    }

    private static int use(NodeState node, int gpu) {
        if (!node.isHealthy(gpu)) {
            return UNHEALTHY;
        }
        if (node.isWhole(gpu)) {
            return WHOLE;
        }
        Gpu device = node.node().gpus().get(gpu);
        int compute = used(device.computeMillis(), node.freeComputeMillis(gpu));
        int memory = used(device.memoryMib(), node.freeMemoryMib(gpu));
        // tenants that take turns hold slots alone
        return compute > 0 || memory > 0 ? Math.max(compute, memory) : used(device.slots(), node.freeSlots(gpu));
    }

    private static int used(long all, long free) {
        return all == 0 ? 0 : (int) ((all - free) * 1_000 / all);
    }
}
