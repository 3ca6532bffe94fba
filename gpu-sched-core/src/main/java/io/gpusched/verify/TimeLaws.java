package io.gpusched.verify;

import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.CycleSettings;
import io.gpusched.queue.Eviction;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.PendingJob;
import io.gpusched.queue.PendingReason;
import io.gpusched.queue.Plan;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.Reservation;
import io.gpusched.queue.StartCertainty;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/** What is reserved for later has room then, and what was told is kept ({@link CycleSettings}, {@link Reservation}, {@link StartCertainty}). */
final class TimeLaws {
    private final Play end;
    private final Plan plan;
    private final CycleSettings settings;
    private final long now;
    private final List<Violation> broken;

    TimeLaws(Play end, Plan plan, CycleSettings settings, long now, List<Violation> broken) {
        this.end = end;
        this.plan = plan;
        this.settings = settings;
        this.now = now;
        this.broken = broken;
    }

    void check() {
        boolean reserves = settings.reservations() > 0
                || plan.after().jobs().stream().anyMatch(job -> job.spec().promised());
        if (!reserves) {
            return;
        }
        List<Job> after = plan.after().jobs();
        for (Job job : after) {
            if (job.reservation().isPresent() && isOpen(job)) {
                List<Violation> wrong = hasRoom(after, job, job.reservation().get());
                broken.addAll(wrong.isEmpty() ? List.of() : wrong.subList(0, 1));
            }
        }
        for (PendingJob waiting : plan.pending()) {
            if (waiting.reason() instanceof PendingReason.Reserved reserved
                    && reserved.certainStart() == StartCertainty.BOUND) {
                isBound(waiting.job());
            }
        }
        end.before.jobs().forEach(this::isKept);
    }

    private static long endOf(Job job, long from) {
        OptionalLong planned = job.spec().plannedDuration();
        return planned.isEmpty() || planned.getAsLong() > Long.MAX_VALUE - from
                ? Long.MAX_VALUE
                : from + planned.getAsLong();
    }

    /** When the members of a job that run or are nominated end at the latest, or as expected. */
    private long endOf(Job job) {
        return endOf(
                job, job.status().started().isPresent() ? job.status().started().getAsLong() : now);
    }

    private static boolean isOpen(Job job) {
        return !job.isRunning() && job.nominated().isEmpty();
    }

    /** At its start, beside all that has not ended by then and all that is reserved for the same time, each member has a place. */
    private List<Violation> hasRoom(List<Job> jobs, Job job, Reservation reservation) {
        return hasRoom(jobs, job, reservation, other -> true);
    }

    /** What runs, or is reserved and starts, before a time and has not ended by then. */
    private List<Placement> there(List<Job> jobs, Job job, long start, Predicate<Job> isHeld) {
        List<Placement> there = new ArrayList<>();
        for (Job other : jobs) {
            if (other.name().equals(job.name())) {
                continue;
            }
            boolean overran = endOf(other) <= now;
            if (endOf(other) > start && !overran) {
                there.addAll(other.running());
                there.addAll(other.nominated());
            }
            Optional<Reservation> theirs = other.reservation();
            if (theirs.isPresent()
                    && theirs.get().start() <= start
                    && endOf(other, theirs.get().start()) > start
                    && !meetsMinimum(other)
                    && other.nominated().isEmpty()
                    && isHeld.test(other)) {
                there.addAll(theirs.get().placements());
            }
        }
        return there;
    }

    private static boolean meetsMinimum(Job job) {
        Set<PodId> running = new HashSet<>();
        job.running().forEach(placement -> running.add(placement.pod()));
        return GroupLaws.meetsMinimum(job.group(), running);
    }

    private List<Violation> hasRoom(List<Job> jobs, Job job, Reservation reservation, Predicate<Job> isHeld) {
        long start = Math.max(now, reservation.start());
        List<Placement> there = new ArrayList<>(end.others());
        there.addAll(there(jobs, job, start, isHeld));
        World world = end.with(there);
        for (Placement placement : reservation.placements()) {
            Optional<Pod> pod = end.of(job.name()).pod(placement.pod());
            List<Violation> wrong = pod.isEmpty()
                    ? List.of(Violation.of(Law.MEMBERS, "pod \"" + placement.pod() + "\"", "is no member"))
                    : PlacementLaws.check(world, pod.get(), placement);
            if (!wrong.isEmpty()) {
                return List.of(Violation.of(
                        Law.RESERVATION,
                        "job \"" + job.name() + "\"",
                        "what is reserved from " + reservation.start() + " has no room then: " + wrong));
            }
            world = world.with(placement);
        }
        return keepsLimits(job, reservation, start, world);
    }

    /** What a queue holds at that time is within its limits. */
    private List<Violation> keepsLimits(Job job, Reservation told, long start, World world) {
        List<Violation> above = new ArrayList<>();
        for (String name : end.chain(job.queue())) {
            Set<PodId> members = new HashSet<>();
            end.jobsIn(name).forEach(in -> in.job.group().pods().forEach(pod -> members.add(pod.id())));
            List<Placement> held = world.placements().stream()
                    .filter(placement -> members.contains(placement.pod()))
                    .toList();
            end.before.queues().queue(name).orElseThrow().quotas().forEach((resource, quota) -> {
                long sum = held.stream()
                        .mapToLong(placement -> QueueLaws.held(world.nodes(), placement, resource))
                        .sum();

                long own = told.placements().stream()
                        .mapToLong(placement -> QueueLaws.held(world.nodes(), placement, resource))
                        .sum();
                if (own > 0 && sum > quota.limit()) {
                    above.add(Violation.above(
                            Law.LIMIT,
                            "queue \"" + name + "\"",
                            resource + " at " + start + ", when job \"" + job.name() + "\" is to start",
                            sum,
                            quota.limit()));
                }
            });
        }
        return above;
    }

    /** A start is bound only if all ends before it are known: not of a pod that terminates, nor of a job without a time limit. */
    private void isBound(String name) {
        Job job = plan.after().jobs().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
        if (job.reservation().isEmpty()) {
            broken.add(Violation.of(Law.REASON, "job \"" + name + "\"", "its start is told and nothing is reserved"));
            return;
        }
        for (Job other : plan.after().jobs()) {
            if (other.name().equals(name)) {
                continue;
            }
            boolean unbounded =
                    other.spec().maxDuration().isEmpty() || !other.terminating().isEmpty();
            for (Placement placement :
                    other.spec().maxDuration().isEmpty() ? end.of(other.name()).now() : other.terminating()) {
                if (unbounded && inTheWay(job.reservation().get(), placement)) {
                    broken.add(Violation.of(
                            Law.CERTAINTY,
                            "job \"" + name + "\"",
                            "its start is told as bound, and pod \"" + placement.pod()
                                    + "\" in its place has no time limit"));
                    return;
                }
            }
        }
    }

    private boolean inTheWay(Reservation reservation, Placement placement) {
        for (Placement reserved : reservation.placements()) {
            Node node = end.now().nodes().get(reserved.node());
            if (node != null
                    && reserved.node().equals(placement.node())
                    && !DeviceLaws.check(node, List.of(reserved, placement)).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /**
     * A promise is kept, unless a job ran longer than planned, a pod terminates, the end of which is unknown, or it could not be kept any
     * more before the plan: the place is lost, or a quota was lowered.
     */
    private void isKept(Job before) {
        boolean promised =
                settings.reservations() == CycleSettings.ALL || before.spec().promised();
        if (!promised
                || before.reservation().isEmpty()
                || before.isRunning()
                || !before.nominated().isEmpty()) {
            return;
        }
        Reservation told = before.reservation().get();
        Play.Members now = end.of(before.name());
        if (!now.running.isEmpty() || !now.nominated.isEmpty() || isExcused(told, before)) {
            return;
        }
        Optional<Reservation> then = plan.after().jobs().stream()
                .filter(job -> job.name().equals(before.name()))
                .findFirst()
                .flatMap(Job::reservation);
        if (then.isEmpty() || then.get().start() > told.start()) {
            broken.add(Violation.of(
                    Law.PROMISE,
                    "job \"" + before.name() + "\"",
                    "its start was told as " + told.start() + " and is "
                            + then.map(reservation -> "" + reservation.start()).orElse("not reserved any more")));
        }
    }

    private boolean isExcused(Reservation told, Job promised) {
        for (Job job : end.before.jobs()) {
            boolean overran = job.isRunning() && endOf(job) <= now;
            if (overran || !job.terminating().isEmpty() || !job.nominated().isEmpty()) {
                return true;
            }
        }
        Set<PodId> together = new HashSet<>();
        told.placements().forEach(placement -> together.add(placement.pod()));
        promised.running().forEach(placement -> together.add(placement.pod()));
        return !GroupLaws.meetsMinimum(promised.group(), together) // others of them are lost
                || isLost(promised, told)
                || isOverDeserved(told, promised);
    }

    /** Its places are lost, or those of a start near which it was to be; two that are to be near each other alone can never start. */
    private boolean isLost(Job promised, Reservation told) {
        List<Job> jobs = end.before.jobs();
        List<Job> others = jobs.stream().filter(job -> !job.equals(promised)).toList();
        return !hasRoom(jobs, promised, told).isEmpty()
                || !hasRoom(
                                jobs,
                                promised,
                                told,
                                other -> hasRoom(
                                                others,
                                                other,
                                                other.reservation().orElseThrow())
                                        .isEmpty())
                        .isEmpty();
    }

    private static boolean isFixed(Job job) {
        return job.spec().eviction() == Eviction.NEVER || job.spec().eviction() == Eviction.EXTRAS;
    }

    /** What may never be evicted would be more than its queue deserves. */
    private boolean isOverDeserved(Reservation told, Job promised) {
        for (String name : isFixed(promised) ? end.chain(promised.queue()) : List.<String>of()) {
            JobQueue queue = end.before.queues().queue(name).orElseThrow();
            List<Job> fixed = end.jobsIn(name).stream()
                    .map(in -> in.job)
                    .filter(TimeLaws::isFixed)
                    .toList();
            List<Placement> together = new ArrayList<>(there(fixed, promised, told.start(), other -> true));
            together.addAll(told.placements());
            for (QueueResource resource : queue.quotas().keySet()) {
                long sum = together.stream()
                        .mapToLong(placement -> QueueLaws.held(end.now().nodes(), placement, resource))
                        .sum();
                if (sum > queue.quota(resource).deserved()) {
                    return true;
                }
            }
        }
        return false;
    }
}
