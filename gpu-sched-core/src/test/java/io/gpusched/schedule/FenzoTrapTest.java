package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scheduler that pools the GPUs of a node into one number gives away more than there is: 8 x 0.6 + 3 = 7.8 of 8. */
class FenzoTrapTest {
    private static final Node EIGHT = Node.builder("n")
            .capacity(128_000, 1_000_000)
            .gpus(8, GpuModel.of("nvidia", "A100", 81_559))
            .build();

    private static List<GpuScheduler> schedulers() {
        return List.of(
                GpuScheduler.create(),
                GpuScheduler.of(TestPolicies.hiddenBinPack()),
                GpuScheduler.builder()
                        .policy(TestPolicies.evenCompute())
                        .memory(0)
                        .build());
    }

    private static Cluster placeEightShares(GpuScheduler scheduler) {
        Cluster cluster = Cluster.of(List.of(EIGHT));
        for (int i = 0; i < 8; i++) {
            Pod pod = Pod.of("share-" + i, Resources.of(1_000, 1_000), GpuRequest.percent(60));
            Decision decision = scheduler.schedule(cluster, pod);
            cluster = cluster.with(assertThat(decision)
                    .isPlacedOn("n")
                    .usingGpus(i)
                    .withShare(i, 600, 48_935)
                    .placement());
        }
        assertThat(cluster).isConsistent();
        return cluster;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 8})
    void wholeGpusBesideEightSharesOfSixtyPercentOnEightGpus_areRefused(int count) {
        for (GpuScheduler scheduler : schedulers()) {
            Cluster cluster = placeEightShares(scheduler);
            assertThat(scheduler.schedule(cluster, Pod.of("whole", Resources.NONE, GpuRequest.exclusive(count))))
                    .isRefused();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {41, 60, 100})
    void aNinthShareThatFitsOnNoOneGpu_isRefused_thoughEnoughIsFreeInTotal(int percent) {
        for (GpuScheduler scheduler : schedulers()) {
            Cluster cluster = placeEightShares(scheduler);
            assertThat(cluster.node(0).freeComputeMillis()).isEqualTo(3_200);
            assertThat(scheduler.schedule(cluster, Pod.of("ninth", Resources.NONE, GpuRequest.percent(percent))))
                    .isRefused();
            assertThat(scheduler.schedule(cluster, Pod.of("small", Resources.NONE, GpuRequest.percent(40))))
                    .usingGpus(0);
        }
    }
}
