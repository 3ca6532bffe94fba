package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a scheduling cycle looks at: a cluster, its queues, and the jobs in them.
 *
 * <p>The law of a state, checked whenever one is made: the cluster holds exactly what members of its jobs run and what of them terminates;
 * it holds nothing of a member that is pending or nominated; a pod is a member of one job. Pods of no job may run in it, and are left
 * alone. What happens to a cluster has a method each, so that a loop cannot write a state that contradicts itself:
 *
 * <pre>{@code
 * Plan plan = cycle.plan(state, now);
 * state = plan.after();                    // carried out
 * state = state.withBindFailed(pod);       // but for one
 * state = state.withEnded(pods);           // evicted pods are gone
 * state = state.withNodeLost("n7");
 * state = state.withJob(Job.pending(spec));
 * }</pre>
 *
 * <p>Immutable and thread-safe. Each method costs a look at the reference of each job, and O(log n) for what it changes.
 */
public final class QueueState {
    private final Cluster cluster;
    private final QueueTree queues;
    private final List<Job> jobs;
    private final UsageHistory usage;

    /** Made when a state is first made from this one; handed on to states whose jobs have the same members. */
    private volatile @Nullable JobIndex index;

    private QueueState(
            Cluster cluster, QueueTree queues, List<Job> jobs, UsageHistory usage, @Nullable JobIndex index) {
        this.cluster = cluster;
        this.queues = queues;
        this.jobs = jobs;
        this.usage = usage;
        this.index = index;
    }

    /**
     * Returns a state in which nothing is known of the past.
     *
     * @param cluster the cluster
     * @param queues its queues
     * @param jobs the jobs, each once; jobs that are equal otherwise come in this order
     * @throws IllegalArgumentException if the state contradicts itself: names the job, the pod, and what is wrong
     */
    public static QueueState of(Cluster cluster, QueueTree queues, Collection<Job> jobs) {
        Objects.requireNonNull(cluster, "cluster");
        Objects.requireNonNull(queues, "queues");
        List<Job> all = Checks.list("jobs", jobs);
        Set<String> names = new HashSet<>();
        Map<PodId, String> owners = new HashMap<>();
        for (Job job : all) {
            requireQueue(queues, job);
            if (!names.add(job.name())) {
                throw new IllegalArgumentException("jobs: two have the name \"" + job.name() + "\"");
            }
            for (Pod pod : job.group().pods()) {
                String other = owners.put(pod.id(), job.name());
                if (other != null) {
                    throw JobIndex.shared(job, pod.id(), other);
                }
            }
            requirePods(cluster, job);
        }
        return new QueueState(cluster, queues, all, UsageHistory.NONE, null);
    }

    /** Returns the next state. This one obeys the law, so only jobs and pods that differ are looked at. */
    private QueueState checked(Cluster other, List<Job> otherJobs) {
        JobIndex next = index();
        List<Job> come = new ArrayList<>();
        List<Job> gone = new ArrayList<>();
        SameObjects.forEachOther(jobs, otherJobs, gone::add, come::add);
        for (Job job : gone) {
            next = next.without(job);
        }
        Set<String> looked = new HashSet<>();
        for (Job job : come) {
            requireQueue(queues, job);
            next = next.with(job);
            requirePods(other, job);
            looked.add(job.name());
        }
        for (PodId pod : moved(cluster, other)) {
            String job = next.jobOf(pod);
            if (job != null && looked.add(job)) {
                requirePods(
                        other,
                        otherJobs.stream()
                                .filter(each -> each.name().equals(job))
                                .findFirst()
                                .orElseThrow());
            }
        }
        return new QueueState(other, queues, otherJobs, usage, next);
    }

    private JobIndex index() {
        JobIndex known = index;
        if (known == null) {
            known = JobIndex.of(jobs);
            index = known;
        }
        return known;
    }

    /** The pods that hold something else of a node than before. */
    private static Set<PodId> moved(Cluster before, Cluster after) {
        Set<PodId> moved = new HashSet<>();
        after.forEachChange(before, (was, is) -> {
            Map<PodId, Placement> old = new HashMap<>();
            if (was != null) {
                was.placements().forEach(placement -> old.put(placement.pod(), placement));
            }
            if (is != null) {
                for (Placement placement : is.placements()) {
                    if (!placement.equals(old.remove(placement.pod()))) {
                        moved.add(placement.pod());
                    }
                }
            }
            moved.addAll(old.keySet());
        });
        return moved;
    }

    private static void requireQueue(QueueTree queues, Job job) {
        if (!queues.isLeaf(job.queue())) {
            throw new IllegalArgumentException(
                    "job \"" + job.name() + "\": queue must exist and have no parts, got \"" + job.queue() + "\"");
        }
    }

    /** The cluster holds what a job says that its members hold. */
    private static void requirePods(Cluster cluster, Job job) {
        Map<PodId, Placement> holds = new HashMap<>();
        job.running().forEach(placement -> holds.put(placement.pod(), placement));
        job.terminating().forEach(placement -> holds.put(placement.pod(), placement));
        for (Pod pod : job.group().pods()) {
            requirePlace(cluster, job, pod.id(), holds.get(pod.id()));
        }
    }

    private static void requirePlace(Cluster cluster, Job job, PodId pod, @Nullable Placement expected) {
        Placement held = cluster.placement(pod).orElse(null);
        if (!Objects.equals(held, expected)) {
            throw new IllegalArgumentException("job \"" + job.name() + "\": pod \"" + pod + "\" "
                    + (expected == null ? "is not running" : "holds " + expected) + ", but the cluster says "
                    + (held == null ? "that it holds nothing" : held)
                    + "\nMaybe use the method of QueueState for what happened, such as withEnded or withNodeLost.");
        }
    }

    /** Returns the cluster. */
    public Cluster cluster() {
        return cluster;
    }

    /** Returns the queues. */
    public QueueTree queues() {
        return queues;
    }

    /** Returns the jobs, in the order in which they were given. */
    public List<Job> jobs() {
        return jobs;
    }

    /** Returns what the queues have used lately. */
    public UsageHistory usage() {
        return usage;
    }

    /** Returns a job by its name. O(jobs). */
    public Optional<Job> job(String name) {
        Objects.requireNonNull(name, "name");
        return jobs.stream().filter(job -> job.name().equals(name)).findFirst();
    }

    /** The state at the end of a plan, which the plan vouches for. */
    QueueState after(Cluster changed, List<Job> changedJobs) {
        return new QueueState(changed, queues, List.copyOf(changedJobs), usage, index);
    }

    /**
     * Returns this state with another cluster, in which the members of the jobs hold what they held: nodes came, changed or are cordoned,
     * GPUs went bad, or pods of no job came or went.
     *
     * @throws IllegalArgumentException if members hold something else there
     */
    public QueueState withCluster(Cluster value) {
        return checked(Objects.requireNonNull(value, "value"), jobs);
    }

    /**
     * Returns this state with another cluster and other jobs.
     *
     * @throws IllegalArgumentException if they contradict each other
     */
    public QueueState with(Cluster other, Collection<Job> otherJobs) {
        return checked(Objects.requireNonNull(other, "other"), Checks.list("otherJobs", otherJobs));
    }

    /**
     * Returns this state with other jobs on the same cluster.
     *
     * @throws IllegalArgumentException if the state would contradict itself
     */
    public QueueState withJobs(Collection<Job> value) {
        return checked(cluster, Checks.list("value", value));
    }

    /**
     * Returns this state with other queues.
     *
     * @throws IllegalArgumentException if the queue of a job is not among them or has parts
     */
    public QueueState withQueues(QueueTree value) {
        Objects.requireNonNull(value, "value");
        jobs.forEach(job -> requireQueue(value, job));
        return new QueueState(cluster, value, jobs, usage, index);
    }

    /** Returns this state with another history. */
    public QueueState withUsage(UsageHistory value) {
        return new QueueState(cluster, queues, jobs, Objects.requireNonNull(value, "value"), index);
    }

    /**
     * Returns this state with another job at the end.
     *
     * @throws IllegalArgumentException if there is one of its name, its queue does not exist, or its members are of another job
     */
    public QueueState withJob(Job job) {
        Objects.requireNonNull(job, "job");
        List<Job> more = new ArrayList<>(jobs);
        more.add(job);
        return withJobs(more);
    }

    /**
     * Returns this state without a job: what its members hold is released.
     *
     * @throws IllegalArgumentException if there is no such job
     */
    public QueueState withoutJob(String name) {
        Job gone = required(Objects.requireNonNull(name, "name"));
        ClusterBatch batch = cluster.batch();
        gone.running().forEach(placement -> batch.release(placement.pod()));
        gone.terminating().forEach(placement -> batch.release(placement.pod()));
        return checked(
                batch.build(),
                jobs.stream().filter(job -> !job.name().equals(name)).toList());
    }

    private Job required(String name) {
        return job(name).orElseThrow(() -> new IllegalArgumentException("there is no job \"" + name + "\""));
    }

    /**
     * Returns this state where a user says something else of a job: its queue, priority, times, members. Members that are not in the group any
     * more are released; places that were held or reserved for the job stay if they are for members of it. Members that run are in the new
     * group: they stay where they are, and new members come as close to them as it demands.
     *
     * @throws IllegalArgumentException if there is no job of this name, or the new members are of another job
     */
    public QueueState withJobReplaced(JobSpec spec) {
        Job old = required(Objects.requireNonNull(spec, "spec").name());
        Set<PodId> members = new HashSet<>();
        spec.group().pods().forEach(pod -> members.add(pod.id()));
        ClusterBatch batch = cluster.batch();
        JobStatus status = grouped(
                kept(old.status(), placement -> members.contains(placement.pod()), batch),
                spec.group().memberships(),
                batch);
        List<Job> changed = new ArrayList<>();
        jobs.forEach(job -> changed.add(job.name().equals(spec.name()) ? new Job(spec, status) : job));
        return checked(batch.build(), List.copyOf(changed));
    }

    /**
     * Returns the status with each placement in the group that its pod is in now. A reserved start is void if it has a place for a pod that is
     * in none.
     */
    private static JobStatus grouped(JobStatus status, Map<PodId, GroupMembership> memberships, ClusterBatch batch) {
        UnaryOperator<Placement> member =
                placement -> placement.withGroup(Optional.ofNullable(memberships.get(placement.pod())));
        Stream.concat(status.running().stream(), status.terminating().stream()).forEach(placement -> {
            batch.release(placement.pod());
            batch.placeRunning(member.apply(placement));
        });
        return status.with(
                        status.running().stream().map(member).toList(),
                        status.terminating().stream().map(member).toList(),
                        status.nominated().stream().map(member).toList())
                .withReservation(status.reservation()
                        .filter(reserved -> reserved.placements().stream()
                                .allMatch(placement -> memberships.containsKey(placement.pod())))
                        .map(reserved -> new Reservation(
                                reserved.start(),
                                reserved.placements().stream().map(member).toList())));
    }

    /** The status of the placements that are kept; the others are released. */
    private static JobStatus kept(JobStatus status, Predicate<Placement> isKept, ClusterBatch batch) {
        status.running().stream().filter(isKept.negate()).forEach(placement -> batch.release(placement.pod()));
        status.terminating().stream().filter(isKept.negate()).forEach(placement -> batch.release(placement.pod()));
        return only(status, isKept);
    }

    private static JobStatus only(JobStatus status, Predicate<Placement> isKept) {
        List<Placement> running = status.running().stream().filter(isKept).toList();
        JobStatus next = status.with(
                running,
                status.terminating().stream().filter(isKept).toList(),
                status.nominated().stream().filter(isKept).toList());
        Set<PodId> ran = Members.ids(status.running());
        Optional<Reservation> reservation = status.reservation()
                .filter(reserved -> running.size() == ran.size()
                        || reserved.placements().stream().noneMatch(placement -> ran.contains(placement.pod())));
        JobStatus waiting =
                next.withReservation(reservation); // what has started as reserved and is lost is not due again
        return running.isEmpty() && !status.running().isEmpty() ? waiting.notStarted() : waiting;
    }

    /** Replaces the status of each job to which something happened. */
    private QueueState changed(Cluster next, UnaryOperator<Job> change) {
        List<Job> changed = new ArrayList<>(jobs.size());
        jobs.forEach(job -> changed.add(change.apply(job)));
        return new QueueState(next, queues, List.copyOf(changed), usage, index);
    }

    /**
     * Returns this state once these terminating pods have ended: released, and pending again unless a place is held for them.
     *
     * @throws IllegalArgumentException if one of them does not terminate
     */
    public QueueState withEnded(Collection<PodId> pods) {
        Set<PodId> ended = new HashSet<>(Checks.list("pods", pods));
        ClusterBatch batch = cluster.batch();
        Set<PodId> found = new HashSet<>();
        QueueState next = changed(cluster, job -> {
            boolean isAny = job.terminating().stream().anyMatch(placement -> ended.contains(placement.pod()));
            if (!isAny) {
                return job;
            }
            List<Placement> left = new ArrayList<>();
            for (Placement placement : job.terminating()) {
                if (ended.contains(placement.pod())) {
                    batch.release(placement.pod());
                    found.add(placement.pod());
                } else {
                    left.add(placement);
                }
            }
            return job.withStatus(job.status().withTerminating(left));
        });
        requireAll(ended, found, "terminating");
        return new QueueState(batch.build(), next.queues, next.jobs, usage, index);
    }

    private static void requireAll(Set<PodId> expected, Set<PodId> found, String what) {
        for (PodId pod : expected) {
            if (!found.contains(pod)) {
                throw new IllegalArgumentException("pod \"" + pod + "\" must be " + what + " as a member of a job");
            }
        }
    }

    /**
     * Returns this state once these running or terminating pods have ended by themselves: they are released and are no members any more, so that
     * nothing starts in their place. The minimum of their job is met by fewer members then; a job without members left is gone.
     *
     * @throws IllegalArgumentException if one of them is no member that runs or terminates
     */
    public QueueState withCompleted(Collection<PodId> pods) {
        Set<PodId> done = new HashSet<>(Checks.list("pods", pods));
        ClusterBatch batch = cluster.batch();
        Set<PodId> found = new HashSet<>();
        List<Job> changed = new ArrayList<>();
        for (Job job : jobs) {
            Set<PodId> own = Members.ids(job.running());
            own.addAll(Members.ids(job.terminating()));
            own.retainAll(done);
            found.addAll(own);
            if (own.isEmpty()) {
                changed.add(job);
                continue;
            }
            JobStatus status = kept(job.status(), placement -> !own.contains(placement.pod()), batch);
            PodGroup left = Members.completed(job.group(), own);
            if (left != null) {
                changed.add(new Job(job.spec().withGroup(left), status));
            }
        }
        requireAll(done, found, "running or terminating");
        return checked(batch.build(), List.copyOf(changed));
    }

    /**
     * Returns this state once a pod that was to start did not: it is released and pending again.
     *
     * @throws IllegalArgumentException if it is no member that runs
     */
    public QueueState withBindFailed(PodId pod) {
        Objects.requireNonNull(pod, "pod");
        Set<PodId> found = new HashSet<>();
        QueueState next = changed(cluster, job -> {
            if (job.running().stream().noneMatch(placement -> placement.pod().equals(pod))) {
                return job;
            }
            found.add(pod);
            return job.withStatus(
                    only(job.status(), placement -> !placement.pod().equals(pod)));
        });
        requireAll(Set.of(pod), found, "running");
        return new QueueState(cluster.without(pod), next.queues, next.jobs, usage, index);
    }

    /**
     * Returns this state without a node: what ran or terminated there is released, members that ran there are pending again, and places that
     * were held there are given up.
     *
     * @throws io.gpusched.model.PlacementConflictException if there is no such node
     */
    public QueueState withNodeLost(String node) {
        Objects.requireNonNull(node, "node");
        Cluster left = cluster.withNodeLost(node).after();
        return changed(left, job -> {
            JobStatus status = only(job.status(), placement -> !placement.node().equals(node));
            return status.equals(job.status()) ? job : job.withStatus(status);
        });
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof QueueState state
                        && cluster.equals(state.cluster)
                        && queues.equals(state.queues)
                        && jobs.equals(state.jobs)
                        && usage.equals(state.usage);
    }

    @Override
    public int hashCode() {
        return Objects.hash(cluster, queues, jobs, usage);
    }

    @Override
    public String toString() {
        return jobs.size() + " jobs in " + queues + " on " + cluster;
    }
}
