package io.gpusched.simulator.trace;

import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads job lists of training clusters (Helios, Philly) with the columns
 * {@code u_id,user,gpu_num,cpu_num,node_num,interval,run_time,...}: {@code interval} is the time since the job before,
 * {@code run_time} the time it ran, both in seconds; {@code cpu_num} counts cores of the whole job.
 *
 * <p>A job of up to 8 GPUs is one pod; a larger one is a gang of members with 8 GPUs each, the last with the rest.
 */
public final class GangTrace {
    private static final int GPUS_A_NODE = 8;
    private static final int NODES_A_RACK = 16;
    private static final long GPU_CPU_MILLIS = 12_000;
    private static final long GPU_MEMORY_MIB = 98_304;
    static final int MOST_GPUS = 100_000;
    static final long MOST_SECONDS = Integer.MAX_VALUE;

    private GangTrace() {}

    /**
     * Returns the jobs of a list in order of arrival.
     *
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static List<TraceJob> jobs(Path file) {
        long[] now = {0};
        List<String> columns = List.of("u_id", "gpu_num", "cpu_num", "interval", "run_time");
        return TraceTable.read(file, columns, row -> {
            now[0] += row.number("interval", 0, MOST_SECONDS);
            Lifetime lifetime = new Lifetime(now[0], row.number("run_time", 0, MOST_SECONDS));
            String name = "job-" + row.name("u_id");
            return new TraceJob(
                    name,
                    members(
                            name,
                            row.count("gpu_num", 0, MOST_GPUS),
                            1_000 * row.number("cpu_num", 0, MOST_GPUS),
                            GPUS_A_NODE),
                    lifetime);
        });
    }

    /** Returns the pods of a job, each with the GPUs of a node at most. */
    static List<TracePod> members(String name, int gpus, long cpuMillis, int nodeGpus) {
        int count = Math.max(1, (gpus + nodeGpus - 1) / nodeGpus);
        Resources each = Resources.of(Math.min(nodeGpus * GPU_CPU_MILLIS, cpuMillis / count), 0);
        if (count == 1) {
            return List.of(TracePod.of(name, each, gpus, gpus == 0 ? 0 : TracePod.WHOLE_GPU_MILLIS, ""));
        }
        List<TracePod> members = new ArrayList<>();
        for (int left = gpus; left > 0; left -= nodeGpus) {
            members.add(TracePod.of(
                    name + "-" + members.size(), each, Math.min(left, nodeGpus), TracePod.WHOLE_GPU_MILLIS, ""));
        }
        return members;
    }

    /** Returns this many nodes of 8 GPUs, 96 cores and 768 GiB, sixteen to a rack. */
    public static List<Node> nodes(int count) {
        return nodes(count, GPUS_A_NODE);
    }

    /** Returns this many nodes with as many GPUs each, 12 cores and 96 GiB for each GPU, sixteen nodes to a rack. */
    public static List<Node> nodes(int count, int gpus) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            nodes.add(OpenbTrace.node(String.format("node-%04d", i), gpus * GPU_CPU_MILLIS, gpus * GPU_MEMORY_MIB)
                    .topology(Topology.of(TraceJob.RACK, String.format("r%03d", i / NODES_A_RACK)))
                    .gpus(gpus, OpenbTrace.model("V100"))
                    .build());
        }
        return nodes;
    }
}
