package io.gpusched.verify;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Quota;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Each job that waits is told a reason that is true of the state at the end of the plan ({@link PendingReason}). */
final class ReasonLaws {
    private final Play end;
    private final Plan plan;
    private final CycleSettings settings;
    private final long now;
    private final RefusalLaws refusals;
    private final List<Violation> broken;

    ReasonLaws(Play end, Plan plan, CycleSettings settings, long now, long tries, List<Violation> broken) {
        this.end = end;
        this.plan = plan;
        this.settings = settings;
        this.now = now;
        this.refusals = new RefusalLaws(end, settings, now, tries, broken);
        this.broken = broken;
    }

    void check() {
        Set<String> told = new HashSet<>();
        for (PendingJob waiting : plan.pending()) {
            if (!told.add(waiting.job()) || !end.jobs.containsKey(waiting.job())) {
                wrong(waiting.job(), "it is told twice, or is none");
                continue;
            }
            Play.Members job = end.of(waiting.job());
            count(waiting, job);
            reason(waiting.reason(), job);
        }
        for (Play.Members job : end.jobs.values()) {
            if (waiting(job) > 0 && !told.contains(job.job.name())) {
                wrong(job.job.name(), waiting(job) + " members wait and no reason is told");
            }
        }
    }

    private void wrong(String job, String words) {
        broken.add(Violation.of(Law.REASON, "job \"" + job + "\"", words));
    }

    private static long waiting(Play.Members job) {
        return job.job.group().pods().stream()
                .filter(pod -> !job.running.containsKey(pod.id()))
                .count();
    }

    private void count(PendingJob waiting, Play.Members job) {
        if (waiting.members() != waiting(job)) {
            wrong(waiting.job(), waiting.members() + " members wait, as is told; it is " + waiting(job));
        }
    }

    private void reason(PendingReason reason, Play.Members job) {
        String name = job.job.name();
        if (isNoRoom(reason)) {
            refusals.check(reason, job);
        }
        if (reason instanceof PendingReason.OverLimit over) {
            quota(name, over.queue(), over.resource(), Quota::limit, over.limit());
            used(name, over.queue(), over.resource(), over.used());
            if (over.used() + over.asked() <= over.limit()) {
                wrong(name, "it is within the limit that is told: " + over);
            }
        } else if (reason instanceof PendingReason.OverDeserved over) {
            quota(name, over.queue(), over.resource(), Quota::deserved, over.deserved());
            if (over.used() + over.asked() <= over.deserved()) {
                wrong(name, "it is within what is deserved, as is told: " + over);
            }
            if (job.job.spec().eviction().isPreemptible()) {
                wrong(name, "it may be evicted, and need not stay within what its queue deserves: " + over);
            }
        } else if (reason instanceof PendingReason.OverFairShare over) {
            used(name, over.queue(), over.resource(), over.used());
            if (over.used() + over.asked() <= over.fairShare()) {
                wrong(name, "it is within the fair share that is told: " + over);
            }
        } else if (reason instanceof PendingReason.Nominated nominated) {
            List<String> nodes = job.nominated.values().stream()
                    .map(Placement::node)
                    .distinct()
                    .sorted()
                    .toList();
            if (!nominated.nodes().stream().sorted().toList().equals(nodes)) {
                wrong(name, "places are told on " + nominated.nodes() + ", held are " + nodes);
            }
        } else if (reason instanceof PendingReason.Reserved reserved) {
            Optional<Long> start = plan.after().jobs().stream()
                    .filter(each -> each.name().equals(name))
                    .findFirst()
                    .flatMap(Job::reservation)
                    .map(each -> each.start());
            if (!start.equals(Optional.of(reserved.start()))) {
                wrong(name, "its start is told as " + reserved.start() + ", reserved is " + start);
            }
        } else if (reason instanceof PendingReason.Delayed delayed) {
            if (delayed.until() <= now) {
                wrong(name, "it waits until " + delayed.until() + ", which is over at " + now);
            }
        } else if (reason instanceof PendingReason.Ending ending) {
            if (ending.members() != job.terminating.size()) {
                wrong(name, ending.members() + " members end, as is told; it is " + job.terminating.size());
            }
        }
    }

    private static boolean isNoRoom(PendingReason reason) {
        return reason.certainty() == Certainty.PROVEN
                && (reason instanceof PendingReason.NoRoom
                        || reason instanceof PendingReason.OverFairShare
                        || reason instanceof PendingReason.TooLittle
                        || reason instanceof PendingReason.NoVictims
                        || reason instanceof PendingReason.NoMove);
    }

    private interface Bound {
        long of(Quota quota);
    }

    private void quota(String job, String name, QueueResource resource, Bound bound, long told) {
        Optional<JobQueue> queue = end.before.queues().queue(name);
        if (queue.isEmpty() || bound.of(queue.get().quota(resource)) != told) {
            wrong(job, "queue \"" + name + "\" has no such bound of " + resource + ": " + told);
        }
    }

    /** What a queue uses is what its jobs hold now, or hold and are to hold; what is promised to them may be counted too. */
    private void used(String job, String queue, QueueResource resource, long told) {
        long held = QueueLaws.held(end, queue, resource, Play.Members::later);
        long most = held;
        Map<String, Node> nodes = end.now().nodes();
        for (Job each : plan.after().jobs()) {
            if (settings.reservations() > 0
                    && each.reservation().isPresent()
                    && end.chain(each.queue()).contains(queue)) {
                for (Placement placement : each.reservation().get().placements()) {
                    most += QueueLaws.held(nodes, placement, resource);
                }
            }
        }
        long now = QueueLaws.held(end, queue, resource, Play.Members::now);
        if (told != now && (told < held || told > most)) {
            wrong(job, "queue \"" + queue + "\" uses " + held + " of " + resource + " at the end, told is " + told);
        }
    }
}
