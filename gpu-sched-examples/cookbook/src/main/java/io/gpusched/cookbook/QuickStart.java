package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;

/** Places pods on a node of eight GPUs; the example of the README. */
public final class QuickStart {
    private QuickStart() {}

    /** Prints where each pod goes, or why it waits. */
    public static void main(String... args) {
        GpuModel a100 = GpuModel.ofGib("nvidia", "A100", 80);
        Node node = Node.builder("n1")
                .capacity(Resources.cores(96).gib(768))
                .gpus(8, a100)
                .build();
        Cluster cluster = Cluster.of(List.of(node));
        GpuScheduler scheduler = GpuScheduler.create();
        for (Pod pod : List.of(
                Pod.of("trainer", Resources.cores(32).gib(256), GpuRequest.exclusive(4)),
                Pod.of("notebook", Resources.cores(4).gib(16), GpuRequest.percent(60)),
                Pod.of("second", Resources.cores(32).gib(256), GpuRequest.exclusive(4)))) {
            Decision decision = scheduler.schedule(cluster, pod);
            System.out.println(decision instanceof Unschedulable no ? no.diagnosis() : decision);
            cluster = decision.toPlacement().map(cluster::with).orElse(cluster);
        }
    }
}
