package io.gpusched.cookbook;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;

/** Starts the workers of a job together, within one rack. */
public final class GangInOneRack {
    private GangInOneRack() {}

    /** Prints where three workers start, and that six do not. */
    public static void main(String... args) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster cluster = MapMyCluster.cluster();

        PodGroup job = PodGroup.of("job", workers(3)).withLocality(Locality.within("rack"));
        if (scheduler.schedule(cluster, job) instanceof GroupPlaced placed) {
            for (Placement placement : placed.placements()) {
                System.out.println(placement.pod() + " on " + placement.node() + ", GPUs " + placement.gpus());
            }
            System.out.println(cluster.withAll(placed.placements()).totals().idleGpus() + " GPUs idle afterwards");
        }

        GroupDecision tooMany =
                scheduler.schedule(cluster, PodGroup.of("job", workers(6)).withLocality(Locality.within("rack")));
        System.out.println("six in one rack: " + (tooMany.isPlaced() ? "start" : "wait"));

        GroupDecision elastic = scheduler.schedule(
                cluster,
                PodGroup.of("job", workers(6))
                        .withMinMember(3)
                        .withLocality(Locality.within("rack").preferred()));
        System.out.println("at least three, a rack if possible: " + elastic);
    }

    private static List<Pod> workers(int count) {
        List<Pod> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            workers.add(Pod.of("worker-" + i, Resources.of(16_000, 65_536), GpuRequest.exclusive(3)));
        }
        return workers;
    }
}
