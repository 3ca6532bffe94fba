package io.gpusched.cookbook;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/** Prefers nodes of the pool for serving, and among equals the fullest GPU. */
public final class WritePolicy implements PlacementPolicy {
    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        boolean serving = "serving".equals(after.node().labels().get("pool"));
        long mostFree = 0;
        for (int gpu = 0; gpu < after.gpuCount(); gpu++) {
            if (after.isShared(gpu)) {
                mostFree = Math.max(mostFree, after.freeComputeMillis(gpu));
            }
        }
        return (serving ? 1_000_000 : 0) - mostFree;
    }

    /** A label is read, which need not be among those that the nodes of a class have in common. */
    @Override
    public Scope scope() {
        return Scope.NODE;
    }

    /** Prints where two shares go by this policy. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.of(new WritePolicy());
        Cluster cluster = MapMyCluster.cluster();
        for (int percent : new int[] {30, 80}) {
            Pod pod = Pod.of("share-" + percent, Resources.of(1_000, 4_096), GpuRequest.percent(percent));
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                System.out.println(placed);
                cluster = cluster.with(placed.placement());
            }
        }
    }
}
