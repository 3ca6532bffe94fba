package io.gpusched.schedule.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The budget bounds the work on geometries with more states than are worked out in advance. */
class PartitionWorkTest {
    /** Some ten times what it takes on a machine with nothing else to do; without the bound it took 3,000 and more. */
    private static final long MOST_MILLIS = 800;

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

    @Test
    void manyPartitionsOfAWideGeometry_areGivenUpWithinTheBudget() {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < 200; c++) {
            pod.container("c" + c, Resources.of(1, 1), GpuRequest.partition("p" + c % 14, 1));
        }
        Pod many = pod.build();
        Cluster cluster = oneNode();
        GpuScheduler scheduler = GpuScheduler.of(BinPack.of());
        var threads = ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            long start = threads.getCurrentThreadCpuTime();
            assertThat(scheduler.schedule(cluster, many)).isInstanceOf(Unschedulable.class);
            least = Math.min(least, threads.getCurrentThreadCpuTime() - start);
        }
        assertThat(least / 1_000_000).isLessThan(MOST_MILLIS);
    }

    @Test
    void moreOfOneProfileThanTheGpusHoldTogether_isRefusedForCertainInFewSteps() {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < 1_000; c++) {
            pod.container("c" + c, Resources.of(1, 1), GpuRequest.partition("p" + c % 2, 1));
        }
        // at most three of each on each of eight GPUs
        GpuScheduler scheduler = GpuScheduler.create().withBudget(SearchBudget.ofSteps(1_000));
        Unschedulable refused = (Unschedulable) scheduler.schedule(oneNode(), pod.build());
        assertThat(refused.certainty()).isEqualTo(Certainty.PROVEN);
    }
}
