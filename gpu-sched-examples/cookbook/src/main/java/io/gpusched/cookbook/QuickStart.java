package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;

/** Places a few pods on a small cluster; the example of the README. */
public final class QuickStart {
    private QuickStart() {}

    /** Prints where each pod goes, or why it waits. */
    public static void main(String... args) {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 81_920);
        Cluster cluster = Cluster.of(List.of(
                Node.builder("n1")
                        .mode(NodeMode.EXCLUSIVE)
                        .capacity(96_000, 786_432)
                        .gpus(8, a100)
                        .build(),
                Node.builder("n2")
                        .mode(NodeMode.SHARED)
                        .capacity(96_000, 786_432)
                        .gpus(2, a100)
                        .build()));
        GpuScheduler scheduler = GpuScheduler.create();
        for (Pod pod : List.of(
                Pod.of("trainer", Resources.of(32_000, 262_144), GpuRequest.exclusive(4)),
                Pod.of("notebook", Resources.of(4_000, 16_384), GpuRequest.percent(60)),
                Pod.of("whole", Resources.of(64_000, 524_288), GpuRequest.wholeNode()))) {
            Decision decision = scheduler.schedule(cluster, pod);
            if (decision instanceof Placed placed) {
                System.out.println(placed);
                cluster = cluster.with(placed.placement());
            } else if (decision instanceof Unschedulable no) {
                System.out.println(no.diagnosis());
            }
        }
    }
}
