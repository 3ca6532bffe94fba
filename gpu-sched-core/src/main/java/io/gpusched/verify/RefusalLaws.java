package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CyclePass;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A job that is proven to be unable to start has no place at the end of the plan, and no other job that may leave for it makes one
 * ({@link PendingReason}). Only some sets of victims are tried: all that may leave by preemption, and each one by reclaim.
 */
final class RefusalLaws {
    private final Play end;
    private final CycleSettings settings;
    private final long now;
    private final long tries;
    private final List<Violation> broken;

    RefusalLaws(Play end, CycleSettings settings, long now, long tries, List<Violation> broken) {
        this.end = end;
        this.settings = settings;
        this.now = now;
        this.tries = tries;
        this.broken = broken;
    }

    void check(PendingReason reason, Play.Members job) {
        if (settings.reservations() > 0 || tries == 0) {
            return;
        }
        boolean isWhole = job.running.isEmpty() && job.terminating.isEmpty() && job.nominated.isEmpty();
        if (isWhole) {
            tell(reason, job, "there is room", places(job, Set.of()), Set.of());
            preempt(reason, job);
            reclaim(reason, job);
        } else if (job.meetsMinimum()) {
            tell(reason, job, "there is room", next(job), Set.of());
        }
    }

    private void tell(PendingReason reason, Play.Members job, String what, List<Placement> places, Set<PodId> gone) {
        if (!places.isEmpty() && mayHave(job, places, gone)) {
            broken.add(Violation.of(
                    Law.REASON,
                    "job \"" + job.job.name() + "\"",
                    "it cannot start, as is proven (" + reason + "), and " + what + ": " + places));
        }
    }

    /** Places for a job beside all that holds one, or is to, but these. */
    private List<Placement> places(Play.Members job, Set<PodId> gone) {
        return new GroupPlaces(job.job.group(), tries).start(without(gone)).orElse(List.of());
    }

    private World without(Set<PodId> gone) {
        return end.with(end.all().placements().stream()
                .filter(placement -> !gone.contains(placement.pod()))
                .toList());
    }

    /** Whether the groups around a pod have started, so that it starts for itself. */
    private static boolean isAlone(PodGroup group, PodId pod, Set<PodId> running) {
        return group.groups().stream()
                .filter(part -> GroupLaws.count(part, Set.of(pod)) > 0)
                .allMatch(part -> GroupLaws.meetsMinimum(part, running) && isAlone(part, pod, running));
    }

    /** A place for the next member beyond the minimum. */
    private List<Placement> next(Play.Members job) {
        for (Pod pod : job.job.group().pods()) {
            boolean waits = !job.running.containsKey(pod.id())
                    && !job.terminating.containsKey(pod.id())
                    && !job.nominated.containsKey(pod.id());
            if (waits && isAlone(job.job.group(), pod.id(), job.running.keySet())) {
                World world = without(Set.of());
                Pod member = job.pod(pod.id()).orElseThrow();
                Optional<Placement> place = Places.first(
                        world,
                        member,
                        tries,
                        each -> PlacementLaws.check(world, member, each).isEmpty());
                return place.map(List::of).orElse(List.of());
            }
        }
        return List.of();
    }

    /** All jobs of lower priority in the queue leave as a whole. */
    private void preempt(PendingReason reason, Play.Members job) {
        if (!settings.passes().contains(CyclePass.PREEMPT) || !isDue(job.job)) {
            return;
        }
        Set<PodId> gone = new HashSet<>();
        for (Play.Members other : end.jobs.values()) {
            if (other.job.queue().equals(job.job.queue())
                    && other.job.spec().priority() < job.job.spec().priority()
                    && mayLeave(other)) {
                gone.addAll(other.running.keySet());
            }
        }
        if (!gone.isEmpty()) {
            tell(reason, job, "there is room without jobs of lower priority, " + gone, places(job, gone), gone);
        }
    }

    /** One job leaves whose queues keep what they deserve, for one whose queues do not get more. */
    private void reclaim(PendingReason reason, Play.Members job) {
        if (!settings.passes().contains(CyclePass.RECLAIM) || !isDue(job.job)) {
            return;
        }
        for (Play.Members other : end.jobs.values()) {
            Set<PodId> gone = other.running.keySet();
            if (!other.job.queue().equals(job.job.queue()) && mayLeave(other) && canSpare(other, job)) {
                List<Placement> places = places(job, gone);
                if (staysBelow(job, other, places)) {
                    tell(
                            reason,
                            job,
                            "there is room without \"" + other.job.name() + "\", which its queue can spare",
                            places,
                            gone);
                }
            }
        }
    }

    private boolean isDue(Job job) {
        return now - job.spec().submitted() >= job.spec().preemptionDelay();
    }

    private boolean mayLeave(Play.Members job) {
        Eviction eviction = job.job.spec().eviction();
        long least = end.chain(job.job.queue()).stream()
                .mapToLong(name -> end.before
                        .queues()
                        .queue(name)
                        .map(JobQueue::minRuntime)
                        .orElse(0L))
                .max()
                .orElse(0);
        return eviction.isPreemptible()
                && job.meetsMinimum()
                && job.terminating.isEmpty()
                && job.nominated.isEmpty()
                && job.job.status().started().isPresent()
                && now - job.job.status().started().getAsLong() >= least;
    }

    /** Each queue around the victim, and not around the other, has what it deserves of GPUs without it, and one has more than it deserves. */
    private boolean canSpare(Play.Members victim, Play.Members asker) {
        boolean spares = false;
        for (JobQueue queue : apart(victim, asker)) {
            long deserved = queue.quota(QueueResource.GPU).deserved();
            if (deserved == Quota.UNLIMITED) {
                return false;
            }
            long left = held(queue, QueueResource.GPU)
                    - amount(victim.running.values().stream().toList(), QueueResource.GPU);
            if (left < deserved) {
                return false;
            }
            spares = true;
        }
        return spares && amount(victim.running.values().stream().toList(), QueueResource.GPU) > 0;
    }

    private boolean staysBelow(Play.Members asker, Play.Members victim, List<Placement> places) {
        for (JobQueue queue : apart(asker, victim)) {
            if (queue.quota(QueueResource.GPU).deserved() == Quota.UNLIMITED) {
                return false; // what it deserves is as much as the queues around it leave
            }
            for (QueueResource resource : queue.quotas().keySet()) {
                if (held(queue, resource) + amount(places, resource)
                        > queue.quota(resource).deserved()) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The queues around one job that are not around the other. */
    private List<JobQueue> apart(Play.Members one, Play.Members other) {
        List<String> both = end.chain(other.job.queue());
        List<JobQueue> apart = new ArrayList<>();
        for (String name : end.chain(one.job.queue())) {
            if (!both.contains(name)) {
                apart.add(end.before.queues().queue(name).orElseThrow());
            }
        }
        return apart;
    }

    private long held(JobQueue queue, QueueResource resource) {
        return QueueLaws.held(end, queue.name(), resource, Play.Members::later);
    }

    private long amount(List<Placement> placements, QueueResource resource) {
        Map<String, Node> nodes = end.now().nodes();
        return placements.stream()
                .mapToLong(place -> QueueLaws.held(nodes, place, resource))
                .sum();
    }

    /** Whether limits admit these places, and, for a job that may not be evicted, what its queues deserve; without the pods that are gone. */
    private boolean mayHave(Play.Members job, List<Placement> places, Set<PodId> gone) {
        for (String name : end.chain(job.job.queue())) {
            JobQueue queue = end.before.queues().queue(name).orElseThrow();
            for (QueueResource resource : queue.quotas().keySet()) {
                Quota quota = queue.quota(resource);
                long most = job.job.spec().eviction().isPreemptible()
                        ? quota.limit()
                        : Math.min(quota.limit(), quota.deserved());
                List<Placement> stay = end.jobsIn(name).stream()
                        .flatMap(each -> each.later().stream())
                        .filter(placement -> !gone.contains(placement.pod()))
                        .toList();
                if (amount(stay, resource) + amount(places, resource) > most) {
                    return false;
                }
            }
        }
        return true;
    }
}
