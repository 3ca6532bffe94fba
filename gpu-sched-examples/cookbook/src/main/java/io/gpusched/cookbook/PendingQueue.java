package io.gpusched.cookbook;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.PendingPods;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;

/** Asks again only for the pods that a change may help. */
public final class PendingQueue {
    private PendingQueue() {}

    /** Prints who is asked for again after a change, and who is placed. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.create();
        PendingPods pending = new PendingPods();
        Cluster cluster = Cluster.of(MapMyCluster.cluster().nodes().stream()
                .filter(node -> node.name().equals("a1"))
                .map(node -> node.node())
                .toList());
        cluster = cluster.with(
                scheduler.schedule(cluster, pod("busy", 6)).toPlacement().orElseThrow());
        List<Pod> waiting = new ArrayList<>(List.of(pod("small", 4), pod("large", 16)));
        System.out.println(
                "may be placed: " + pending.mayPlace(cluster, waiting).size());

        cluster = cluster.without(PodId.of("busy"));
        for (Pod pod : pending.mayPlace(cluster, waiting)) {
            if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                cluster = cluster.with(placed.placement());
                waiting.remove(pod);
                System.out.println(pod.id() + " goes to " + placed.placement().node());
            }
        }
        System.out.println(waiting.size() + " waits");
    }

    private static Pod pod(String name, int gpus) {
        return Pod.of(name, Resources.of(1_000, 1_024), GpuRequest.exclusive(gpus));
    }
}
