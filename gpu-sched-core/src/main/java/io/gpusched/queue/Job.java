package io.gpusched.queue;

import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A job: what a user says of it, and where it stands. Immutable and thread-safe.
 *
 * @param spec what a user says
 * @param status where it stands
 */
public record Job(JobSpec spec, JobStatus status) {
    /**
     * Checks that the status is about members of the group.
     *
     * @throws IllegalArgumentException if it is about another pod
     */
    public Job {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
        if (!status.isPending()) {
            Set<PodId> members = new HashSet<>();
            spec.group().pods().forEach(pod -> members.add(pod.id()));
            requireMembers(spec, members, "running", status.running());
            requireMembers(spec, members, "terminating", status.terminating());
            requireMembers(spec, members, "nominated", status.nominated());
        }
    }

    private static void requireMembers(JobSpec spec, Set<PodId> members, String field, List<Placement> placements) {
        for (Placement placement : placements) {
            if (!members.contains(placement.pod())) {
                throw new IllegalArgumentException(
                        "job \"" + spec.name() + "\": " + field + " pod \"" + placement.pod() + "\" is not a member");
            }
        }
    }

    /** Returns a job with all members pending. */
    public static Job pending(JobSpec spec) {
        return new Job(Objects.requireNonNull(spec, "spec"), JobStatus.PENDING);
    }

    /** Returns this job as it stands otherwise. */
    public Job withStatus(JobStatus value) {
        return new Job(spec, Objects.requireNonNull(value, "value"));
    }

    /** Returns this job with something else said of it. */
    public Job withSpec(JobSpec value) {
        return new Job(Objects.requireNonNull(value, "value"), status);
    }

    /** Returns the name of its group, by which it is known. */
    public String name() {
        return spec.name();
    }

    /** Returns its members. */
    public PodGroup group() {
        return spec.group();
    }

    /** Returns the name of its queue. */
    public String queue() {
        return spec.queue();
    }

    /** Returns what members hold that run. */
    public List<Placement> running() {
        return status.running();
    }

    /** Returns what members hold that have not ended yet. */
    public List<Placement> terminating() {
        return status.terminating();
    }

    /** Returns the places that are held for members. */
    public List<Placement> nominated() {
        return status.nominated();
    }

    /** Returns when and where its minimum is to start, if that was reserved. */
    public Optional<Reservation> reservation() {
        return status.reservation();
    }

    /** Returns whether members run, at least one. */
    public boolean isRunning() {
        return !status.running().isEmpty();
    }

    /** Returns the members that are pending, in the group's order: neither running, terminating nor nominated. */
    public List<Pod> pending() {
        if (status.running().isEmpty()
                && status.terminating().isEmpty()
                && status.nominated().isEmpty()) {
            return group().pods();
        }
        Set<PodId> placed = Members.ids(status.running());
        placed.addAll(Members.ids(status.terminating()));
        placed.addAll(Members.ids(status.nominated()));
        return group().pods().stream().filter(pod -> !placed.contains(pod.id())).toList();
    }

    @Override
    public String toString() {
        return "job " + name() + " in " + queue() + " of " + Members.size(group()) + " pods: " + status;
    }
}
