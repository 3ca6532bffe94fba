package io.gpusched.examples.kubernetes.decide;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.examples.kubernetes.view.ClusterBook;
import io.gpusched.examples.kubernetes.volume.CsiVolume;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Asks for a group. The volumes that all its members share are set aside once on each node, and all are placed at once, where
 * another volume takes of an attach limit for each of its users. If there is no room so and only some members share a volume,
 * they are placed kind after kind: for the members of one kind all that they share is set aside, so that every volume takes
 * its part of a node's limit once. Where kinds must be in one domain, the first one chooses it.
 */
final class GroupSearch {
    private final ClusterBook book;
    private final VolumeCharges charges;
    private final Decider decider;

    GroupSearch(ClusterBook book, VolumeCharges charges, Decider decider) {
        this.book = book;
        this.charges = charges;
        this.decider = decider;
    }

    /** Takes the closest way in which there is room. */
    GroupDecision decide(GroupPlan plan) {
        List<VolumeKind> kinds = VolumeKind.of(plan.ready(), charges::isAttached);
        GroupDecision decision = null;
        for (GroupPlan.Attempt attempt : plan.attempts(book::isLabelled)) {
            Cluster cluster = book.cluster(attempt.label());
            decision = decide(plan, attempt, VolumeKind.common(kinds), cluster);
            if (!decision.isPlaced() && kinds.size() > 1) {
                GroupPlaced byKind = new KindByKind(plan, attempt, cluster).place(kinds);
                decision = byKind.placements().isEmpty() ? decision : byKind;
            }
            if (decision.isPlaced()) {
                break;
            }
        }
        return Objects.requireNonNull(decision);
    }

    private GroupDecision decide(GroupPlan plan, GroupPlan.Attempt attempt, Set<CsiVolume> common, Cluster cluster) {
        Cluster asSeen = charges.clusterFor(common, cluster);
        return decider.decide(
                asSeen,
                book.viewOf(attempt.label()),
                plan.group(attempt, common, asSeen),
                plan.ready().get(0));
    }

    /** A group whose kinds are placed one after the other. What is tried out is undone. */
    private final class KindByKind {
        private final GroupPlan plan;
        private final List<Placement> placements = new ArrayList<>();
        private final Set<PodId> waiting = new HashSet<>();
        private GroupPlan.Attempt attempt;
        private Cluster cluster;

        KindByKind(GroupPlan plan, GroupPlan.Attempt attempt, Cluster cluster) {
            this.plan = plan;
            this.attempt = attempt;
            this.cluster = cluster;
        }

        /** Returns the group as placed, without any placement if its minimum has no room. */
        GroupPlaced place(List<VolumeKind> kinds) {
            try {
                for (VolumeKind kind : kinds) {
                    if (!place(kind)) {
                        return new GroupPlaced(List.of(), List.of());
                    }
                }
                return new GroupPlaced(placements, List.copyOf(waiting));
            } finally {
                placements.forEach(placement -> charges.forget(placement.pod()));
            }
        }

        /** Returns whether the group can still start. */
        private boolean place(VolumeKind kind) {
            GroupPlan part = plan.part(kind.members(), waiting);
            if (decide(part, attempt, kind.shared(), cluster) instanceof GroupPlaced placed) {
                waiting.addAll(placed.waiting());
                Map<PodId, Set<CsiVolume>> volumes = kind.volumes();
                placed.placements()
                        .forEach(placement -> take(placement, volumes.getOrDefault(placement.pod(), Set.of())));
                return true;
            }
            kind.members().forEach(member -> waiting.add(member.pod().id()));
            return !part.isNeeded();
        }

        private void take(Placement placement, Set<CsiVolume> volumes) {
            placements.add(placement);
            cluster = cluster.with(charges.tryOut(placement, volumes));
            NodeState node = cluster.node(placement.node()).orElseThrow();
            attempt = attempt.in(node.node().labels());
        }
    }
}
