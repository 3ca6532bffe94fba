package io.gpusched.testkit;

import io.gpusched.model.Placement;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Reservation;
import io.gpusched.workload.PodGroup;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Jobs for tests, what a user says and where they stand in one go. Each method replaces what was set before. */
public final class TestJobs {
    private final JobSpec.Builder spec;
    private List<Placement> running;
    private List<Placement> terminating;
    private List<Placement> nominated;
    private OptionalLong started;
    private OptionalLong staleSince;
    private Optional<Reservation> reservation;

    private TestJobs(JobSpec.Builder spec, JobStatus status) {
        this.spec = spec;
        running = status.running();
        terminating = status.terminating();
        nominated = status.nominated();
        started = status.started();
        staleSince = status.staleSince();
        reservation = status.reservation();
    }

    /** Starts a pending job. */
    public static TestJobs builder(PodGroup group, String queue) {
        return new TestJobs(JobSpec.builder(group, queue), JobStatus.PENDING);
    }

    /** Starts a job like this one. */
    public static TestJobs like(Job job) {
        return new TestJobs(job.spec().toBuilder(), job.status());
    }

    public TestJobs priority(int value) {
        spec.priority(value);
        return this;
    }

    public TestJobs eviction(Eviction value) {
        spec.eviction(value);
        return this;
    }

    public TestJobs submitted(long time) {
        spec.submitted(time);
        return this;
    }

    public TestJobs preemptionDelay(long time) {
        spec.preemptionDelay(time);
        return this;
    }

    public TestJobs maxDuration(long time) {
        spec.maxDuration(time);
        return this;
    }

    public TestJobs expectedDuration(long time) {
        spec.expectedDuration(time);
        return this;
    }

    public TestJobs promised(boolean value) {
        spec.promised(value);
        return this;
    }

    public TestJobs started(long time) {
        started = OptionalLong.of(time);
        return this;
    }

    public TestJobs running(List<Placement> placements) {
        running = placements;
        return this;
    }

    public TestJobs terminating(List<Placement> placements) {
        terminating = placements;
        return this;
    }

    public TestJobs nominated(List<Placement> placements) {
        nominated = placements;
        return this;
    }

    public TestJobs reservation(Optional<Reservation> value) {
        reservation = value;
        return this;
    }

    /** Returns the job. */
    public Job build() {
        return new Job(spec.build(), new JobStatus(running, terminating, nominated, started, staleSince, reservation));
    }
}
