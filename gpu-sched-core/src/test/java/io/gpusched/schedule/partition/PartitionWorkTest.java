package io.gpusched.schedule.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The budget bounds the work on geometries with more states than are worked out in advance. */
class PartitionWorkTest {
    private static final PartitionGeometry WIDE = PartitionGeometry.of(
            "wide",
            32,
            NamedAmounts.of(Map.of("a", 31L, "b", 29L)),
            IntStream.range(0, 14).mapToObj(PartitionWorkTest::profile).toList());

    private static PartitionProfile profile(int index) {
        return PartitionProfile.of(
                        "p" + index,
                        1 + index % 3,
                        IntStream.range(0, 29).boxed().toList())
                .withMax(3)
                .withCounters(NamedAmounts.of(Map.of("a", index * 7L % 11 + 1, "b", index * 5L % 13 + 1)));
    }

    private static Cluster oneNode() {
        Node.Builder node = Node.builder("n").capacity(1_000_000, 1_000_000);
        GpuModel model = GpuModel.of("maker", "wide", 81_920);
        for (int g = 0; g < 8; g++) {
            node.gpu(Gpu.of(g, "gpu-" + g, model).withPartitions(WIDE));
        }
        return Cluster.of(List.of(node.build()));
    }

    private static Pod asking(int containers, int profiles) {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < containers; c++) {
            pod.container("c" + c, Resources.of(1, 1), GpuRequest.partition("p" + c % profiles, 1));
        }
        return pod.build();
    }

    @Test
    void manyPartitionsOfAWideGeometry_areGivenUpWithinTheBudget() {
        for (long steps : new long[] {SearchBudget.DEFAULT.steps(), SearchBudget.DEFAULT.steps() / 16}) {
            GpuScheduler scheduler = GpuScheduler.builder()
                    .policy(BinPack.of())
                    .budget(SearchBudget.ofSteps(steps))
                    .build();

            Unschedulable refused = (Unschedulable) scheduler.schedule(oneNode(), asking(200, 14));

            assertThat(refused.certainty()).isEqualTo(Certainty.LIMIT);
        }
    }

    @Test
    void moreOfOneProfileThanTheGpusHoldTogether_isRefusedForCertainInFewSteps() {
        // at most three of each on each of eight GPUs
        GpuScheduler scheduler =
                GpuScheduler.builder().budget(SearchBudget.ofSteps(1_000)).build();
        Unschedulable refused = (Unschedulable) scheduler.schedule(oneNode(), asking(1_000, 2));
        assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
    }
}
