package io.gpusched.simulator.cycle;

import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.simulator.trace.TraceJob;
import io.gpusched.workload.PodGroup;
import java.util.Comparator;
import java.util.OptionalLong;

/** How far a job has come. An evicted job keeps what it has run. */
final class JobProgress {
    /** The one that ends first; those of one second in the order of their submission. */
    static final Comparator<JobProgress> BY_END =
            Comparator.<JobProgress>comparingLong(job -> job.end).thenComparingInt(job -> job.index);

    final TraceJob job;
    final long gpuMillis;
    final String queue;
    private final int index;
    private final RunTimes times;
    final boolean isPromised;
    private long left;
    private boolean runs;
    private boolean isDemoted;
    private long since;
    private long end;
    private OptionalLong started = OptionalLong.empty();
    private OptionalLong ended = OptionalLong.empty();
    private OptionalLong promised = OptionalLong.empty();
    private int evictions;

    JobProgress(TraceJob job, String queue, int index, RunTimes times, boolean isPromised) {
        this.job = job;
        this.gpuMillis = job.gpuMillis();
        this.queue = queue;
        this.index = index;
        this.times = times;
        this.isPromised = isPromised;
        this.left = job.lifetime().runSeconds();
    }

    /** Returns the job as it is submitted. */
    Job submitted() {
        PodGroup group = job.isGang()
                ? job.group()
                : PodGroup.of(
                        job.name(), job.members().stream().map(pod -> pod.pod()).toList());
        return Job.pending(JobSpec.builder(group, queue)
                .submitted(job.lifetime().arrivalSeconds())
                .maxDuration(told(left))
                .promised(isPromised)
                .build());
    }

    private long told(long seconds) {
        return times.told(job, index, seconds);
    }

    /** Returns a job that was evicted as it waits for what is left of it. */
    Job again(Job evicted) {
        return evicted.withSpec(
                evicted.spec().toBuilder().maxDuration(told(left)).build());
    }

    /** When it will have used more than so many GPU seconds if it runs on; never if it is demoted already. */
    long demotedFrom(long gpuSeconds) {
        long ran = job.lifetime().runSeconds() - left;
        long most = gpuSeconds / Math.max(1, gpuMillis / 1_000);
        return isDemoted || gpuSeconds == Long.MAX_VALUE ? Long.MAX_VALUE : since + Math.max(0, most + 1 - ran);
    }

    /** Returns a job that comes after all others from now on, and leaves for them. */
    Job demoted(Job running) {
        isDemoted = true;
        JobSpec spec = running.spec();
        return running.withSpec(spec.toBuilder().priority(spec.priority() - 1).build());
    }

    boolean runs() {
        return runs;
    }

    boolean isEnded() {
        return ended.isPresent();
    }

    long end() {
        return end;
    }

    void start(long now) {
        runs = true;
        since = now;
        end = now + left;
        started = OptionalLong.of(started.orElse(now));
    }

    void evict(long now) {
        runs = false;
        left -= now - since;
        evictions++;
    }

    void finish(long now) {
        runs = false;
        ended = OptionalLong.of(now);
    }

    /** Notes the start that the job is told. */
    void promise(long start) {
        promised = OptionalLong.of(promised.orElse(start));
    }

    PlayedJob played() {
        return new PlayedJob(
                job.name(),
                queue,
                gpuMillis / 1_000,
                job.lifetime().arrivalSeconds(),
                job.lifetime().runSeconds(),
                told(job.lifetime().runSeconds()),
                started,
                ended,
                promised,
                evictions);
    }
}
