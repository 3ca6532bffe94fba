package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.queue.SchedulingQueue;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.PodId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What becomes of a pod as the API server tells of it: it waits in the queue, alone or with its group, is assumed to run, runs, or is
 * gone. Not thread-safe.
 */
final class PodLives {
    /** Phases of pods that hold nothing any more. */
    static final Set<String> ENDED = Set.of("Succeeded", "Failed");

    /** How long the words on a group that lacks pods may be behind its pods. */
    private static final long ARRIVAL_MILLIS = 500;

    private final Scope scope;
    private final PodTable pods;
    private final Map<GroupKey, GroupSpec> groups;
    private final GroupTally tally;
    private final Ranks ranks;
    private final SchedulingQueue<Unit> queue;
    private final VolumeCharges charges;
    private final Round round;

    /** Whether pods came to run, or left, since this was asked last. */
    private boolean changed;

    PodLives(
            Scope scope,
            PodTable pods,
            Map<GroupKey, GroupSpec> groups,
            GroupTally tally,
            Ranks ranks,
            SchedulingQueue<Unit> queue,
            VolumeCharges charges,
            Round round) {
        this.scope = scope;
        this.pods = pods;
        this.groups = groups;
        this.tally = tally;
        this.ranks = ranks;
        this.queue = queue;
        this.charges = charges;
        this.round = round;
    }

    /** Returns whether pods came to run, or left, since this was asked last. */
    boolean takeChanged() {
        boolean taken = changed;
        changed = false;
        return taken;
    }

    /** The API server has told of a pod as it is now. */
    void put(Pod pod, long now) {
        if (pods.isLate(pod)) {
            return;
        }
        PodId id = Unit.idOf(pod);
        PodRow row = pods.row(id);
        if (row != null && !row.uid().equals(pod.getMetadata().getUid())) {
            gone(id, row.uid());
        }
        tally.put(id, pod, scope.holds(pod));
        String phase = pod.getStatus() == null
                ? ""
                : Objects.requireNonNullElse(pod.getStatus().getPhase(), "");
        String node = Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
        if (ENDED.contains(phase)) {
            forget(id);
        } else if (!node.isEmpty()) {
            runs(id, pod);
        } else if (isToBePlaced(pod)) {
            waits(PendingPod.of(pod), now);
        } else {
            forget(id);
        }
    }

    private boolean isToBePlaced(Pod pod) {
        return scope.holds(pod)
                && pod.getMetadata().getDeletionTimestamp() == null
                && pod.getSpec().getSchedulingGates().isEmpty();
    }

    private void runs(PodId id, Pod pod) {
        PodRow before = pods.row(id);
        RunningPod running = RunningPod.of(pod);
        pods.put(PodRow.running(running, PodTable.version(pod)));
        charges.putPod(running);
        boolean isBoundByOthers = before == null || before.isWaiting();
        if (before != null && before.pending() != null) {
            changed = true;
            leave(before.pending());
        } else {
            changed |= before == null;
        }
        running.group().ifPresent(key -> {
            rankAgain(key);
            if (isBoundByOthers) {
                queue.makeReady(new Unit.Group(key));
            }
        });
    }

    /** The place of a group in the queue hangs on what its members are and how many run. */
    void rankAgain(GroupKey key) {
        pods.members(key).pending().stream()
                .flatMap(id -> pods.waiting(List.of(id)).stream())
                .findFirst()
                .ifPresent(member -> queue.put(new Unit.Group(key), ranks.of(member)));
    }

    /** A pod is no longer to be placed; its group stays in the queue as long as others are. */
    private void leave(PendingPod pod) {
        round.forget(pod);
        Unit unit = Unit.of(pod);
        boolean others = pod.group()
                .map(pods::members)
                .filter(members ->
                        !members.pending().isEmpty() || !members.binding().isEmpty())
                .isPresent();
        if (!others) {
            queue.remove(unit);
        }
    }

    private void waits(PendingPod pod, long now) {
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
        Unit unit = Unit.of(pod);
        queue.put(unit, ranks.of(pod));
        if (asksAnew && isArriving(pod)) {
            queue.makeReadyBy(unit, now + ARRIVAL_MILLIS);
        } else if (asksAnew) {
            queue.makeReady(unit);
        }
    }

    /** Whether its group cannot start yet for want of pods, of which the next may be on its way. */
    private boolean isArriving(PendingPod pod) {
        GroupSpec group = pod.group().map(groups::get).orElse(null);
        return group != null && pods.members(group.key()).size() < group.minimum();
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
        charges.removePod(id);
        changed = true;
        if (row.pending() != null) {
            leave(row.pending());
        }
        row.group().ifPresent(key -> queue.makeReady(new Unit.Group(key)));
    }

    /** A pod that was assumed to run was not bound: it waits again, for some time. */
    void notBound(Change.NotBound lost, long now) {
        if (waitsAgain(lost)) {
            queue.delay(unit(lost), now);
        }
    }

    /** As {@link #notBound}; all others who wait are tried before it. */
    void gaveUp(Change.NotBound lost, long now) {
        if (waitsAgain(lost)) {
            queue.defer(unit(lost), now);
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
        charges.removePod(lost.id());
        pods.put(row.waitingAgain());
        queue.put(Unit.of(row.pending()), ranks.of(row.pending()));
        return true;
    }
}
