package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class WholeNodeTest {
    private static final GpuRequest ON_ONE_NUMA_NODE =
            new GpuRequest.WholeNode(GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE)));

    private static Node node(String name, int... numaNodes) {
        Node.Builder builder = Node.builder(name).capacity(8_000, 8_000);
        for (int i = 0; i < numaNodes.length; i++) {
            builder.gpu(Gpu.of(i, name + "-gpu-" + i, Nodes.BIG).withNumaNode(numaNodes[i]));
        }
        return builder.build();
    }

    @Test
    void wholeNode_onOneNumaNode_passesByNodesWithTwo() {
        Cluster cluster = Cluster.of(List.of(node("a", 0, 1), node("b", 1, 1, 1)));
        Pod pod = Pod.of("p", Resources.NONE, ON_ONE_NUMA_NODE);
        assertThat(GpuScheduler.create().schedule(cluster, pod)).isPlacedOn("b").usingGpus(0, 1, 2);
        assertThat(GpuScheduler.builder()
                        .policy(TestPolicies.hiddenBinPack())
                        .memory(0)
                        .build()
                        .schedule(cluster, pod))
                .isPlacedOn("b");
    }

    @Test
    void wholeNode_takesTheSmallestNodeOnWhichNothingRuns() {
        Cluster cluster = Cluster.of(List.of(node("a", 0, 0, 0), node("b", 0, 0), node("c", 0)));
        GpuScheduler scheduler = GpuScheduler.create();
        cluster = cluster.with(assertThat(scheduler.schedule(cluster, Pod.of("cpu", Resources.NONE, GpuRequest.none())))
                .isPlacedOn("c")
                .placement());
        Pod whole = Pod.of("whole", Resources.of(1, 1), GpuRequest.wholeNode());
        cluster = cluster.with(assertThat(scheduler.schedule(cluster, whole))
                .isPlacedOn("b")
                .usingGpus(0, 1)
                .placement());
        assertThat(cluster.node("b").orElseThrow().freeCpuMillis()).isZero();
        assertThat(cluster.node("b").orElseThrow().freeMemoryMib()).isZero();
        Pod small = Pod.of("small", Resources.NONE, GpuRequest.none());
        assertThat(scheduler.schedule(cluster, small)).isPlacedOn("c");
        cluster = cluster.with(assertThat(scheduler.schedule(cluster, whole.withId(small.id())))
                .isPlacedOn("a")
                .placement());
        assertThat(scheduler.schedule(cluster, Pod.of("third", Resources.NONE, GpuRequest.wholeNode())))
                .isRefused();
        assertThat(cluster.without(whole.id()).node("b").orElseThrow().idleGpus())
                .isEqualTo(2);
    }

    @Test
    void wholeNode_ofANodeWithoutGpus_isRefused() {
        Cluster cluster = Cluster.of(List.of(node("a")));
        assertThat(GpuScheduler.create().schedule(cluster, Pod.of("p", Resources.NONE, GpuRequest.wholeNode())))
                .isRefused();
    }

    @Test
    void wholeNode_withAnUnhealthyGpu_isRefusedUntilItIsWell() {
        Cluster healthy = Cluster.of(List.of(node("a", 0, 0)));
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.wholeNode());
        GpuScheduler scheduler = GpuScheduler.create();
        assertThat(scheduler.schedule(healthy.withGpuHealth("a", 1, false), pod))
                .isRefused();
        assertThat(scheduler.schedule(healthy, pod)).isPlacedOn("a");
    }
}
