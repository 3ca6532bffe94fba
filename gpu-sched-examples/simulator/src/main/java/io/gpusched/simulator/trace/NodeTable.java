package io.gpusched.simulator.trace;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.model.partition.PartitionGeometry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a node list in CSV, columns by their names; several names are understood:
 *
 * <ul>
 *   <li>{@code gpus} ({@code gpu}, {@code gpu_capacity_num}) and {@code model} ({@code gpu_model});
 *   <li>and, if they are there: {@code name} ({@code sn}, {@code node_name}); {@code count}, so many such nodes, named with a number;
 *       {@code cpus} ({@code cpu_num}) or {@code cpu_milli}; {@code memory_gib} or {@code memory_mib}; {@code gpu_memory_gib}; {@code rack};
 *       {@code slots}, how many jobs may share a GPU; {@code mig}, {@code yes} if GPUs can be cut as NVIDIA's table for the model says.
 * </ul>
 *
 * <p>Where CPU or memory are not told, a node has 12 cores and 96 GiB for each GPU.
 */
public final class NodeTable {
    private static final int MIB_A_GIB = 1_024;
    private static final int MOST_COUNT = 100_000;
    private static final long GPU_CPU_MILLIS = 12_000;
    private static final long GPU_MEMORY_MIB = 98_304;

    private final Set<String> names = new HashSet<>();
    private int rows;

    private NodeTable() {}

    /** Returns whether a file is such a list: its first line names a column of GPUs. */
    public static boolean isOne(Path file) {
        String first = TraceText.firstLine(file);
        List<String> columns = List.of(first.split(Pattern.quote(String.valueOf(TraceText.separator(first))), -1));
        return Stream.of("gpus", "gpu", "gpu_capacity_num").anyMatch(columns::contains);
    }

    /**
     * Returns the nodes of a list in file order.
     *
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static List<Node> read(Path file) {
        List<Node> nodes = new ArrayList<>();
        TraceTable.read(file, List.of(), new NodeTable()::nodes).forEach(nodes::addAll);
        return nodes;
    }

    /** Returns a node with a number of GPUs of one model, and the default CPU and memory. */
    public static Node node(String name, int gpus, String model) {
        return builder(name, gpus * GPU_CPU_MILLIS, gpus * GPU_MEMORY_MIB)
                .gpus(gpus, OpenbTrace.model(model))
                .build();
    }

    private static Node.Builder builder(String name, long cpuMillis, long memoryMib) {
        return OpenbTrace.node(name, cpuMillis, memoryMib).mode(NodeMode.MIXED);
    }

    private List<Node> nodes(TraceRow row) {
        String field = first(row, "name", "sn", "node_name").orElse("");
        String name = field.isEmpty() ? "node-" + rows : row.name(field);
        rows++;
        int count = row.has("count") ? row.count("count", 0, MOST_COUNT) : 1;
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String each = count == 1 ? name : name + "-" + i;
            if (!names.add(each)) {
                throw row.bad("two nodes are called \"" + each + "\"");
            }
            nodes.add(node(row, each));
        }
        return nodes;
    }

    private static Optional<String> first(TraceRow row, String... fields) {
        return Stream.of(fields).filter(row::has).findFirst();
    }

    private static Node node(TraceRow row, String name) {
        String gpuField =
                first(row, "gpus", "gpu", "gpu_capacity_num").orElseThrow(() -> row.bad("expected a column gpus"));
        int gpus = row.count(gpuField, 0, Node.MAX_GPUS);
        Node.Builder node = builder(name, cpuMillis(row, gpus), memoryMib(row, gpus));
        if (gpus > 0) {
            String modelField = first(row, "model", "gpu_model").orElseThrow(() -> row.bad("expected a column model"));
            long memory = row.has("gpu_memory_gib") ? MIB_A_GIB * row.number("gpu_memory_gib", 0, MOST_COUNT) : 0;
            gpus(row, name, gpus, GpuModel.of("nvidia", row.name(modelField), memory))
                    .forEach(node::gpu);
        }
        if (row.has("rack") && !row.text("rack").isEmpty()) {
            node.topology(Topology.of(TraceJob.RACK, row.text("rack")));
        }
        return node.build();
    }

    private static List<Gpu> gpus(TraceRow row, String node, int count, GpuModel model) {
        int slots = row.textOr("slots").isEmpty() ? Gpu.DEFAULT_SLOTS : row.count("slots", 1, Gpu.DEFAULT_SLOTS);
        Optional<MigGeometry> mig = mig(row, model);
        GpuModel known = mig.isPresent() && model.memoryMib() == 0
                ? GpuModel.of(
                        model.vendor(),
                        model.name(),
                        (long) MIB_A_GIB * mig.get().memoryGb())
                : model;
        List<Gpu> gpus = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            gpus.add(Gpu.of(i, node + "-gpu-" + i, known)
                    .withSlots(slots)
                    .withPartitions(mig.map(MigGeometry::geometry).orElse(PartitionGeometry.NONE)));
        }
        return gpus;
    }

    private static Optional<MigGeometry> mig(TraceRow row, GpuModel model) {
        String text = row.textOr("mig");
        if (text.isEmpty() || text.equals("no")) {
            return Optional.empty();
        }
        if (!text.equals("yes")) {
            throw row.bad("mig", "yes or no");
        }
        Optional<MigGeometry> mig = MigGeometry.ofProduct(model.name(), model.memoryMib());
        if (mig.isEmpty()) {
            throw row.bad("mig", "no, for NVIDIA's table of MIG has no model \"" + model.name() + "\"");
        }
        return mig;
    }

    private static long cpuMillis(TraceRow row, int gpus) {
        if (row.has("cpu_milli")) {
            return row.number("cpu_milli", 0, Resources.MAX);
        }
        return first(row, "cpus", "cpu_num")
                .map(field -> 1_000 * row.number(field, 0, MOST_COUNT))
                .orElse(gpus * GPU_CPU_MILLIS);
    }

    private static long memoryMib(TraceRow row, int gpus) {
        if (row.has("memory_mib")) {
            return row.number("memory_mib", 0, Resources.MAX);
        }
        return row.has("memory_gib") ? MIB_A_GIB * row.number("memory_gib", 0, MOST_COUNT) : gpus * GPU_MEMORY_MIB;
    }
}
