package io.gpusched.schedule.partition;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All partitions of a node are of one mode, whichever of its GPUs has those that say which. */
class NodeModeTest {
    private static final PartitionGeometry GEOMETRY = PartitionGeometry.of(
            "modes",
            4,
            NamedAmounts.NONE,
            List.of(
                    PartitionProfile.of("4g", 4, List.of(0)),
                    PartitionProfile.of("2g", 2, List.of(0, 2)).withNodeMode("x"),
                    PartitionProfile.of("1g", 1, List.of(0, 1, 2, 3)).withNodeMode("y")));

    private static Cluster cluster() {
        Node.Builder node = Node.builder("n").capacity(64_000, 64_000);
        for (int g = 0; g < 3; g++) {
            node.gpu(
                    Gpu.of(g, "gpu-" + g, GpuModel.of("maker", "modal", 81_920)).withPartitions(GEOMETRY));
        }
        return Cluster.of(List.of(node.build()));
    }

    private static Pod pod(String profile) {
        return Pod.of("p-" + profile, Resources.of(100, 100), GpuRequest.partition(profile, 1));
    }

    @Test
    void modeOfTheSecondCutGpu_refusesPartitionsOfAnotherMode() {
        for (PlacementPolicy policy : List.of(FirstFit.of(), BinPack.of(), Spread.of())) {
            GpuScheduler scheduler = GpuScheduler.of(policy);
            Cluster cluster = cluster();
            for (String profile : List.of("4g", "2g")) {
                Decision decision = scheduler.schedule(cluster, pod(profile));
                assertThat(decision).isPlacedOn("n");
                cluster = cluster.with(((Placed) decision).placement());
            }

            assertThat(scheduler.schedule(cluster, pod("1g"))).isRefused();
            assertThat(scheduler.schedule(cluster, Pod.of("other", Resources.of(1, 1), GpuRequest.partition("2g", 1))))
                    .isPlacedOn("n");
        }
    }

    @Test
    void onePodOfThreePartitions_isRefusedIfTheirModesDiffer() {
        Pod pod = Pod.builder("p")
                .container("a", Resources.of(1, 1), GpuRequest.partition("4g", 1))
                .container("b", Resources.of(1, 1), GpuRequest.partition("2g", 1))
                .container("c", Resources.of(1, 1), GpuRequest.partition("1g", 1))
                .build();

        assertThat(GpuScheduler.create().schedule(cluster(), pod)).isRefused();
    }
}
