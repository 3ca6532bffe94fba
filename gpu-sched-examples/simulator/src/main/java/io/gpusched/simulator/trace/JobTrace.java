package io.gpusched.simulator.trace;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Reads job lists of training clusters by the columns that they have:
 *
 * <ul>
 *   <li>{@code job_id,submit_s,gpus,duration_s}: seconds (Philly's virtual clusters, as PCS has them);
 *   <li>{@code u_id,gpu_num,cpu_num,interval,run_time}: see {@link GangTrace} (Helios, Philly);
 *   <li>{@code job_id,num_gpu,submit_time,duration}: milliseconds (Muri), rounded down to seconds;
 *   <li>{@code submit,gpus,run_seconds} and, if they are there, {@code name,cpus,memory_gib,gpu_model,ran_on}: a list of one's own; see
 *       {@link PlainJobs};
 *   <li>what {@code sacct -P} prints; see {@link SacctJobs}.
 * </ul>
 *
 * <p>Whose a job is stands in a column {@code vc}, {@code queue} or {@code user}.
 */
public final class JobTrace {
    private static final long MOST_MILLIS = 1_000L * GangTrace.MOST_SECONDS;

    private final int nodeGpus;
    private long now;

    private JobTrace(int nodeGpus) {
        this.nodeGpus = nodeGpus;
    }

    /**
     * Returns the jobs of a list in file order, each named as there.
     *
     * @param nodeGpus the GPUs of a node: a job of more becomes a gang of pods with so many each, the last with the rest
     * @throws TraceException if the file cannot be used; the message names the line and the field
     */
    public static List<SubmittedJob> read(Path file, int nodeGpus) {
        if (SacctJobs.isOne(file)) {
            return SacctJobs.read(file, nodeGpus);
        }
        return PlainJobs.isOne(file)
                ? PlainJobs.read(file, nodeGpus)
                : TraceTable.read(file, List.of(), new JobTrace(nodeGpus)::job);
    }

    private SubmittedJob job(TraceRow row) {
        if (row.has("submit_s")) {
            return job(row, "job_id", "gpus", seconds(row, "submit_s"), seconds(row, "duration_s"));
        }
        if (row.has("interval") && row.has("run_time")) {
            now += seconds(row, "interval");
            return job(row, "u_id", "gpu_num", now, seconds(row, "run_time"));
        }
        if (row.has("submit_time")) {
            return job(row, "job_id", "num_gpu", millis(row, "submit_time"), millis(row, "duration"));
        }
        throw row.bad("expected a job list with one of the columns submit_s, interval and run_time, submit_time, submit"
                + " and run_seconds, or what sacct -P prints");
    }

    private SubmittedJob job(TraceRow row, String id, String gpus, long arrival, long run) {
        String name = row.name(id);
        long cpuMillis = row.has("cpu_num") ? 1_000 * row.number("cpu_num", 0, GangTrace.MOST_GPUS) : 0;
        List<TracePod> members = GangTrace.members(name, row.count(gpus, 0, GangTrace.MOST_GPUS), cpuMillis, nodeGpus);
        Optional<String> owner =
                Stream.of("vc", "user").filter(row::has).map(row::text).findFirst();
        return new SubmittedJob(new TraceJob(name, members, new Lifetime(arrival, run)), owner.orElse(""));
    }

    private static long seconds(TraceRow row, String field) {
        return row.number(field, 0, GangTrace.MOST_SECONDS);
    }

    private static long millis(TraceRow row, String field) {
        return row.number(field, 0, MOST_MILLIS) / 1_000;
    }
}
