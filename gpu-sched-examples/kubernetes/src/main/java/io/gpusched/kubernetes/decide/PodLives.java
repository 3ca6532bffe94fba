package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import java.util.Objects;
import java.util.Set;

/**
 * What becomes of a pod as the API server tells of it: it waits, is assumed to run, runs, or is gone. Not thread-safe.
 */
final class PodLives {
    /** Phases of pods that hold nothing any more. */
    static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    private final JobBook jobs;
    private final PodTable pods;
    private final GroupTally tally;
    private final VolumeCharges charges;
    private final Requests requests;
    private final Refusals refusals;
    private final Delays delays;
    private final DeviceClaims devices;

    PodLives(
            Tables tables,
            VolumeCharges charges,
            Requests requests,
            Refusals refusals,
            Delays delays,
            DeviceClaims devices) {
        this.devices = devices;
        this.jobs = tables.jobs();
        this.pods = tables.pods();
        this.tally = tables.tally();
        this.charges = charges;
        this.requests = requests;
        this.refusals = refusals;
        this.delays = delays;
    }

    /** The API server has told of a pod as it is now. */
    void put(Pod pod) {
        if (pods.isLate(pod)) {
            return;
        }
        PodId id = Unit.idOf(pod);
        PodRow row = pods.row(id);
        if (row != null && !row.uid().equals(pod.getMetadata().getUid())) {
            gone(id, row.uid());
        }
        tally.put(id, pod, jobs.isOurs(pod));
        String phase = pod.getStatus() == null
                ? ""
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "");
        String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        if (ENDED.contains(phase)) {
            forget(id);
        } else if (!node.isEmpty()) {
            runs(id, pod);
        } else if (isToBePlaced(pod)) {
            waits(PendingPod.of(pod));
        } else {
            forget(id);
        }
    }

    private boolean isToBePlaced(Pod pod) {
        return jobs.isOurs(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty();
    }

    private void runs(PodId id, Pod pod) {
        PodRow before = pods.row(id);
        RunningPod running = RunningPod.of(pod);
        pods.put(PodRow.running(running, PodTable.version(pod)));
        if (!devices.runs(id, pod)) {
            charges.putPod(running);
        }
        if (before != null && before.pending() != null) {
            leave(before.pending());
        }
    }

    /** A pod is about to be bound, which may fail again. */
    void assumed(PendingPod pod) {
        requests.forget(pod.id());
        devices.leave(pod.id());
        refusals.forget(pod.id());
    }

    /** A pod is no longer to be placed. */
    private void leave(PendingPod pod) {
        assumed(pod);
        boolean others = pod.group()
                .map(pods::members)
                .filter(members ->
                        !members.pending().isEmpty() || !members.binding().isEmpty())
                .isPresent();
        if (!others) {
            delays.end(Unit.of(pod));
        }
    }

    private void waits(PendingPod pod) {
        PodRow row = pods.row(pod.id());
        long version = PodTable.version(pod.object());
        if (row != null && row.binding() != null) {
            pods.put(row.seenAs(pod, version));
            return;
        }
        boolean asksAnew = row == null || row.pending() == null || !pod.asksLike(row.pending());
        if (row != null && row.pending() == null) {
            charges.removePod(pod.id());
        }
        pods.put(PodRow.waiting(pod, version));
        if (asksAnew) {
            delays.end(Unit.of(pod));
        }
    }

    /** The API server has told that a pod is gone. */
    void gone(PodId id, String uid) {
        PodRow row = pods.row(id);
        pods.isGone(uid);
        tally.remove(id, uid);
        if (row != null && row.uid().equals(uid)) {
            forget(id);
        }
    }

    private void forget(PodId id) {
        PodRow row = pods.row(id);
        if (row == null) {
            return;
        }
        pods.remove(id);
        devices.gone(id);
        charges.removePod(id);
        if (row.pending() != null) {
            leave(row.pending());
        }
    }

    /** A pod that was assumed to run was not bound: it waits again, for some time. */
    void notBound(Change.NotBound lost, long now) {
        devices.notBound(lost);
        if (waitsAgain(lost)) {
            delays.delay(unit(lost), now);
        }
    }

    /** As {@link #notBound}; all other waiting pods are tried before it. */
    void gaveUp(Change.NotBound lost, long now) {
        devices.notBound(lost);
        if (waitsAgain(lost)) {
            delays.defer(unit(lost), now);
        }
    }

    private Unit unit(Change.NotBound lost) {
        return Unit.of(Objects.requireNonNull(
                Objects.requireNonNull(pods.row(lost.id())).pending()));
    }

    private boolean waitsAgain(Change.NotBound lost) {
        PodRow row = pods.row(lost.id());
        if (row == null
                || row.binding() == null
                || row.pending() == null
                || !row.uid().equals(lost.uid())) {
            return false;
        }
        devices.unassume(lost.id());
        charges.removePod(lost.id());
        pods.put(row.waitingAgain());
        return true;
    }
}
