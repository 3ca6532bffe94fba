package io.gpusched.kubernetes.decide;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Places the members of a group kind after kind. Where they must be in one domain, the kind that is placed first chooses it; if
 * the others have no room there, that domain is excluded and it chooses again. What is tried out is undone.
 *
 * <p>The first try costs O(nodes with a limit) for each kind; each further domain a decision for each kind and O(nodes of the
 * domain).
 */
final class KindByKind {
    /** So many domains are tried at most. */
    private static final int MOST_DOMAINS = 256;

    /** No further domain is tried once so many members were placed in vain. */
    private static final int MOST_PLACED = 20_000;

    private final GroupPlan plan;
    private final Cluster cluster;
    private final String view;
    private final List<VolumeKind> kinds;
    private final VolumeCharges charges;
    private final Decider decider;

    /** The cluster without anyone of the group, as each kind sees it. */
    private final Map<VolumeKind, Cluster> untouched = new HashMap<>();

    private final Map<String, List<String>> nodesByDomain = new HashMap<>();

    /**
     * Creates it.
     *
     * @param cluster where the group is asked for
     * @param view the name of its snapshots
     */
    KindByKind(
            GroupPlan plan,
            Cluster cluster,
            String view,
            List<VolumeKind> kinds,
            VolumeCharges charges,
            Decider decider) {
        this.plan = plan;
        this.cluster = cluster;
        this.view = view;
        this.kinds = kinds;
        this.charges = charges;
        this.decider = decider;
    }

    /** Returns the group as placed; nothing if its minimum has no room. */
    Optional<GroupPlaced> place(GroupPlan.Attempt attempt) {
        GroupPlan.Attempt open = attempt;
        int inVain = 0;
        for (int i = 0; i < MOST_DOMAINS && inVain < MOST_PLACED; i++) {
            Try one = new Try(open);
            Optional<GroupPlaced> placed = one.place();
            if (placed.isPresent() || one.attempt.equals(open)) {
                return placed;
            }
            inVain += one.placements.size();
            open = open.notIn(one.attempt.domain());
        }
        return Optional.empty();
    }

    /** One way through all kinds. */
    private final class Try {
        private final List<Placement> placements = new ArrayList<>();
        private final Set<PodId> waiting = new HashSet<>();
        private GroupPlan.Attempt attempt;
        private Cluster now = cluster;

        Try(GroupPlan.Attempt attempt) {
            this.attempt = attempt;
        }

        Optional<GroupPlaced> place() {
            try {
                return kinds.stream().allMatch(this::place)
                        ? Optional.of(new GroupPlaced(placements, List.copyOf(waiting), Certainty.FOUND))
                        : Optional.empty();
            } finally {
                placements.forEach(placement -> charges.forget(placement.pod()));
            }
        }

        /** Returns whether the group can still start. */
        private boolean place(VolumeKind kind) {
            GroupPlan part = plan.part(kind.members(), waiting);
            if (decide(part, kind) instanceof GroupPlaced placed) {
                waiting.addAll(placed.waiting());
                Map<PodId, Set<CsiVolume>> volumes = kind.volumes();
                placed.placements()
                        .forEach(placement -> take(placement, volumes.getOrDefault(placement.pod(), Set.of())));
                return true;
            }
            kind.members().forEach(member -> waiting.add(member.pod().id()));
            return !part.isNeeded();
        }

        private GroupDecision decide(GroupPlan part, VolumeKind kind) {
            Cluster seen = asSeenBy(kind);
            String snapshots = placements.isEmpty() ? view : view + " and members";
            return decider.decide(
                    seen,
                    snapshots,
                    part.group(attempt, kind.shared(), seen),
                    part.ready().get(0));
        }

        private Cluster asSeenBy(VolumeKind kind) {
            if (placements.isEmpty()) {
                return untouched.computeIfAbsent(kind, one -> charges.clusterFor(one.shared(), cluster));
            }
            return attempt.domain().isEmpty()
                    ? charges.clusterFor(kind.shared(), now)
                    : charges.clusterFor(kind.shared(), now, nodes(attempt));
        }

        private void take(Placement placement, Set<CsiVolume> volumes) {
            placements.add(placement);
            now = now.with(charges.tryOut(placement, volumes));
            NodeState node = now.node(placement.node()).orElseThrow();
            attempt = attempt.in(node.node().labels());
        }
    }

    private List<String> nodes(GroupPlan.Attempt attempt) {
        if (nodesByDomain.isEmpty()) {
            cluster.nodes()
                    .forEach(node -> nodesByDomain
                            .computeIfAbsent(
                                    node.node().labels().getOrDefault(attempt.label(), ""), any -> new ArrayList<>())
                            .add(node.name()));
        }
        return nodesByDomain.getOrDefault(attempt.domain(), List.of());
    }
}
