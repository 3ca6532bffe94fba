package io.gpusched.kubernetes.decide;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.RefusedException;
import io.gpusched.kubernetes.queue.SchedulingQueue;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Takes from the queue what is ready and decides about it. */
final class Round {
    private final PodTable pods;
    private final Map<GroupKey, GroupSpec> groups;
    private final SchedulingQueue<Unit> queue;
    private final VolumeCharges charges;
    private final Requests requests;
    private final Decider decider;
    private final Refusals refusals;
    private final Binder binder;
    private final GroupRound groupRound;

    Round(
            PodTable pods,
            Map<GroupKey, GroupSpec> groups,
            SchedulingQueue<Unit> queue,
            VolumeCharges charges,
            Requests requests,
            Decider decider,
            Refusals refusals,
            Binder binder,
            GroupRound groupRound) {
        this.pods = pods;
        this.groups = groups;
        this.queue = queue;
        this.charges = charges;
        this.requests = requests;
        this.decider = decider;
        this.refusals = refusals;
        this.binder = binder;
        this.groupRound = groupRound;
    }

    Decisions decide(long now, int most) {
        Decisions decisions = Decisions.empty();
        for (int i = 0; i < most; i++) {
            Optional<Unit> next = queue.poll(now);
            if (next.isEmpty()) {
                break;
            }
            decide(next.get(), now, decisions);
        }
        return decisions;
    }

    /** A pod no longer waits. */
    void forget(PendingPod pod) {
        requests.forget(pod.id());
        refusals.forget(pod.id());
    }

    /** One pod that cannot be decided about must not keep all others from being placed. */
    private void decide(Unit unit, long now, Decisions decisions) {
        try {
            if (unit instanceof Unit.Single single) {
                decide(single, now, decisions);
            } else {
                decide((Unit.Group) unit, now, decisions);
            }
        } catch (RuntimeException e) {
            refuseAll(waiting(unit), PendingReason.REFUSED, "the scheduler failed: " + e, decisions);
            queue.park(unit, now);
        }
    }

    private List<PendingPod> waiting(Unit unit) {
        return pods.waiting(
                unit instanceof Unit.Single single
                        ? List.of(single.pod())
                        : pods.members(((Unit.Group) unit).key()).pending());
    }

    private void refuseAll(List<PendingPod> waiting, PendingReason reason, String message, Decisions decisions) {
        waiting.forEach(pod -> refusals.add(new Request.Blocked(pod, reason, message), decisions));
    }

    private void decide(Unit.Single unit, long now, Decisions decisions) {
        List<PendingPod> waiting = waiting(unit);
        if (waiting.isEmpty()) {
            queue.remove(unit);
            return;
        }
        Request request = requests.of(waiting.get(0), Set.of());
        if (request instanceof Request.Ready ready) {
            decide(unit, ready, now, decisions);
        } else {
            refusals.add((Request.Blocked) request, decisions);
            queue.park(unit, now);
        }
    }

    private void decide(Unit.Single unit, Request.Ready ready, long now, Decisions decisions) {
        try {
            Decision decision = decider.decide(charges.clusterFor(ready), ready);
            if (decision instanceof Placed placed) {
                decisions.bindings().add(binder.bind(ready, placed.placement()));
                return;
            }
            refusals.add(ready, PendingReason.NO_ROOM, refusals.words(ready, (Unschedulable) decision), decisions);
        } catch (RefusedException e) {
            refusals.add(ready, PendingReason.REFUSED, () -> String.valueOf(e.getMessage()), decisions);
        }
        queue.park(unit, now);
    }

    private void decide(Unit.Group unit, long now, Decisions decisions) {
        Members members = pods.members(unit.key());
        List<PendingPod> waiting = waiting(unit);
        GroupSpec spec = groups.get(unit.key());
        String name = "PodGroup \"" + unit.key().namespace() + "/" + unit.key().name() + "\"";
        if (spec == null) {
            refuseAll(
                    waiting, PendingReason.GROUP, name + unit.key().vocabulary().notFound(), decisions);
        } else if (!spec.problem().isEmpty()) {
            refuseAll(waiting, PendingReason.NOT_HONOURED, name + ": " + spec.problem(), decisions);
        } else if (!waiting.isEmpty()) {
            groupRound.decide(spec, members, waiting, decisions);
        }
        queue.park(unit, now);
    }
}
