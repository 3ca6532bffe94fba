package io.gpusched.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Resources;
import io.gpusched.simulator.trace.GeneratedWorkload;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class WasteMeterTest {
    private static Node.Builder node(long cpuMillis, long memoryMib, int gpus) {
        return Node.builder("n")
                .mode(NodeMode.MIXED)
                .capacity(cpuMillis, memoryMib)
                .gpus(gpus, GpuModel.of("nvidia", "T4", 0));
    }

    private static TracePod pod(long cpuMillis, long memoryMib, int gpus, int gpuMillis, String spec) {
        return TracePod.of("p", Resources.of(cpuMillis, memoryMib), gpus, gpuMillis, spec);
    }

    private static Waste waste(Node.Builder node, TracePod... pods) {
        return WasteMeter.of(Arrays.asList(pods)).of(Cluster.of(List.of(node.build())));
    }

    @Test
    void compute_thatAPodCanUseIsUsable() {
        assertThat(waste(node(1_000, 100, 2), pod(1_000, 100, 1, 1_000, ""))).isEqualTo(new Waste(2, 0, 0, 0, 0, 0));
    }

    @Test
    void compute_isWastedByTheFirstThingThatIsMissing() {
        assertThat(waste(node(999, 100, 2), pod(1_000, 100, 1, 1_000, ""))).isEqualTo(new Waste(0, 0, 0, 0, 2, 0));
        assertThat(waste(node(1_000, 99, 2), pod(1_000, 100, 1, 1_000, ""))).isEqualTo(new Waste(0, 0, 0, 0, 0, 2));
        assertThat(waste(node(999, 99, 2), pod(1_000, 100, 4, 1_000, ""))).isEqualTo(new Waste(0, 0, 0, 2, 0, 0));
        assertThat(waste(node(999, 99, 2), pod(1_000, 100, 4, 1_000, "G2|G3"))).isEqualTo(new Waste(0, 0, 2, 0, 0, 0));
        assertThat(waste(node(999, 99, 2).cordoned(true), pod(1_000, 100, 4, 1_000, "G2")))
                .isEqualTo(new Waste(0, 2, 0, 0, 0, 0));
    }

    @Test
    void shapes_areWeighedByHowManyPodsHaveThem() {
        TracePod fits = pod(1_000, 100, 1, 500, "");
        TracePod lacksCpu = pod(2_000, 100, 1, 500, "");
        assertThat(waste(node(1_000, 100, 4), fits, lacksCpu, lacksCpu, lacksCpu))
                .isEqualTo(new Waste(1, 0, 0, 0, 3, 0));
    }

    @Test
    void memory_isTheMedianOfTheShape() {
        TracePod small = pod(1_000, 10, 1, 500, "");
        TracePod large = pod(1_000, 1_000, 1, 500, "");
        assertThat(waste(node(1_000, 100, 1), small, small, large).memory()).isZero();
        assertThat(waste(node(1_000, 100, 1), small, large, large).memory()).isEqualTo(1);
    }

    @Test
    void podsWithoutGpus_wasteNothing() {
        assertThat(waste(node(1_000, 100, 3), pod(9_000, 100, 0, 0, ""))).isEqualTo(new Waste(3, 0, 0, 0, 0, 0));
    }

    @Test
    void restOfAGpu_thatIsTooSmallCountsAsTooFewGpus() {
        Workload workload = new Workload(
                "w", List.of(node(9_000, 900, 1).build()), List.of(pod(1_000, 100, 1, 600, ""), pod(1, 1, 1, 600, "")));
        Cluster cluster = Clusters.filled(workload, workload.pods().subList(0, 1));
        assertThat(WasteMeter.of(workload.pods()).of(cluster).gpus()).isEqualTo(0.4);
    }

    @Test
    void parts_addUpToAllThatIsIdle() {
        Workload workload = GeneratedWorkload.of(1, 0.02, 1);
        WasteMeter meter = WasteMeter.of(workload.pods());
        List<TracePod> placed = new ArrayList<>();
        for (TracePod pod : workload.pods()) {
            placed.add(pod);
            if (placed.size() % 40 == 0) {
                Cluster cluster = Clusters.filled(workload, placed);
                Waste waste = meter.of(cluster);
                double idle = cluster.nodes().stream()
                                .mapToLong(it -> it.freeComputeMillis())
                                .sum()
                        / 1_000.0;
                assertThat(waste.usable() + waste.model() + waste.gpus() + waste.cpu() + waste.memory())
                        .isCloseTo(idle, within(1e-6));
            }
        }
    }

    @Test
    void mainCause_isEmptyWhereAPodFits() {
        WasteMeter meter = WasteMeter.of(List.of(pod(1_000, 100, 1, 500, ""), pod(9_000, 100, 1, 500, "")));
        assertThat(meter.mainCause(state(node(1_000, 100, 1)))).isEqualTo(WasteMeter.Part.USABLE);
        assertThat(meter.mainCause(state(node(999, 100, 1)))).isEqualTo(WasteMeter.Part.CPU);
        assertThat(WasteMeter.Part.USABLE.key()).isEmpty();
    }

    private static io.gpusched.model.NodeState state(Node.Builder node) {
        return Cluster.of(List.of(node.build())).node("n").orElseThrow();
    }
}
