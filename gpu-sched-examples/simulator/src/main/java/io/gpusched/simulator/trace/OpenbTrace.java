package io.gpusched.simulator.trace;

import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the node and pod lists of Alibaba's {@code openb} traces (clusterdata, {@code cluster-trace-gpu-v2023}).
 *
 * <p>Node lists have the columns {@code sn,cpu_milli,memory_mib,gpu,model}; pod lists
 * {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli} and, in most files, {@code gpu_spec} and the times
 * {@code creation_time,deletion_time}. Nodes admit both whole GPUs and shares; memory of GPUs is not modelled.
 */
public final class OpenbTrace {
    /** How many pods a node takes, as in the published experiments. */
    public static final int MAX_PODS = 1_001;

    private static final List<String> NODE_COLUMNS = List.of("sn", "cpu_milli", "memory_mib", "gpu", "model");
    private static final List<String> POD_COLUMNS = List.of("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");

    private OpenbTrace() {}

    /**
     * Returns the nodes of a list in file order.
     *
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static List<Node> nodes(Path file) {
        Map<String, GpuModel> models = new HashMap<>();
        Set<String> names = new HashSet<>();
        return TraceTable.read(file, NODE_COLUMNS, row -> {
            String name = row.name("sn");
            if (!names.add(name)) {
                throw row.bad("sn", "unique");
            }
            int gpus = row.count("gpu", 0, Node.MAX_GPUS);
            Node.Builder node =
                    node(name, row.number("cpu_milli", 0, Resources.MAX), row.number("memory_mib", 0, Resources.MAX));
            if (gpus > 0) {
                node.gpus(gpus, models.computeIfAbsent(row.name("model"), OpenbTrace::model));
            }
            return node.build();
        });
    }

    /** Starts a node as the traces mean it: both whole GPUs and shares, {@value #MAX_PODS} pods. */
    static Node.Builder node(String name, long cpuMillis, long memoryMib) {
        return Node.builder(name)
                .mode(NodeMode.MIXED)
                .capacity(cpuMillis, memoryMib)
                .maxPods(MAX_PODS);
    }

    /** Returns the model of this name; its memory is not known. */
    static GpuModel model(String name) {
        return GpuModel.of("nvidia", name, 0);
    }

    /**
     * Returns the pods of a list in file order.
     *
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static List<TracePod> pods(Path file) {
        Set<String> names = new HashSet<>();
        return TraceTable.read(file, POD_COLUMNS, row -> {
            String name = row.name("name");
            if (!names.add(name)) {
                throw row.bad("name", "unique");
            }
            return withTimes(row, pod(row, name));
        });
    }

    private static TracePod pod(TraceRow row, String name) {
        Resources resources =
                Resources.of(row.number("cpu_milli", 0, Resources.MAX), row.number("memory_mib", 0, Resources.MAX));
        int gpus = row.count("num_gpu", 0, Node.MAX_GPUS);
        int millis = row.count("gpu_milli", 0, TracePod.WHOLE_GPU_MILLIS);
        if (gpus == 0 && millis != 0) {
            throw row.bad("gpu_milli", "0 where num_gpu is 0");
        }
        if (gpus == 1 && millis == 0) {
            throw row.bad("gpu_milli", "in 1..1000 where num_gpu is 1");
        }
        if (gpus > 1 && millis != TracePod.WHOLE_GPU_MILLIS) {
            throw row.bad("gpu_milli", "1000 where num_gpu is above 1");
        }
        return TracePod.of(name, resources, gpus, millis, row.has("gpu_spec") ? row.text("gpu_spec") : "");
    }

    private static TracePod withTimes(TraceRow row, TracePod pod) {
        if (!isGiven(row, "creation_time") || !isGiven(row, "deletion_time")) {
            return pod;
        }
        long created = seconds(row, "creation_time");
        // The run begins when the pod was scheduled, where that is known.
        long started = isGiven(row, "scheduled_time") ? Math.max(created, seconds(row, "scheduled_time")) : created;
        return pod.withLifetime(new Lifetime(created, Math.max(0, seconds(row, "deletion_time") - started)));
    }

    private static boolean isGiven(TraceRow row, String field) {
        return row.has(field) && !row.text(field).isEmpty();
    }

    /** Some lists write their times with decimals. */
    private static long seconds(TraceRow row, String field) {
        double value = row.decimal(field);
        if (value < 0 || value > Integer.MAX_VALUE) {
            throw row.bad(field, "in 0.." + Integer.MAX_VALUE);
        }
        return (long) value;
    }
}
