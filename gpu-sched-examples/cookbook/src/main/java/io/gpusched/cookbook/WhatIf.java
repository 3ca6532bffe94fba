package io.gpusched.cookbook;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/** Asks what would be if the cluster were another; the cluster itself stays as it is. */
public final class WhatIf {
    private WhatIf() {}

    /** Prints where one pod would go in three clusters. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster now = MapMyCluster.cluster();
        Pod pod = Pod.of("eight", Resources.of(64_000, 262_144), GpuRequest.exclusive(8));

        Cluster withOneMore = now.withNode(MapMyCluster.a100Node("a4", "rack-2"));
        Cluster withoutTrainer =
                now.without(now.node("a1").orElseThrow().placements().get(0));

        System.out.println("now: " + whereTo(scheduler, now, pod));
        System.out.println("with one more node: " + whereTo(scheduler, withOneMore, pod));
        System.out.println("without trainer-0: " + whereTo(scheduler, withoutTrainer, pod));
        System.out.println("nodes now: " + now.size());
    }

    private static String whereTo(GpuScheduler scheduler, Cluster cluster, Pod pod) {
        return scheduler.schedule(cluster, pod) instanceof Placed placed
                ? placed.placement().node()
                : "nowhere";
    }
}
