package io.gpusched.workload;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What a scheduling cycle looks at: a cluster, its queues, and the jobs in them.
 *
 * <p>The cluster holds what members of the jobs {@linkplain Job#running() run} and what is {@linkplain Job#terminating()
 * terminating}; it does not hold what is nominated. Pods of no job may run in it, and are left alone. Immutable and thread-safe.
 *
 * @param cluster the cluster
 * @param queues its queues
 * @param jobs the jobs, each once; jobs that are equal otherwise come in this order
 * @param usage what the queues have used lately
 */
public record CycleState(Cluster cluster, QueueTree queues, List<Job> jobs, UsageHistory usage) {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if two jobs have the same name, or one is in a queue that does not exist or has parts
     */
    public CycleState {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(queues, "queues");
        Objects.requireNonNull(usage, "usage");
        jobs = Checks.list("jobs", jobs);
        Set<String> names = new HashSet<>();
        for (Job job : jobs) {
            if (!names.add(job.name())) {
                throw new IllegalArgumentException("jobs: two have the name \"" + job.name() + "\"");
            }
            if (!queues.isLeaf(job.queue())) {
                throw new IllegalArgumentException(
                        "job \"" + job.name() + "\": queue must exist and have no parts, got \"" + job.queue() + "\"");
            }
        }
    }

    /** Returns a state in which nothing is known of the past. */
    public static CycleState of(Cluster cluster, QueueTree queues, Collection<Job> jobs) {
        return new CycleState(cluster, queues, Checks.list("jobs", jobs), UsageHistory.NONE);
    }

    /** Returns this state with another cluster. */
    public CycleState withCluster(Cluster value) {
        return new CycleState(Objects.requireNonNull(value, "value"), queues, jobs, usage);
    }

    /** Returns this state with other jobs. */
    public CycleState withJobs(Collection<Job> value) {
        return new CycleState(cluster, queues, Checks.list("value", value), usage);
    }

    /** Returns this state with another job at the end. */
    public CycleState withJob(Job job) {
        Objects.requireNonNull(job, "job");
        List<Job> more = new ArrayList<>(jobs);
        more.add(job);
        return withJobs(more);
    }

    /** Returns this state with another history. */
    public CycleState withUsage(UsageHistory value) {
        return new CycleState(cluster, queues, jobs, Objects.requireNonNull(value, "value"));
    }

    /**
     * Returns this state once these terminating pods have ended: released, and pending again unless a place is held for them.
     *
     * @throws io.gpusched.model.PlacementConflictException if one of them is not in the cluster
     */
    public CycleState withEnded(Collection<PodId> pods) {
        Set<PodId> ended = new HashSet<>(Checks.list("pods", pods));
        ClusterBatch batch = cluster.batch();
        pods.forEach(batch::release);
        List<Job> changed = new ArrayList<>(jobs.size());
        for (Job job : jobs) {
            changed.add(withoutEnded(job, ended));
        }
        return new CycleState(batch.build(), queues, changed, usage);
    }

    private static Job withoutEnded(Job job, Set<PodId> ended) {
        if (job.terminating().stream().noneMatch(placement -> ended.contains(placement.pod()))) {
            return job;
        }
        List<Placement> left = job.terminating().stream()
                .filter(placement -> !ended.contains(placement.pod()))
                .toList();
        return job.toBuilder().terminating(left).build();
    }

    @Override
    public String toString() {
        return jobs.size() + " jobs in " + queues + " on " + cluster;
    }
}
