package io.gpusched.simulator.trace;

import io.gpusched.model.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Reads a job list of one's own, by the names of its columns:
 *
 * <ul>
 *   <li>{@code submit}: a time such as {@code 2026-05-01T12:00:00}, or seconds;
 *   <li>{@code gpus}: of all members together; {@code run_seconds}: how long it ran;
 *   <li>and, if they are there: {@code name}; {@code cpus} and {@code memory_gib}, of all members together; {@code gpu_model}, the models
 *       that it accepts, separated by {@code |}; {@code ran_on}, the model that it ran on; {@code vc}, {@code queue} or {@code user}.
 * </ul>
 */
final class PlainJobs {
    private static final int MIB_A_GIB = 1_024;
    private static final int MOST_GIB = 1_000_000;

    private final int nodeGpus;
    private int count;

    private PlainJobs(int nodeGpus) {
        this.nodeGpus = nodeGpus;
    }

    static boolean isOne(Path file) {
        List<String> columns = List.of(JobTimes.header(file).split(",", -1));
        return columns.contains("submit") && columns.contains("run_seconds");
    }

    static List<SubmittedJob> read(Path file, int nodeGpus) {
        return JobTimes.fromZero(
                TraceTable.read(file, List.of("submit", "gpus", "run_seconds"), new PlainJobs(nodeGpus)::job));
    }

    private SubmittedJob job(TraceRow row) {
        String name = row.has("name") ? row.name("name") : "job-" + count;
        count++;
        long submit = JobTimes.seconds(row.text("submit"))
                .orElseThrow(() -> row.bad("submit", "a time such as 2026-05-01T12:00:00, or seconds"));
        Lifetime lifetime = new Lifetime(submit, row.number("run_seconds", 0, GangTrace.MOST_SECONDS));
        long cpuMillis = row.has("cpus") ? 1_000 * row.number("cpus", 0, GangTrace.MOST_GPUS) : 0;
        long memoryMib = row.has("memory_gib") ? MIB_A_GIB * row.number("memory_gib", 0, MOST_GIB) : 0;
        int gpus = row.count("gpus", 0, GangTrace.MOST_GPUS);
        String models = row.has("gpu_model") ? row.text("gpu_model") : "";
        List<TracePod> members = members(name, gpus, Resources.of(cpuMillis, memoryMib), models, nodeGpus);
        String owner = Stream.of("vc", "queue", "user")
                .filter(row::has)
                .map(row::text)
                .findFirst()
                .orElse("");
        return new SubmittedJob(
                new TraceJob(name, members, lifetime), owner, row.has("ran_on") ? row.text("ran_on") : "");
    }

    /** Returns the pods of a job, each with the GPUs of a node at most and its part of the rest. */
    static List<TracePod> members(String name, int gpus, Resources all, String models, int nodeGpus) {
        int count = Math.max(1, (gpus + nodeGpus - 1) / nodeGpus);
        Resources each = Resources.of(all.cpuMillis() / count, all.memoryMib() / count);
        List<TracePod> members = new ArrayList<>();
        for (int left = gpus; members.size() < count; left -= nodeGpus) {
            int here = Math.min(left, nodeGpus);
            String pod = count == 1 ? name : name + "-" + members.size();
            members.add(TracePod.of(pod, each, here, here == 0 ? 0 : TracePod.WHOLE_GPU_MILLIS, models));
        }
        return members;
    }
}
