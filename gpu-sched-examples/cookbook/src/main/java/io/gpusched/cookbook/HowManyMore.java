package io.gpusched.cookbook;

import io.gpusched.analysis.Headroom;
import io.gpusched.model.Cluster;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/** Counts how many more pods of a kind the cluster holds as it is. */
public final class HowManyMore {
    private HowManyMore() {}

    /** Prints the room for three kinds of pods. */
    public static void main(String... args) {
        Cluster cluster = MapMyCluster.cluster();
        Pod notebook = Pod.of("notebook", Resources.of(4_000, 16_384), GpuRequest.percent(30));
        Pod trainer = Pod.of("trainer", Resources.of(16_000, 65_536), GpuRequest.exclusive(2));
        Pod large = Pod.of("large", Resources.of(64_000, 262_144), GpuRequest.wholeNode());

        System.out.println("notebooks: " + Headroom.of(cluster, notebook).byNode());
        System.out.println("trainers: " + Headroom.of(cluster, trainer).pods());
        System.out.println("whole nodes: " + Headroom.of(cluster, large));
        System.out.println(
                "one trainer more: " + Headroom.whyNoMore(cluster, trainer).remedy());
    }
}
