package io.gpusched.internal.gang;

import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.workload.PodGroup;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which groups could not start where, within one decision: groups around a group may ask for the same place again and again, at
 * sixteen levels more often than can be counted. Not thread-safe.
 */
final class GangFailures {
    private final Map<Failure, Boolean> failures = new HashMap<>();

    /** A group that could not start within a range on a snapshot; equal if group and snapshot are the same objects. */
    private record Failure(Cluster cluster, PodGroup group, NodeRange range) {
        @Override
        @SuppressWarnings("ReferenceEquality") // quicker than to compare all pods
        public boolean equals(@Nullable Object other) {
            return other instanceof Failure failure
                    && cluster == failure.cluster
                    && group == failure.group
                    && range.equals(failure.range);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * System.identityHashCode(cluster) + System.identityHashCode(group)) + range.hashCode();
        }
    }

    void add(Cluster cluster, PodGroup group, NodeRange range, boolean isProven) {
        failures.put(new Failure(cluster, group, range), isProven);
    }

    /** Returns whether it is certain that a group cannot start there; null if that was not tried. */
    @Nullable
    Boolean known(Cluster cluster, PodGroup group, NodeRange range) {
        return failures.get(new Failure(cluster, group, range));
    }
}
