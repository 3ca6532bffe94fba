package io.gpusched.kubernetes.decide;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.kubernetes.volume.CsiVolume;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.model.Cluster;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Asks for a group. The volumes that all its members share are set aside once on each node, and all are placed at once, where
 * another volume takes of an attach limit for each of its users. If there is no room so and only some members share a volume,
 * they are placed {@linkplain KindByKind kind after kind}: for the members of one kind all that they share is set aside, so that
 * every volume takes its part of a node's limit once.
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
                String view = book.viewOf(attempt.label());
                Optional<GroupPlaced> byKind =
                        new KindByKind(plan, cluster, view, kinds, charges, decider).place(attempt);
                decision = byKind.isPresent() ? byKind.get() : decision;
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
}
