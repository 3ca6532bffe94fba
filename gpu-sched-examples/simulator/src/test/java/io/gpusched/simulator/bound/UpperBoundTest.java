package io.gpusched.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.analysis.Extent;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BestFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.schedule.SearchBudget;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class UpperBoundTest {
    private static final Offset<Double> ROUNDING = within(0.5);
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 0);
    private static final GpuModel T4 = GpuModel.of("nvidia", "T4", 0);

    private static Cluster cluster(int nodes, int gpus, long cpuMillis) {
        List<Node> all = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            all.add(Node.builder("n" + i)
                    .capacity(cpuMillis, 100_000)
                    .gpus(gpus, i % 2 == 0 ? A100 : T4)
                    .build());
        }
        return Cluster.of(all);
    }

    private static List<Pod> pods(int count, long cpuMillis, GpuRequest request) {
        return Collections.nCopies(count, Pod.of("p", Resources.of(cpuMillis, 100), request));
    }

    private static GpuRequest share(int millis) {
        return GpuRequest.share(millis, GpuMemory.none());
    }

    @Test
    void of_moreThanCanBeCounted_isBoundedByTheCluster() {
        Cluster cluster = Cluster.of(List.of(Node.builder("n")
                .capacity(64_000, 64_000)
                .gpus(8, GpuModel.of("nvidia", "A100", 81_920))
                .build()));
        UpperBound bound = UpperBound.of(
                cluster,
                Map.of(
                        new Demand(1, 1_000, 8, Set.of(), 1), Long.MAX_VALUE,
                        new Demand(1, 300, 1, Set.of(), 1), Long.MAX_VALUE),
                0,
                UpperBound.DEFAULT);
        assertThat(bound.gpuMillis()).isEqualTo(8_000);
        assertThat(bound.askedMillis()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void of_sharesOfWhichOneFitsOnAGpu_countsOneForEachGpu() {
        UpperBound bound = UpperBound.of(cluster(5, 2, 100_000), pods(20, 100, share(600)));
        assertThat(bound.gpuMillis()).isCloseTo(6_000, ROUNDING);
        assertThat(bound.percent()).isCloseTo(60, within(0.01));
        assertThat(bound.askedMillis()).isEqualTo(12_000);
    }

    @Test
    void of_fewPods_isWhatTheyAsk() {
        UpperBound bound = UpperBound.of(cluster(5, 2, 100_000), pods(3, 100, GpuRequest.exclusive(2)));
        assertThat(bound.gpuMillis()).isCloseTo(6_000, ROUNDING);
    }

    @Test
    void of_podsShortOfCpu_isWhatTheCpuServes() {
        UpperBound bound = UpperBound.of(cluster(4, 2, 3_000), pods(20, 2_000, GpuRequest.exclusive(1)));
        assertThat(bound.gpuMillis()).isCloseTo(6_000, ROUNDING);
    }

    @Test
    void of_podsBoundToAModel_isWhatThatModelHas() {
        GpuRequest t4 = GpuRequest.exclusive(1, GpuSelector.models("T4"));
        UpperBound bound = UpperBound.of(cluster(5, 2, 100_000), pods(20, 100, t4));
        assertThat(bound.gpuMillis()).isCloseTo(4_000, ROUNDING);
    }

    @Test
    void of_podsThatFitNowhere_isNothing() {
        UpperBound bound = UpperBound.of(cluster(5, 2, 100_000), pods(20, 100, GpuRequest.exclusive(4)));
        assertThat(bound.gpuMillis()).isZero();
    }

    @Test
    void of_noPod_isRefusedWithAReason() {
        assertThatThrownBy(() -> UpperBound.of(cluster(1, 1, 1), List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one demand");
    }

    @Test
    void of_aBudgetThatEnds_isLooserAndSaysSo() {
        Cluster cluster = cluster(8, 4, 100_000);
        List<Pod> pods = pods(20, 100, share(600));
        UpperBound tight = UpperBound.of(cluster, pods);
        UpperBound loose = UpperBound.of(cluster, pods, SearchBudget.ofSteps(1));
        assertThat(tight.extent()).isEqualTo(Extent.COMPLETE);
        assertThat(loose.extent()).isEqualTo(Extent.BUDGET_ENDED);
        assertThat(loose.gpuMillis()).isGreaterThanOrEqualTo(tight.gpuMillis());
    }

    /** Many distinct demands, so that they are merged; what a scheduler reaches stays below. */
    @Test
    void of_randomWorkloads_isNeverBelowWhatASchedulerReaches() {
        for (int seed = 0; seed < 15; seed++) {
            Random random = new Random(seed);
            Cluster cluster = cluster(2 + random.nextInt(10), 1 + random.nextInt(8), 4_000L * (1 + random.nextInt(8)));
            List<Pod> pods = new ArrayList<>();
            for (int i = 0; i < 150; i++) {
                GpuRequest request = random.nextInt(3) == 0
                        ? GpuRequest.exclusive(1 + random.nextInt(4))
                        : share(1 + random.nextInt(999));
                pods.add(Pod.of("p" + i, Resources.of(random.nextInt(6_000), random.nextInt(20_000)), request));
            }
            UpperBound bound = UpperBound.of(cluster, pods);
            GpuScheduler scheduler = GpuScheduler.of(BestFit.of());
            for (Pod pod : pods) {
                if (scheduler.schedule(cluster, pod) instanceof Placed placed) {
                    cluster = cluster.with(placed.placement());
                }
            }
            assertThat(bound.gpuMillis() + ROUNDING.value)
                    .as("seed %d", seed)
                    .isGreaterThanOrEqualTo(cluster.totals().usedGpuComputeMillis());
        }
    }
}
