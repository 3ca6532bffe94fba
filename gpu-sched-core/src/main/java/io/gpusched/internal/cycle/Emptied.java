package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The snapshot without everybody who may ever leave. What finds no room there is hopeless: neither evictions nor moves help.
 *
 * <p>It is kept, and follows what is decided and what changes from one cycle to the next node by node. Those who may leave are not in it,
 * so it does not change as they come and go, and neither does what was refused there.
 */
final class Emptied {
    private final Predicate<Placement> mayLeave;
    private final Set<String> noted = new HashSet<>();
    private @Nullable Cluster full;
    private @Nullable Cluster emptied;

    Emptied(Predicate<Placement> mayLeave) {
        this.mayLeave = mayLeave;
    }

    /** Takes note that other pods of a node may leave, or may no longer. */
    void note(String node) {
        if (full != null) {
            noted.add(node);
        }
    }

    private void note(@Nullable NodeState node) {
        if (node != null) {
            noted.add(node.name());
        }
    }

    /** Returns a snapshot without all who may leave. */
    @SuppressWarnings("ReferenceEquality") // the very same: nothing to follow
    Cluster of(Cluster now) {
        Cluster before = full;
        Cluster old = emptied;
        Cluster next;
        if (before == null || old == null || isOther(before, now)) {
            next = emptied(now);
        } else if (before != now || !noted.isEmpty()) {
            now.forEachChange(before, (was, is) -> note(is));
            next = followed(old, now);
        } else {
            return old;
        }
        noted.clear();
        full = now;
        emptied = next;
        return next;
    }

    /** Whether nodes themselves differ, not only what runs on them. */
    private static boolean isOther(Cluster before, Cluster now) {
        boolean[] isOther = {!before.namespaces().equals(now.namespaces())};
        now.forEachChange(
                before,
                (was, is) -> isOther[0] |=
                        was == null || is == null || was.isCordoned() != is.isCordoned() || !Machines.isAlike(was, is));
        return isOther[0];
    }

    private Cluster emptied(Cluster now) {
        ClusterBatch batch = now.batch();
        for (NodeState node : now.nodes()) {
            node.placements().stream().filter(mayLeave).forEach(placement -> batch.release(placement.pod()));
        }
        return batch.build();
    }

    private Cluster followed(Cluster old, Cluster now) {
        ClusterBatch batch = old.batch();
        Set<Placement> come = new HashSet<>();
        for (String name : noted) {
            NodeState is = now.node(name).orElseThrow();
            Set<PodId> stay = new HashSet<>();
            for (Placement placement : is.placements()) {
                if (!mayLeave.test(placement)) {
                    stay.add(placement.pod());
                    come.add(placement);
                }
            }
            for (Placement placement : old.node(name).orElseThrow().placements()) {
                if (!stay.contains(placement.pod()) || !come.remove(placement)) {
                    batch.release(placement.pod());
                }
            }
        }
        come.forEach(batch::placeRunning);
        return batch.build();
    }
}
