package io.gpusched.simulator.cycle;

import io.gpusched.queue.FairShare;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Adds up over time what each queue uses, what its fair share is, and how many of its jobs wait. */
final class QueueMeter {
    private static final double HOUR_SECONDS = 3_600;
    private static final int SLICES = 200;

    /** What holds now: GPU milli in use, GPU milli in use or asked for, and jobs that wait. */
    static final class Now {
        long used;
        long requested;
        int waiting;
    }

    private final QueueTree queues;
    private final long gpuMillis;
    private final long sliceSeconds;
    private final Map<String, List<double[]>> slices = new LinkedHashMap<>();
    private long time;

    QueueMeter(CycleScenario scenario) {
        this.queues = scenario.queues();
        this.gpuMillis = scenario.jobs().gpuMillis();
        this.sliceSeconds = Math.max(1, (scenario.jobs().spanSeconds() + SLICES - 1) / SLICES);
        scenario.leaves().forEach(queue -> slices.put(queue, new ArrayList<>()));
    }

    /** Says that from the last call until a time this held in the queues that have no parts. */
    void until(long seconds, Map<String, Now> now) {
        if (seconds <= time) {
            return;
        }
        Map<String, Long> shares = shares(now);
        slices.forEach((queue, sums) -> {
            Now one = now.getOrDefault(queue, new Now());
            double share = (double) shares.getOrDefault(queue, 0L);
            add(sums, seconds, (double) one.used, share, one.waiting);
        });
        time = seconds;
    }

    private void add(List<double[]> sums, long until, double... values) {
        long from = time;
        while (from < until) {
            int slice = (int) (from / sliceSeconds);
            long end = Math.min(until, (slice + 1) * sliceSeconds);
            while (sums.size() <= slice) {
                sums.add(new double[values.length]);
            }
            for (int value = 0; value < values.length; value++) {
                sums.get(slice)[value] += values[value] * (end - from);
            }
            from = end;
        }
    }

    /** Returns the fair shares of the queues that have no parts, in GPU milli. */
    Map<String, Long> shares(Map<String, Now> now) {
        Map<String, Long> shares = new LinkedHashMap<>();
        divide(queues.roots(), gpuMillis, now, shares);
        return shares;
    }

    private void divide(List<JobQueue> siblings, long total, Map<String, Now> now, Map<String, Long> shares) {
        List<FairShare.Claim> claims = new ArrayList<>();
        for (JobQueue queue : siblings) {
            claims.add(new FairShare.Claim(
                    queue.name(),
                    queue.quota(QueueResource.GPU),
                    requested(queue.name(), now),
                    queue.priority(),
                    queue.created(),
                    0));
        }
        FairShare.divide(total, QueueResource.GPU.unit(), 0, claims).shares().forEach((queue, share) -> {
            shares.put(queue, share);
            divide(queues.children(queue), share, now, shares);
        });
    }

    private long requested(String queue, Map<String, Now> now) {
        if (queues.isLeaf(queue)) {
            Now one = now.get(queue);
            return one == null ? 0 : one.requested;
        }
        return queues.children(queue).stream()
                .mapToLong(part -> requested(part.name(), now))
                .sum();
    }

    /** Returns the length of a slice in hours. */
    double sliceHours() {
        return sliceSeconds / HOUR_SECONDS;
    }

    /** Returns the means of each slice by queue; the last slice may be shorter and is counted in full. */
    Map<String, List<QueueSample>> samples() {
        Map<String, List<QueueSample>> samples = new LinkedHashMap<>();
        slices.forEach((queue, sums) -> samples.put(
                queue,
                sums.stream()
                        .map(sum -> new QueueSample(percent(sum[0]), percent(sum[1]), sum[2] / sliceSeconds))
                        .toList()));
        return samples;
    }

    private double percent(double milliSeconds) {
        return 100 * milliSeconds / sliceSeconds / Math.max(1, gpuMillis);
    }
}
