package io.gpusched.queue;

import io.gpusched.check.Checks;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Where a job stands. A member that is in none of the lists is pending. Plans return the next status; events of the cluster are methods of
 * {@link QueueState}. Immutable and thread-safe.
 *
 * @param running what members hold that run
 * @param terminating what members hold that have been evicted or deleted and have not ended yet
 * @param nominated the places that are held for members until what is in the way has ended
 * @param started when its minimum started to run; empty if it does not run
 * @param staleSince since when it runs with fewer members than its minimum; empty if it does not
 * @param reservation when and where its minimum is to start, if that was reserved; it stays until it starts, or until the members that must
 *     start together are others
 */
public record JobStatus(
        List<Placement> running,
        List<Placement> terminating,
        List<Placement> nominated,
        OptionalLong started,
        OptionalLong staleSince,
        Optional<Reservation> reservation) {
    /** All members are pending. */
    public static final JobStatus PENDING = new JobStatus(
            List.of(), List.of(), List.of(), OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

    /**
     * Copies the lists.
     *
     * @throws IllegalArgumentException if a pod occurs twice in a list, or runs and is terminating or nominated as well
     */
    public JobStatus {
        Objects.requireNonNull(started, "started");
        Objects.requireNonNull(staleSince, "staleSince");
        Objects.requireNonNull(reservation, "reservation");
        running = Checks.list("running", running);
        terminating = Checks.list("terminating", terminating);
        nominated = Checks.list("nominated", nominated);
        if (running.size() + terminating.size() + nominated.size() > 1) {
            Set<PodId> runs = requireOnce("running", running, Set.of());
            requireOnce("terminating", terminating, runs);
            requireOnce("nominated", nominated, runs);
        }
    }

    private static Set<PodId> requireOnce(String field, List<Placement> placements, Set<PodId> running) {
        Set<PodId> seen = new HashSet<>();
        for (Placement placement : placements) {
            if (!seen.add(placement.pod())) {
                throw new IllegalArgumentException(
                        "job status: " + field + " pod \"" + placement.pod() + "\" occurs twice");
            }
            if (running.contains(placement.pod())) {
                throw new IllegalArgumentException(
                        "job status: pod \"" + placement.pod() + "\" must not be running and " + field + " at once");
            }
        }
        return seen;
    }

    /** Returns the status of a job with these members running, the minimum since a time. */
    public static JobStatus running(Collection<Placement> running, long started) {
        return PENDING.withRunning(Checks.list("running", running)).startedAt(started);
    }

    /** Returns whether nothing runs, terminates, is nominated or reserved. */
    public boolean isPending() {
        return running.isEmpty() && terminating.isEmpty() && nominated.isEmpty() && reservation.isEmpty();
    }

    /** Returns whether members run, at least one. */
    public boolean isRunning() {
        return !running.isEmpty();
    }

    /** Returns this status with other members that run. */
    public JobStatus withRunning(List<Placement> value) {
        return with(Checks.list("value", value), terminating, nominated);
    }

    /** Returns this status with other members that terminate. */
    public JobStatus withTerminating(List<Placement> value) {
        return with(running, Checks.list("value", value), nominated);
    }

    /** Returns this status with other places that are held. */
    public JobStatus withNominated(List<Placement> value) {
        return with(running, terminating, Checks.list("value", value));
    }

    JobStatus with(List<Placement> run, List<Placement> terminate, List<Placement> nominate) {
        return new JobStatus(run, terminate, nominate, started, staleSince, reservation);
    }

    /** Returns this status with its minimum running since a time. */
    public JobStatus startedAt(long time) {
        return new JobStatus(running, terminating, nominated, OptionalLong.of(time), OptionalLong.empty(), reservation);
    }

    /** Returns this status with its minimum not running. */
    public JobStatus notStarted() {
        return new JobStatus(running, terminating, nominated, OptionalLong.empty(), OptionalLong.empty(), reservation);
    }

    /** Returns this status with fewer members running than the minimum since a time. */
    public JobStatus withStaleSince(long time) {
        return new JobStatus(running, terminating, nominated, started, OptionalLong.of(time), reservation);
    }

    /** Returns this status with another reserved start; empty for none. */
    public JobStatus withReservation(Optional<Reservation> value) {
        return new JobStatus(
                running, terminating, nominated, started, staleSince, Objects.requireNonNull(value, "value"));
    }

    @Override
    public String toString() {
        return running.size() + " running, " + terminating.size() + " terminating, " + nominated.size() + " nominated"
                + reservation
                        .map(value -> ", start reserved at " + value.start())
                        .orElse("");
    }
}
