package io.gpusched.workload;

import io.gpusched.internal.check.Checks;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A group of pods in a queue, and where its members are. A member that is nowhere is pending.
 *
 * <p>Times are numbers of the caller's clock, in any unit. Immutable and thread-safe.
 *
 * <pre>{@code
 * Job job = Job.builder(PodGroup.of("training", pods), "team").priority(50).submitted(1_000).build();
 * }</pre>
 *
 * @param group its members, those that run included, and how many must start together
 * @param queue the name of its queue
 * @param priority jobs of higher priority come first within a queue, and may take the place of lower ones
 * @param eviction how its members may be evicted
 * @param submitted when it was submitted; among equal priorities the earliest comes first
 * @param started when its minimum started to run; empty if it does not run
 * @param preemptionDelay how long it waits from its submission until others are evicted for it
 * @param expectedDuration how long it runs, if that is known or estimated
 * @param maxDuration after how long it is ended at the latest, such as a time limit; reservations count with it where it is known
 * @param staleSince since when it runs with fewer members than its minimum; set by the plan
 * @param running the members that run
 * @param terminating what members hold that have been evicted or deleted and have not ended yet
 * @param nominated the places that are held for members until what is in the way has ended
 * @param reservation when and where its minimum is to start, if that was reserved; it stays until the time of its start is over, or
 *     the members that must start together are others
 * @param promised whether its start is a promise once one is reserved: with {@code Backfill.PROMISED} it only moves earlier from then
 *     on, as long as nobody runs longer than planned
 */
public record Job(
        PodGroup group,
        String queue,
        int priority,
        Eviction eviction,
        long submitted,
        OptionalLong started,
        long preemptionDelay,
        OptionalLong expectedDuration,
        OptionalLong maxDuration,
        OptionalLong staleSince,
        List<Placement> running,
        List<Placement> terminating,
        List<Placement> nominated,
        Optional<Reservation> reservation,
        boolean promised) {
    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if the queue is blank, a time is negative, or a pod is no member, occurs twice in
     *     a list, or runs and is terminating or nominated as well
     */
    public Job {
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(eviction, "eviction");
        Objects.requireNonNull(started, "started");
        Objects.requireNonNull(expectedDuration, "expectedDuration");
        Objects.requireNonNull(maxDuration, "maxDuration");
        Objects.requireNonNull(reservation, "reservation");
        Objects.requireNonNull(staleSince, "staleSince");
        String what = "job \"" + group.name() + "\"";
        Checks.notBlank(what, "queue", queue);
        Checks.inRange(what, "preemptionDelay", preemptionDelay, 0, Long.MAX_VALUE);
        running = Checks.list("running", running);
        terminating = Checks.list("terminating", terminating);
        nominated = Checks.list("nominated", nominated);
        requirePositive(what, "expectedDuration", expectedDuration);
        requirePositive(what, "maxDuration", maxDuration);
        if (!running.isEmpty() || !terminating.isEmpty() || !nominated.isEmpty()) {
            requireMembers(what, group, running, terminating, nominated);
        }
    }

    private static void requirePositive(String what, String field, OptionalLong time) {
        if (time.isPresent()) {
            Checks.inRange(what, field, time.getAsLong(), 0, Long.MAX_VALUE);
        }
    }

    private static void requireMembers(
            String what,
            PodGroup group,
            List<Placement> running,
            List<Placement> terminating,
            List<Placement> nominated) {
        Set<PodId> members = new HashSet<>();
        group.pods().forEach(pod -> members.add(pod.id()));
        Set<PodId> runs = requireOnce(what, "running", members, running);
        requireOnce(what, "terminating", members, terminating).forEach(pod -> requireNot(what, runs, pod));
        requireOnce(what, "nominated", members, nominated).forEach(pod -> requireNot(what, runs, pod));
    }

    private static Set<PodId> requireOnce(String what, String field, Set<PodId> members, List<Placement> placements) {
        Set<PodId> seen = new HashSet<>();
        for (Placement placement : placements) {
            if (!members.contains(placement.pod())) {
                throw new IllegalArgumentException(
                        what + ": " + field + " pod \"" + placement.pod() + "\" is not a member");
            }
            if (!seen.add(placement.pod())) {
                throw new IllegalArgumentException(
                        what + ": " + field + " pod \"" + placement.pod() + "\" occurs twice");
            }
        }
        return seen;
    }

    private static void requireNot(String what, Set<PodId> running, PodId pod) {
        if (running.contains(pod)) {
            throw new IllegalArgumentException(
                    what + ": pod \"" + pod + "\" runs, and is terminating or nominated too");
        }
    }

    /** Starts a pending job of priority 0 that may be evicted as a {@link Eviction#GANG}. */
    public static JobBuilder builder(PodGroup group, String queue) {
        return new JobBuilder(group, queue);
    }

    /** Starts a job like this one. */
    public JobBuilder toBuilder() {
        return new JobBuilder(this);
    }

    /** Returns the name of its group, by which it is known. */
    public String name() {
        return group.name();
    }

    /** Returns whether members run, at least one. */
    public boolean isRunning() {
        return !running.isEmpty();
    }

    /** Returns how long it runs as far as plans count with: its time limit, else what is expected; empty if neither is known. */
    public OptionalLong plannedDuration() {
        return maxDuration.isPresent() ? maxDuration : expectedDuration;
    }

    /** Returns the members that are nowhere, in the group's order: neither running, terminating nor nominated. */
    public List<Pod> pending() {
        if (running.isEmpty() && terminating.isEmpty() && nominated.isEmpty()) {
            return group.pods();
        }
        Set<PodId> placed = new HashSet<>();
        running.forEach(placement -> placed.add(placement.pod()));
        terminating.forEach(placement -> placed.add(placement.pod()));
        nominated.forEach(placement -> placed.add(placement.pod()));
        return group.pods().stream().filter(pod -> !placed.contains(pod.id())).toList();
    }

    @Override
    public String toString() {
        return "job " + name() + " in " + queue + ": " + running.size() + " run, " + terminating.size() + " end, "
                + nominated.size() + " nominated of " + group.pods().size();
    }
}
