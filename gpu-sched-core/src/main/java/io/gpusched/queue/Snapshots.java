package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Snapshots with some pods more or fewer, where "does not fit" is an answer. */
final class Snapshots {
    private Snapshots() {}

    /** Returns the snapshot with a pod on healthy GPUs, or null if it does not fit. */
    static @Nullable Cluster with(Cluster cluster, Placement placement) {
        return cluster.tryWith(placement).orElse(null);
    }

    /** Returns the snapshot with these pods, or null if they do not all fit. */
    static @Nullable Cluster with(Cluster cluster, Collection<Placement> placements) {
        Cluster next = cluster;
        for (Placement placement : placements) {
            next = with(next, placement);
            if (next == null) {
                return null;
            }
        }
        return next;
    }

    /** Returns the snapshot without those of these placements that are in it. */
    static Cluster without(Cluster cluster, Collection<Placement> placements) {
        Cluster next = cluster;
        for (Placement placement : placements) {
            if (holds(next, placement)) {
                next = next.without(placement.pod());
            }
        }
        return next;
    }

    static boolean holds(Cluster cluster, Placement placement) {
        Placement held = cluster.placement(placement.pod()).orElse(null);
        return held != null && held.equals(placement);
    }
}
