package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A queue of jobs, or a node of the tree of queues.
 *
 * <pre>{@code
 * JobQueue team = JobQueue.builder("team").parent("department").quota(QueueResource.GPU, Quota.ofGpus(16)).build();
 * }</pre>
 *
 * @param name its name, not blank
 * @param parent the queue that it is a part of; empty at the top
 * @param priority queues of higher priority are served first, and are the first to share what is left over quota
 * @param created orders queues that are equal otherwise: the smaller, the older
 * @param quotas what it has of each resource; {@link Quota#NONE} of one that is not named
 * @param minRuntime how long its jobs run at least before they are evicted, in the caller's unit of time; the greatest on the
 *     way to the top counts
 */
public record JobQueue(
        String name,
        Optional<String> parent,
        int priority,
        long created,
        Map<QueueResource, Quota> quotas,
        long minRuntime) {
    /**
     * Copies the quotas.
     *
     * @throws IllegalArgumentException if a name is blank, or the time is negative
     */
    public JobQueue {
        Checks.notBlank("queue", "name", name);
        Objects.requireNonNull(parent, "parent");
        parent.ifPresent(value -> Checks.notBlank("queue \"" + name + "\"", "parent", value));
        Checks.noNulls("quotas", quotas);
        Checks.inRange("queue \"" + name + "\"", "minRuntime", minRuntime, 0, Long.MAX_VALUE);
        quotas = Collections.unmodifiableMap(new TreeMap<>(quotas));
    }

    /** Starts a queue at the top, of priority 0 and without quotas. */
    public static Builder builder(String name) {
        return new Builder(Objects.requireNonNull(name, "name"));
    }

    /** Returns what the queue has of a resource. */
    public Quota quota(QueueResource resource) {
        return quotas.getOrDefault(Objects.requireNonNull(resource, "resource"), Quota.NONE);
    }

    /** A queue to be. Each method replaces what was set before; {@link #build} may be called again. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private final Map<QueueResource, Quota> quotas = new TreeMap<>();
        private Optional<String> parent = Optional.empty();
        private int priority;
        private long created;
        private long minRuntime;

        private Builder(String name) {
            this.name = name;
        }

        /** Sets the queue that it is a part of. */
        public Builder parent(String value) {
            parent = Optional.of(Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Sets the priority among queues with the same parent. */
        public Builder priority(int value) {
            priority = value;
            return this;
        }

        /** Sets the age: the smaller, the older. */
        public Builder created(long value) {
            created = value;
            return this;
        }

        /** Sets what the queue has of a resource. */
        public Builder quota(QueueResource resource, Quota quota) {
            quotas.put(Objects.requireNonNull(resource, "resource"), Objects.requireNonNull(quota, "quota"));
            return this;
        }

        /** Sets how long jobs run at least before they are evicted. */
        public Builder minRuntime(long value) {
            minRuntime = value;
            return this;
        }

        /**
         * Returns the queue.
         *
         * @throws IllegalArgumentException as the constructor does
         */
        public JobQueue build() {
            return new JobQueue(name, parent, priority, created, quotas, minRuntime);
        }
    }
}
