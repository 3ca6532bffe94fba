package io.gpusched.examples.kubernetes.decide;

import io.gpusched.decision.Decision;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.RefusedException;
import io.gpusched.examples.kubernetes.grant.BindingStamps;
import io.gpusched.examples.kubernetes.grant.GrantAnnotations;
import io.gpusched.examples.kubernetes.grant.PodBinding;
import io.gpusched.examples.kubernetes.group.GroupKey;
import io.gpusched.examples.kubernetes.group.GroupSpec;
import io.gpusched.examples.kubernetes.queue.SchedulingQueue;
import io.gpusched.examples.kubernetes.view.ClusterBook;
import io.gpusched.examples.kubernetes.volume.AttachLimits;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Takes from the queue what is ready and decides about it, and knows why those that were refused were. */
final class Round {
    /** So many changed nodes and more are taken as a change of the cluster. */
    private static final int MANY_NODES = 16;

    private final ClusterBook book;
    private final PodTable pods;
    private final Map<GroupKey, GroupSpec> groups;
    private final SchedulingQueue<Unit> queue;
    private final Requests requests;
    private final BindingStamps stamps;
    private final Decider decider = new Decider();
    private final Map<PodId, Request> refused = new HashMap<>();
    private final Map<PodId, Request> translated = new HashMap<>();
    private final Map<PodId, PendingReason> reasons = new HashMap<>();

    Round(
            ClusterBook book,
            PodTable pods,
            Map<GroupKey, GroupSpec> groups,
            SchedulingQueue<Unit> queue,
            Requests requests,
            BindingStamps stamps) {
        this.book = book;
        this.pods = pods;
        this.groups = groups;
        this.queue = queue;
        this.requests = requests;
        this.stamps = stamps;
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

    /** One pod that cannot be decided about must not keep all others from being placed. */
    private void decide(Unit unit, long now, Decisions decisions) {
        try {
            if (unit instanceof Unit.Single single) {
                decide(single, now, decisions);
            } else {
                decide((Unit.Group) unit, now, decisions);
            }
        } catch (RuntimeException e) {
            List<PendingPod> waiting = pods.waiting(
                    unit instanceof Unit.Single single
                            ? List.of(single.pod())
                            : pods.members(((Unit.Group) unit).key()).pending());
            String message = "the scheduler failed: " + e;
            waiting.forEach(pod -> refuse(new Request.Blocked(pod, PendingReason.REFUSED, message), decisions));
            queue.park(unit, now);
        }
    }

    private void decide(Unit.Single unit, long now, Decisions decisions) {
        List<PendingPod> waiting = pods.waiting(List.of(unit.pod()));
        if (waiting.isEmpty()) {
            queue.remove(unit);
            return;
        }
        Request request = request(waiting.get(0), Set.of());
        if (request instanceof Request.Ready ready) {
            decide(unit, ready, now, decisions);
        } else {
            refuse((Request.Blocked) request, decisions);
            queue.park(unit, now);
        }
    }

    private void decide(Unit.Single unit, Request.Ready ready, long now, Decisions decisions) {
        try {
            Decision decision = decider.decide(book.cluster(), ready);
            if (decision instanceof Placed placed) {
                bind(ready, placed.placement(), decisions);
                return;
            }
            refuse(ready, PendingReason.NO_ROOM, diagnosis((Unschedulable) decision), decisions);
        } catch (RefusedException e) {
            refuse(ready, PendingReason.REFUSED, () -> String.valueOf(e.getMessage()), decisions);
        }
        queue.park(unit, now);
    }

    private static Supplier<String> diagnosis(Unschedulable decision) {
        return () -> {
            String text = decision.diagnosis().toString();
            return text.contains(AttachLimits.PREFIX) ? text + AttachLimits.WORDS : text;
        };
    }

    /** What is asked of a pod depends on nothing else, unless it uses volumes, and is not translated again. */
    @SuppressWarnings("ReferenceEquality") // a pod that changed is another object
    private Request request(PendingPod pod, Set<String> claimsOfOthers) {
        Request known = translated.get(pod.id());
        if (known != null && known.pod() == pod) {
            return known;
        }
        Request request = translate(pod, claimsOfOthers);
        if (pod.object().getSpec().getVolumes().isEmpty()) {
            translated.put(pod.id(), request);
        }
        return request;
    }

    private Request translate(PendingPod pod, Set<String> claimsOfOthers) {
        return requests.of(pod, claim -> claimsOfOthers.contains(claim) || pods.isClaimUsed(pod.id(), claim));
    }

    private void decide(Unit.Group unit, long now, Decisions decisions) {
        Members members = pods.members(unit.key());
        List<PendingPod> waiting = pods.waiting(members.pending());
        if (waiting.isEmpty()) {
            queue.park(unit, now);
            return;
        }
        GroupSpec spec = groups.get(unit.key());
        if (spec == null) {
            String message = "PodGroup \"" + unit.key().name() + "\" of "
                    + unit.key().vocabulary().apiVersion() + " not found";
            waiting.forEach(pod -> refuse(new Request.Blocked(pod, PendingReason.GROUP, message), decisions));
        } else if (!spec.problem().isEmpty()) {
            String message = "PodGroup \"" + unit.key().name() + "\": " + spec.problem();
            waiting.forEach(pod -> refuse(new Request.Blocked(pod, PendingReason.NOT_HONOURED, message), decisions));
        } else {
            decide(plan(spec, members, waiting, decisions), decisions);
        }
        queue.park(unit, now);
    }

    private GroupPlan plan(GroupSpec spec, Members members, List<PendingPod> waiting, Decisions decisions) {
        List<Request.Ready> ready = new ArrayList<>();
        Set<String> claims = new HashSet<>();
        for (PendingPod pod : waiting) {
            Request request = request(pod, claims);
            if (request instanceof Request.Ready one) {
                ready.add(one);
                claims.addAll(claims(pod));
            } else {
                refuse((Request.Blocked) request, decisions);
            }
        }
        Map<String, Integer> byRole = new HashMap<>();
        List<Map<String, String>> placedOn = new ArrayList<>();
        for (PodId placed : members.placed()) {
            byRole.merge(role(spec, placed), 1, Integer::sum);
            book.nodeOf(placed).flatMap(book::manifest).ifPresent(node -> placedOn.add(node.labels()));
        }
        return new GroupPlan(spec, ready, members.placed().size(), byRole, placedOn);
    }

    private String role(GroupSpec spec, PodId placed) {
        PodRow row = Objects.requireNonNull(pods.row(placed));
        if (row.pending() != null) {
            var metadata = row.pending().object().getMetadata();
            return spec.key()
                    .vocabulary()
                    .roleOf(
                            Objects.requireNonNullElse(metadata.getLabels(), Map.of()),
                            Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        }
        return book.running(placed)
                .map(pod -> spec.key()
                        .vocabulary()
                        .roleOf(pod.manifest().labels(), pod.manifest().annotations()))
                .orElse("");
    }

    private void decide(GroupPlan plan, Decisions decisions) {
        String name = "PodGroup \"" + plan.spec().key().name() + "\"";
        if (plan.ready().isEmpty() || !plan.shortage().isEmpty()) {
            String message = name + ": " + plan.shortage();
            plan.ready()
                    .forEach(member ->
                            refuse(new Request.Blocked(member.pod(), PendingReason.GROUP, message), decisions));
            refuse(plan, () -> message, decisions);
            return;
        }
        GroupDecision decision;
        try {
            decision = decide(plan);
        } catch (RefusedException e) {
            plan.ready()
                    .forEach(member ->
                            refuse(member, PendingReason.REFUSED, () -> String.valueOf(e.getMessage()), decisions));
            return;
        }
        if (decision instanceof GroupPlaced placed) {
            bind(plan, placed, decisions);
        } else {
            Supplier<String> message = diagnosis((Unschedulable) decision);
            plan.ready().forEach(member -> refuse(member, PendingReason.NO_ROOM, message, decisions));
            refuse(plan, message, decisions);
        }
    }

    /** Takes the closest way in which there is room. */
    private GroupDecision decide(GroupPlan plan) {
        GroupDecision decision = null;
        for (GroupPlan.Attempt attempt : plan.attempts(book::isLabelled)) {
            if (!attempt.label().isEmpty()) {
                book.requireLevel(attempt.label());
            }
            Cluster cluster = book.cluster();
            decision = decider.decide(
                    cluster, plan.group(attempt, cluster), plan.ready().get(0));
            if (decision instanceof GroupPlaced) {
                break;
            }
        }
        return Objects.requireNonNull(decision);
    }

    /** A group that has started is not refused when its other pods are. */
    private static void refuse(GroupPlan plan, Supplier<String> message, Decisions decisions) {
        if (plan.needed() > 0) {
            decisions.groups().add(new GroupResult(plan.spec().key(), message));
        }
    }

    private void bind(GroupPlan plan, GroupPlaced placed, Decisions decisions) {
        Map<PodId, Request.Ready> byId = new HashMap<>();
        plan.ready().forEach(member -> byId.put(member.pod().id(), member));
        for (Placement placement : placed.placements()) {
            bind(Objects.requireNonNull(byId.get(placement.pod())), placement, decisions);
        }
        for (PodId id : placed.waiting()) {
            refuse(
                    Objects.requireNonNull(byId.get(id)),
                    PendingReason.NO_ROOM,
                    () -> "PodGroup \"" + plan.spec().key().name()
                            + "\" has started; there is no room for this pod beyond the minimum",
                    decisions);
        }
    }

    private void bind(Request.Ready ready, Placement placement, Decisions decisions) {
        book.assume(placement);
        forget(placement.pod());
        Node node = book.cluster().node(placement.node()).orElseThrow().node();
        Dialect dialect = book.dialect(placement.node());
        BindingMetadata metadata = stamps.stamp(dialect, dialect.write(ready.manifest(), node, placement));
        PodBinding write = PodBinding.of(
                ready.pod().object(), placement, GrantAnnotations.of(placement, node, metadata), metadata.labels());
        Binding binding = new Binding(ready.pod(), write, ready.claims());
        PodRow row = Objects.requireNonNull(pods.row(placement.pod()));
        pods.put(row.bindingTo(binding, claims(ready.pod())));
        decisions.bindings().add(binding);
    }

    private static List<String> claims(PendingPod pod) {
        return io.gpusched.examples.kubernetes.view.RunningPod.claims(pod.object());
    }

    private void refuse(Request.Blocked blocked, Decisions decisions) {
        refused.put(blocked.pod().id(), blocked);
        reasons.put(blocked.pod().id(), blocked.reason());
        decisions.refusals().add(new Refusal(blocked.pod(), blocked.reason(), blocked::message));
    }

    private void refuse(Request.Ready ready, PendingReason reason, Supplier<String> message, Decisions decisions) {
        refused.put(ready.pod().id(), ready);
        reasons.put(ready.pod().id(), reason);
        decisions.refusals().add(new Refusal(ready.pod(), reason, message));
    }

    /** A pod no longer waits. */
    void forget(PodId id) {
        translated.remove(id);
        refused.remove(id);
        reasons.remove(id);
    }

    Map<PendingReason, Integer> pendingByReason() {
        Map<PendingReason, Integer> counts = new EnumMap<>(PendingReason.class);
        reasons.values().forEach(reason -> counts.merge(reason, 1, Integer::sum));
        return counts;
    }

    /** Whether what changed may help a pod or group that was refused; if in doubt it may. */
    boolean mayBeHelped(
            Unit unit, Cluster cluster, Collection<String> nodes, boolean volumesChanged, boolean podsChanged) {
        if (!(unit instanceof Unit.Single single)) {
            return true;
        }
        Request request = refused.get(single.pod());
        if (request instanceof Request.Blocked blocked) {
            return blocked.reason() == PendingReason.VOLUME && (volumesChanged || podsChanged);
        }
        if (!(request instanceof Request.Ready ready)) {
            return true;
        }
        if (ready.pod().looksAtOthers() || nodes.size() >= MANY_NODES) {
            return podsChanged || !nodes.isEmpty();
        }
        return nodes.stream()
                .flatMap(name -> cluster.node(name).stream())
                .anyMatch(node -> decider.fits(node, ready, cluster));
    }
}
