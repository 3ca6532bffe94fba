package io.gpusched.workload;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.Placement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** A job to be. Each method replaces what was set before; {@link #build} may be called again. Not thread-safe. */
public final class JobBuilder {
    private PodGroup group;
    private String queue;
    private int priority;
    private Eviction eviction = Eviction.GANG;
    private long submitted;
    private OptionalLong started = OptionalLong.empty();
    private long preemptionDelay;
    private OptionalLong expectedDuration = OptionalLong.empty();
    private OptionalLong maxDuration = OptionalLong.empty();
    private OptionalLong staleSince = OptionalLong.empty();
    private List<Placement> running = List.of();
    private List<Placement> terminating = List.of();
    private List<Placement> nominated = List.of();
    private Optional<Reservation> reservation = Optional.empty();
    private boolean promised;

    JobBuilder(PodGroup group, String queue) {
        this.group = Objects.requireNonNull(group, "group");
        this.queue = Objects.requireNonNull(queue, "queue");
    }

    JobBuilder(Job job) {
        this(job.group(), job.queue());
        priority = job.priority();
        eviction = job.eviction();
        submitted = job.submitted();
        started = job.started();
        preemptionDelay = job.preemptionDelay();
        expectedDuration = job.expectedDuration();
        maxDuration = job.maxDuration();
        staleSince = job.staleSince();
        running = job.running();
        terminating = job.terminating();
        nominated = job.nominated();
        reservation = job.reservation();
        promised = job.promised();
    }

    /** Sets the members. */
    public JobBuilder group(PodGroup value) {
        group = Objects.requireNonNull(value, "value");
        return this;
    }

    /** Sets the queue. */
    public JobBuilder queue(String value) {
        queue = Objects.requireNonNull(value, "value");
        return this;
    }

    /** Sets the priority. */
    public JobBuilder priority(int value) {
        priority = value;
        return this;
    }

    /** Sets how members may be evicted. */
    public JobBuilder eviction(Eviction value) {
        eviction = Objects.requireNonNull(value, "value");
        return this;
    }

    /** Sets when the job was submitted. */
    public JobBuilder submitted(long time) {
        submitted = time;
        return this;
    }

    /** Sets when its minimum started to run. */
    public JobBuilder started(long time) {
        started = OptionalLong.of(time);
        return this;
    }

    /** Says that its minimum does not run. */
    public JobBuilder notStarted() {
        started = OptionalLong.empty();
        return this;
    }

    /** Sets how long it waits before others are evicted for it. */
    public JobBuilder preemptionDelay(long time) {
        preemptionDelay = time;
        return this;
    }

    /** Sets how long it is expected to run; it may run longer. */
    public JobBuilder expectedDuration(long time) {
        expectedDuration = OptionalLong.of(time);
        return this;
    }

    /** Sets after how long it is ended at the latest, such as its time limit. */
    public JobBuilder maxDuration(long time) {
        maxDuration = OptionalLong.of(time);
        return this;
    }

    /** Sets since when it runs with fewer members than its minimum; empty if it does not. */
    public JobBuilder staleSince(OptionalLong time) {
        staleSince = Objects.requireNonNull(time, "time");
        return this;
    }

    /** Sets the members that run. */
    public JobBuilder running(List<Placement> placements) {
        running = Checks.list("placements", placements);
        return this;
    }

    /** Sets what members hold that have not ended yet. */
    public JobBuilder terminating(List<Placement> placements) {
        terminating = Checks.list("placements", placements);
        return this;
    }

    /** Sets the places that are held for members. */
    public JobBuilder nominated(List<Placement> placements) {
        nominated = Checks.list("placements", placements);
        return this;
    }

    /** Sets when and where its minimum is to start; empty if nothing is reserved. */
    public JobBuilder reservation(Optional<Reservation> value) {
        reservation = Objects.requireNonNull(value, "value");
        return this;
    }

    /** Sets whether its start is a promise once one is reserved. */
    public JobBuilder promised(boolean value) {
        promised = value;
        return this;
    }

    /**
     * Returns the job.
     *
     * @throws IllegalArgumentException as {@link Job} does
     */
    public Job build() {
        return new Job(
                group,
                queue,
                priority,
                eviction,
                submitted,
                started,
                preemptionDelay,
                expectedDuration,
                maxDuration,
                staleSince,
                running,
                terminating,
                nominated,
                reservation,
                promised);
    }
}
