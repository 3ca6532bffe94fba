package io.gpusched.replay;

import io.gpusched.json.JsonFormat;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What came of a history: as it was, or as it would have been.
 *
 * @param jobs what became of each job, in the order in which they came
 * @param gpus how many GPUs there were, as a mean over time
 * @param usedGpus how many of them were in use
 * @param strandedGpus how many were free, and a usual pod could not use them
 * @param uses how many were in use and stranded one stretch of time after the other; of more than some hundred states samples
 * @param leastGpuMillis how few GPUs each queue held while a job of it waited, in milli; of queues in which one did
 * @param from when it began
 * @param to when it ended: what was not over then is left open
 * @param notes what could not be played as it was
 */
public record Outcome(
        List<JobOutcome> jobs,
        double gpus,
        double usedGpus,
        double strandedGpus,
        List<Use> uses,
        Map<String, Long> leastGpuMillis,
        long from,
        long to,
        List<String> notes) {
    /** How an outcome is written, so that another version can say what it gives. */
    public static final JsonFormat<Outcome> FORMAT = JsonFormat.of("outcome", Outcome.class);

    /** Copies the lists. */
    public Outcome {
        jobs = List.copyOf(jobs);
        uses = List.copyOf(uses);
        leastGpuMillis = Map.copyOf(leastGpuMillis);
        notes = List.copyOf(notes);
    }

    /**
     * What of a cluster was in use for a stretch of time.
     *
     * @param lasted how long
     * @param usedGpus how many GPUs were in use
     * @param strandedGpus how many were free, and a usual pod could not use them
     */
    public record Use(long lasted, double usedGpus, double strandedGpus) {}

    /**
     * How long jobs waited for their first start, in the unit of time.
     *
     * @param started how many of them started
     * @param open how many did not until the end
     * @param mean the mean of those that started
     * @param median their median; the mean of the two in the middle if they are even in number
     * @param p95 the wait that 95 of 100 of them did not exceed
     */
    public record Waits(int started, int open, double mean, double median, long p95) {}

    /** Returns how long the jobs waited that are so. Those that were there when the history began do not count. */
    public Waits waits(Predicate<JobOutcome> which) {
        long[] waits = jobs.stream()
                .filter(which)
                .filter(job -> job.waited().isPresent())
                .mapToLong(job -> job.waited().getAsLong())
                .sorted()
                .toArray();
        int open = (int) jobs.stream()
                .filter(which)
                .filter(job -> !job.old() && job.started().isEmpty())
                .filter(job -> job.ended().isEmpty())
                .count();
        int count = waits.length;
        double median = count == 0 ? 0 : (waits[(count - 1) / 2] + waits[count / 2]) / 2.0;
        long p95 = count == 0 ? 0 : waits[(int) ((95L * count + 99) / 100) - 1];
        return new Waits(count, open, Arrays.stream(waits).average().orElse(0), median, p95);
    }

    /** Returns how many pods were evicted. */
    public long evictions() {
        return jobs.stream().mapToLong(JobOutcome::evictions).sum();
    }

    /** Returns what pods had run in vain, in milli of GPUs times the unit of time. */
    public long lostGpuTime() {
        return jobs.stream().mapToLong(JobOutcome::lostGpuTime).sum();
    }

    /** Returns how many of the jobs that are so were promised a start that is due by the end. */
    public long promised(Predicate<JobOutcome> which) {
        return due(which).count();
    }

    /** Returns how many of the promised jobs started by then. */
    public long kept(Predicate<JobOutcome> which) {
        return due(which)
                .filter(job -> job.started().isPresent()
                        && job.started().getAsLong() <= job.promised().getAsLong())
                .count();
    }

    private Stream<JobOutcome> due(Predicate<JobOutcome> which) {
        return jobs.stream()
                .filter(which)
                .filter(job -> job.promised().isPresent() && job.promised().getAsLong() <= to);
    }
}
