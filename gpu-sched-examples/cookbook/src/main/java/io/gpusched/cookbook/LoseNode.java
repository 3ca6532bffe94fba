package io.gpusched.cookbook;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Cluster.NodeLoss;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;

/** Places anew what ran on a node that is gone. */
public final class LoseNode {
    private LoseNode() {}

    /** Prints what was lost, and where it goes. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.create();
        NodeLoss loss = MapMyCluster.cluster().withNodeLost("a3");
        Cluster cluster = loss.after();
        for (Placement lost : loss.lost()) {
            Pod pod = Pod.of(lost).orElseThrow();
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                System.out.println(
                        pod.id() + " comes back on " + placed.placement().node());
            }
        }
    }
}
