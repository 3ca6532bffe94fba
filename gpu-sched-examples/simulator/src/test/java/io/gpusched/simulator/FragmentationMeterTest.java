package io.gpusched.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class FragmentationMeterTest {
    private static final Node NODE = Node.builder("n")
            .capacity(10_000, 1_000)
            .gpus(2, GpuModel.of("nvidia", "T4", 0))
            .build();

    private static long fragments(String gpuSpec, int gpus, int millis, long cpuMillis) {
        TracePod pod = TracePod.of("p", Resources.of(cpuMillis, 1), gpus, millis, gpuSpec);
        NodeState node = Cluster.of(List.of(NODE)).node(0);
        return new FragmentationMeter(TypicalMix.of(List.of(pod))).weighed(node);
    }

    @Test
    void idleGpu_isNoFragmentToAPodThatFits() {
        assertThat(fragments("", 1, 500, 1_000)).isZero();
        assertThat(fragments("T4|G2", 2, 1_000, 10_000)).isZero();
    }

    @Test
    void idleGpu_isAFragmentToAPodThatDoesNotFit() {
        assertThat(fragments("", 1, 500, 10_001)).as("too little CPU").isEqualTo(2_000);
        assertThat(fragments("", 4, 1_000, 1)).as("too few GPUs").isEqualTo(2_000);
        assertThat(fragments("G2", 1, 500, 1)).as("another model").isEqualTo(2_000);
    }

    @Test
    void idleGpu_isAFragmentToAPodWithoutGpu() {
        assertThat(fragments("", 0, 0, 1)).isEqualTo(2_000);
    }

    @Test
    void leftovers_areFragmentsToAPodThatAsksForMoreOfOneGpu() {
        Cluster cluster = Cluster.of(List.of(NODE));
        TracePod tenant = TracePod.of("tenant", Resources.of(1, 1), 1, 700, "");
        cluster = cluster.with(
                SchedulerPlacer.of(BinPack.of()).place(cluster, tenant).orElseThrow());
        TracePod typical = TracePod.of("p", Resources.of(1, 1), 1, 500, "");
        assertThat(new FragmentationMeter(TypicalMix.of(List.of(typical))).weighed(cluster.node(0)))
                .isEqualTo(300);
    }

    @Test
    void runningSum_equalsTheSumOverTheClusterAtTheEnd() {
        Workload workload = GeneratedWorkload.of(3, 0.02, 1);
        TypicalMix mix = TypicalMix.of(workload.pods());
        RunResult result = Run.play(
                workload,
                "bin-pack",
                ArrivalSequence.shuffled(workload, 1, 1.3),
                mix,
                SchedulerPlacer.of(BinPack.of()),
                RunListener.NONE);
        FragmentationMeter meter = new FragmentationMeter(mix);
        double percent = 100.0 * meter.weighed(result.end().nodes()) / meter.weight() / workload.gpuMillis();
        CurvePoint last = result.at(130);
        assertThat(last.fragPercent()).isCloseTo(percent, org.assertj.core.api.Assertions.within(1.0));
        assertThat(last.placed()).isEqualTo(result.end().totals().pods());
    }
}
