package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.PodGroup;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a user says of a job: a group of pods in a queue, and how it may be started and evicted. Where its members are is its
 * {@link JobStatus}.
 *
 * <p>Times are numbers of the caller's clock, in any unit. Immutable and thread-safe.
 *
 * <pre>{@code
 * JobSpec spec = JobSpec.builder(PodGroup.of("training", pods), "team").priority(50).submitted(1_000).build();
 * }</pre>
 *
 * @param group its members, running ones included, and how many must start together
 * @param queue the name of its queue
 * @param priority jobs of higher priority come first within a queue, and may take the place of lower ones
 * @param eviction how its members may be evicted
 * @param submitted when it was submitted; among equal priorities the earliest comes first
 * @param preemptionDelay how long it waits from its submission until others are evicted for it
 * @param expectedDuration how long it runs, if that is known or estimated; it may run longer
 * @param maxDuration after how long it is ended at the latest, such as a time limit; reserved starts count with it where it is known
 * @param promised whether its start is a promise once one is reserved: from then on it only moves earlier, as long as no job runs longer
 *     than its {@code maxDuration}
 * @param policy how places are compared for its pods; empty for the policy of the scheduler
 */
public record JobSpec(
        PodGroup group,
        String queue,
        int priority,
        Eviction eviction,
        long submitted,
        long preemptionDelay,
        OptionalLong expectedDuration,
        OptionalLong maxDuration,
        boolean promised,
        Optional<PlacementPolicy> policy) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if the queue is blank or a duration is negative
     */
    public JobSpec {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(eviction, "eviction");
        Objects.requireNonNull(expectedDuration, "expectedDuration");
        Objects.requireNonNull(maxDuration, "maxDuration");
        Objects.requireNonNull(policy, "policy");
        String what = "job \"" + group.name() + "\"";
        Checks.notBlank(what, "queue", queue);
        Checks.inRange(what, "preemptionDelay", preemptionDelay, 0, Long.MAX_VALUE);
        expectedDuration.ifPresent(time -> Checks.inRange(what, "expectedDuration", time, 0, Long.MAX_VALUE));
        maxDuration.ifPresent(time -> Checks.inRange(what, "maxDuration", time, 0, Long.MAX_VALUE));
    }

    /** Starts a job of priority 0 that may be evicted as a {@link Eviction#GANG}. */
    public static Builder builder(PodGroup group, String queue) {
        return new Builder(group, queue);
    }

    /** Starts a job like this one. */
    public Builder toBuilder() {
        return new Builder(this);
    }

    /** Returns the name of its group, by which it is known. */
    public String name() {
        return group.name();
    }

    /** Returns this job with other members. */
    public JobSpec withGroup(PodGroup value) {
        return toBuilder().group(Objects.requireNonNull(value, "value")).build();
    }

    /** Returns how long it runs as far as plans count with: its time limit, else what is expected; empty if neither is known. */
    public OptionalLong plannedDuration() {
        return maxDuration.isPresent() ? maxDuration : expectedDuration;
    }

    /** A job to be. Each method replaces what was set before; {@link #build} may be called again. Not thread-safe. */
    public static final class Builder {
        private PodGroup group;
        private String queue;
        private int priority;
        private Eviction eviction = Eviction.GANG;
        private long submitted;
        private long preemptionDelay;
        private OptionalLong expectedDuration = OptionalLong.empty();
        private OptionalLong maxDuration = OptionalLong.empty();
        private boolean promised;
        private Optional<PlacementPolicy> policy = Optional.empty();

        private Builder(PodGroup group, String queue) {
            this.group = Objects.requireNonNull(group, "group");
            this.queue = Objects.requireNonNull(queue, "queue");
        }

        private Builder(JobSpec spec) {
            this(spec.group, spec.queue);
            priority = spec.priority;
            eviction = spec.eviction;
            submitted = spec.submitted;
            preemptionDelay = spec.preemptionDelay;
            expectedDuration = spec.expectedDuration;
            maxDuration = spec.maxDuration;
            promised = spec.promised;
            policy = spec.policy;
        }

        /** Sets the members. */
        public Builder group(PodGroup value) {
            group = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets the queue. */
        public Builder queue(String value) {
            queue = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets the priority. */
        public Builder priority(int value) {
            priority = value;
            return this;
        }

        /** Sets how members may be evicted. */
        public Builder eviction(Eviction value) {
            eviction = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets when the job was submitted. */
        public Builder submitted(long time) {
            submitted = time;
            return this;
        }

        /** Sets how long it waits before others are evicted for it. */
        public Builder preemptionDelay(long time) {
            preemptionDelay = time;
            return this;
        }

        /** Sets how long it is expected to run; it may run longer. */
        public Builder expectedDuration(long time) {
            expectedDuration = OptionalLong.of(time);
            return this;
        }

        /** Sets after how long it is ended at the latest, such as its time limit. */
        public Builder maxDuration(long time) {
            maxDuration = OptionalLong.of(time);
            return this;
        }

        /** Sets whether its start is a promise once one is reserved. */
        public Builder promised(boolean value) {
            promised = value;
            return this;
        }

        /** Sets how places are compared for its pods. */
        public Builder policy(PlacementPolicy value) {
            policy = Optional.of(Objects.requireNonNull(value, "value"));
            return this;
        }

        /**
         * Returns the job.
         *
         * @throws IllegalArgumentException as {@link JobSpec} does
         */
        public JobSpec build() {
            return new JobSpec(
                    group,
                    queue,
                    priority,
                    eviction,
                    submitted,
                    preemptionDelay,
                    expectedDuration,
                    maxDuration,
                    promised,
                    policy);
        }
    }
}
