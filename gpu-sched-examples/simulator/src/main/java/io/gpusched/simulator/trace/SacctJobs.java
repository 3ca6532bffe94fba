package io.gpusched.simulator.trace;

import io.gpusched.model.Resources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads what Slurm's {@code sacct -P} prints, columns by their names: {@code JobID}, {@code Submit}, {@code AllocTRES} or
 * {@code ReqTRES}, {@code ElapsedRaw} or {@code Elapsed}, and {@code Partition}, {@code Account} or {@code User} if they are there.
 *
 * <p>Steps of jobs ({@code 7.batch}) and jobs that never ran are left out; so are memory and CPU of jobs that name none. A job of
 * several nodes becomes a gang of pods of a node's GPUs.
 */
final class SacctJobs {
    private static final char SEPARATOR = '|';
    private static final String GPU = "gres/gpu";

    private final int nodeGpus;

    private SacctJobs(int nodeGpus) {
        this.nodeGpus = nodeGpus;
    }

    static boolean isOne(Path file) {
        List<String> columns = List.of(JobTimes.header(file).split("\\|", -1));
        return columns.contains("JobID") && columns.contains("Submit");
    }

    /**
     * Returns the jobs that ran.
     *
     * @throws TraceException if the file cannot be used, or none ran
     */
    static List<SubmittedJob> read(Path file, int nodeGpus) {
        List<SubmittedJob> jobs = new ArrayList<>();
        for (Optional<SubmittedJob> job :
                TraceTable.read(file, SEPARATOR, List.of("JobID", "Submit"), new SacctJobs(nodeGpus)::job)) {
            job.ifPresent(jobs::add);
        }
        if (jobs.isEmpty()) {
            throw new TraceException("file \"" + file + "\": expected at least one job that ran, got none");
        }
        return JobTimes.fromZero(jobs);
    }

    private Optional<SubmittedJob> job(TraceRow row) {
        String id = row.name("JobID");
        long run = elapsed(row);
        if (id.contains(".") || run == 0) {
            return Optional.empty();
        }
        long submit = JobTimes.seconds(row.text("Submit"))
                .orElseThrow(() -> row.bad("Submit", "a time such as 2026-05-01T12:00:00"));
        Map<String, String> tres = tres(row);
        int gpus = count(row, tres.getOrDefault(GPU, "0"));
        long cpuMillis = 1_000L * count(row, tres.getOrDefault("cpu", "0"));
        Resources all = Resources.of(cpuMillis, mib(row, tres.getOrDefault("mem", "0")));
        int nodes = Math.max(1, count(row, tres.getOrDefault("node", "1")));
        int aNode = Math.max(1, Math.min(nodeGpus, (gpus + nodes - 1) / nodes));
        String owner = row.has("Partition")
                ? row.text("Partition")
                : row.has("Account") ? row.text("Account") : row.has("User") ? row.text("User") : "";
        String model = tres.keySet().stream()
                .filter(name -> name.startsWith(GPU + ":"))
                .map(name -> name.substring(GPU.length() + 1))
                .findFirst()
                .orElse("");
        TraceJob job = new TraceJob(id, PlainJobs.members(id, gpus, all, "", aNode), new Lifetime(submit, run));
        return Optional.of(new SubmittedJob(job, owner, model));
    }

    private static long elapsed(TraceRow row) {
        if (row.has("ElapsedRaw")) {
            return row.number("ElapsedRaw", 0, GangTrace.MOST_SECONDS);
        }
        OptionalLong seconds = row.has("Elapsed") ? JobTimes.elapsed(row.text("Elapsed")) : OptionalLong.empty();
        return seconds.orElseThrow(() -> row.has("Elapsed")
                ? row.bad("Elapsed", "a time such as 1-02:03:04")
                : row.bad("expected a column ElapsedRaw or Elapsed"));
    }

    private static Map<String, String> tres(TraceRow row) {
        String text = row.has("AllocTRES") ? row.text("AllocTRES") : "";
        text = text.isEmpty() && row.has("ReqTRES") ? row.text("ReqTRES") : text;
        if (!row.has("AllocTRES") && !row.has("ReqTRES")) {
            throw row.bad("expected a column AllocTRES or ReqTRES");
        }
        Map<String, String> tres = new HashMap<>();
        for (String one : text.split(",", -1)) {
            int equals = one.indexOf('=');
            if (equals > 0) {
                tres.put(one.substring(0, equals), one.substring(equals + 1));
            }
        }
        // some sites count GPUs by type alone
        tres.keySet().stream()
                .filter(name -> name.startsWith(GPU + ":"))
                .findFirst()
                .ifPresent(typed -> tres.putIfAbsent(GPU, tres.get(typed)));
        return tres;
    }

    private static int count(TraceRow row, String text) {
        if (!text.matches("\\d{1,6}")) {
            throw row.bad("expected whole numbers of nodes, CPUs and GPUs, got \"" + text + "\"");
        }
        return Integer.parseInt(text);
    }

    /** Slurm writes {@code 64G}, {@code 500M}, {@code 1.5T}; megabytes where there is no letter. */
    private static long mib(TraceRow row, String text) {
        if (!text.matches("\\d{1,9}(\\.\\d+)?[KMGTn]?c?")) {
            throw row.bad("expected an amount of memory such as 64G, got \"" + text + "\"");
        }
        double amount = Double.parseDouble(text.replaceAll("[^0-9.]", ""));
        double unit =
                text.contains("K") ? 1 / 1_024.0 : text.contains("G") ? 1_024 : text.contains("T") ? 1_024 * 1_024 : 1;
        return (long) Math.ceil(amount * unit);
    }
}
