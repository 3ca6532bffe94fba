package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;

/** Cuts GPUs into MIG instances as pods ask for them. */
public final class CutGpus {
    private CutGpus() {}

    /** Prints where instances lie, and why another finds no place. */
    public static void main(String... args) {
        GpuModel a100 = GpuModel.of("nvidia", "A100", 40_960);
        Node.Builder cut =
                Node.builder("cut").capacity(96_000, 786_432).gpus(2, a100, MigGeometry.A100_40GB.geometry());
        Node.Builder plain = Node.builder("plain").capacity(96_000, 786_432).gpus(8, a100);
        Cluster cluster = Cluster.of(List.of(cut.build(), plain.build()));
        GpuScheduler scheduler = GpuScheduler.create();
        GpuRequest small = GpuRequest.partition("1g.5gb", 4);
        GpuRequest large = GpuRequest.partition("7g.40gb", 1);
        for (GpuRequest request : List.of(GpuRequest.partition("3g.20gb", 1), small, large, large)) {
            Pod pod = Pod.of("p" + cluster.placements().size(), Resources.of(4_000, 16_384), request);
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
