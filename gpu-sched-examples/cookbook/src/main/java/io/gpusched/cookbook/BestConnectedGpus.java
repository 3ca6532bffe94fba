package io.gpusched.cookbook;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.nvidiasmi.TopologyMatrix;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.List;

/** Takes GPUs that have NVLinks between them, and two of another model where there are none. */
public final class BestConnectedGpus {
    private static final String MATRIX = """
            	GPU0	GPU1	GPU2	GPU3	CPU Affinity	NUMA Affinity
            GPU0	 X 	NODE	SYS	NV2	0-19	0
            GPU1	NODE	 X 	NV2	SYS	0-19	0
            GPU2	SYS	NV2	 X 	NODE	20-39	1
            GPU3	NV2	SYS	NODE	 X 	20-39	1
            """;

    private BestConnectedGpus() {}

    /** Prints where three pods go, one after the other. */
    public static void main(String... args) {
        Cluster cluster = cluster();
        GpuScheduler scheduler = GpuScheduler.create();
        GpuSelector linked = GpuSelector.models("RTX8000").withAffinity(GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
        GpuRequest request =
                GpuRequest.firstOf(GpuRequest.exclusive(2, linked), GpuRequest.exclusive(4, GpuSelector.models("T4")));

        for (String name : List.of("first", "second", "third")) {
            Decision decision = scheduler.schedule(cluster, Pod.of(name, Resources.of(4_000, 16_384), request));
            if (decision instanceof Placed placed) {
                System.out.println(name + " on " + placed.placement().node() + ", GPUs "
                        + placed.placement().gpus());
                cluster = cluster.with(placed.placement());
            }
        }
    }

    private static Cluster cluster() {
        return Cluster.of(List.of(
                Node.builder("rtx")
                        .capacity(40_000, 196_608)
                        .gpus(4, GpuModel.of("nvidia", "RTX8000", 49_152))
                        .links(TopologyMatrix.parse(MATRIX).links())
                        .build(),
                Node.builder("t4")
                        .capacity(40_000, 196_608)
                        .gpus(4, GpuModel.of("nvidia", "T4", 15_360))
                        .build()));
    }
}
