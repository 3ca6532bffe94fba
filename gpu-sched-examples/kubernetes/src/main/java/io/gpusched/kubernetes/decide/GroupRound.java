package io.gpusched.kubernetes.decide;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.RefusedException;
import io.gpusched.manifests.group.GroupSpec;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.manifests.view.RunningPod;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/** Decides about all pods of a group at once, on one snapshot: as many as its minimum, or none. */
final class GroupRound {
    private final ClusterBook book;
    private final PodTable pods;
    private final Requests requests;
    private final GroupSearch search;
    private final Refusals refusals;
    private final Binder binder;

    GroupRound(
            ClusterBook book, PodTable pods, Requests requests, GroupSearch search, Refusals refusals, Binder binder) {
        this.book = book;
        this.pods = pods;
        this.requests = requests;
        this.search = search;
        this.refusals = refusals;
        this.binder = binder;
    }

    /** Decides about those who wait; the others count as they are. */
    void decide(GroupSpec spec, Members members, List<PendingPod> waiting, Decisions decisions) {
        decide(plan(spec, members, waiting, decisions), decisions);
    }

    private GroupPlan plan(GroupSpec spec, Members members, List<PendingPod> waiting, Decisions decisions) {
        List<Request.Ready> ready = new ArrayList<>();
        Set<String> claims = new HashSet<>();
        for (PendingPod pod : waiting) {
            Request request = requests.of(pod, claims);
            if (request instanceof Request.Ready one) {
                ready.add(one);
                claims.addAll(RunningPod.claims(pod.object()));
            } else {
                refusals.add((Request.Blocked) request, decisions);
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
            return spec.roleOf(
                    Objects.requireNonNullElse(metadata.getLabels(), Map.of()),
                    Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        }
        return book.running(placed)
                .map(pod -> spec.roleOf(pod.manifest().labels(), pod.manifest().annotations()))
                .orElse("");
    }

    private void decide(GroupPlan plan, Decisions decisions) {
        String name = "PodGroup \"" + plan.spec().key().namespace() + "/"
                + plan.spec().key().name() + "\"";
        if (plan.ready().isEmpty() || !plan.shortage().isEmpty()) {
            String message = name + ": " + plan.shortage();
            plan.ready()
                    .forEach(member ->
                            refusals.add(new Request.Blocked(member.pod(), PendingReason.GROUP, message), decisions));
            refuse(plan, () -> message, decisions);
            return;
        }
        GroupDecision decision;
        try {
            decision = search.decide(plan);
        } catch (RefusedException e) {
            Supplier<String> message = () -> String.valueOf(e.getMessage());
            plan.ready().forEach(member -> refusals.add(member, PendingReason.REFUSED, message, decisions));
            return;
        }
        if (decision instanceof GroupPlaced placed) {
            bind(plan, placed, decisions);
        } else {
            Supplier<String> message = refusals.words(plan.ready().get(0), (Unschedulable) decision);
            plan.ready().forEach(member -> refusals.add(member, PendingReason.NO_ROOM, message, decisions));
            refuse(plan, message, decisions);
        }
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
            decisions.bindings().add(binder.bind(Objects.requireNonNull(byId.get(placement.pod())), placement));
        }
        String message = "PodGroup \"" + plan.spec().key().namespace() + "/"
                + plan.spec().key().name() + "\" has started; there is no room for this pod beyond the minimum";
        for (PodId id : placed.waiting()) {
            Request.Ready member = Objects.requireNonNull(byId.get(id));
            Unschedulable why = placed.refusals().get(id);
            Supplier<String> words = why == null ? () -> "" : refusals.words(member, why);
            refusals.add(member, PendingReason.NO_ROOM, () -> started(message, words.get()), decisions);
        }
    }

    private static String started(String message, String why) {
        return why.isEmpty() ? message : message + ": " + why;
    }
}
