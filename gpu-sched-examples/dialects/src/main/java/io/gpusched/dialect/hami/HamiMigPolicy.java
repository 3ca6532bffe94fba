package io.gpusched.dialect.hami;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Objects;

/**
 * Where HAMi puts a MIG instance on a GPU: profiles of one and of three compute slices at the highest start that is free, others at
 * the lowest. Immutable and thread-safe.
 */
public final class HamiMigPolicy implements PlacementPolicy {
    private static final HamiMigPolicy INSTANCE = new HamiMigPolicy();

    private HamiMigPolicy() {}

    /** Returns the policy. */
    public static HamiMigPolicy of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        long score = 0;
        for (ContainerGrant grant :
                after.placement(pod.id()).map(Placement::containers).orElse(List.of())) {
            if (grant.gpus() instanceof GpuGrant.Partitions held) {
                for (GpuPartition partition : held.partitions()) {
                    score += isPlacedHigh(partition) ? partition.start() : -partition.start();
                }
            }
        }
        return score;
    }

    /** Whether HAMi begins at the highest start for the profile of an instance. */
    static boolean isPlacedHigh(GpuPartition partition) {
        return partition.profile().startsWith("1g.") || partition.profile().startsWith("3g.");
    }

    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    @Override
    public String toString() {
        return "hami-mig";
    }
}
