package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shares that take memory alone, or nothing but a slot. */
class MemoryShareTest {
    private static Node node(String name, GpuModel model) {
        return Node.builder(name).capacity(8_000, 8_000).gpus(1, model).build();
    }

    private static Pod share(String name, int computeMillis, GpuMemory memory) {
        return Pod.of(name, Resources.NONE, GpuRequest.share(computeMillis, memory));
    }

    private static Cluster place(Cluster cluster, String node, Pod pod) {
        GpuScheduler scheduler = GpuScheduler.create();
        return cluster.with(
                scheduler.place(cluster.node(node).orElseThrow(), pod).orElseThrow());
    }

    @Test
    void percentOfMemory_whereSomeGpusHaveNone_isPackedAlikeByTreeAndByScan() {
        Cluster cluster = Cluster.of(List.of(node("a", Nodes.BIG), node("b", Nodes.UNTRACKED)));
        cluster = place(cluster, "a", share("p", 500, GpuMemory.mib(50)));
        cluster = place(cluster, "b", share("q", 100, GpuMemory.none()));
        Pod pod = share("x", 0, GpuMemory.percent(10));
        String scanned = assertThat(GpuScheduler.builder()
                        .policy(TestPolicies.hiddenBinPack())
                        .memory(0)
                        .build()
                        .schedule(cluster, pod))
                .placement()
                .node();
        assertThat(GpuScheduler.create().schedule(cluster, pod)).isPlacedOn(scanned);
    }

    @Test
    void percentOfMemory_thatRoundsToNothingOnSomeGpus_isPackedAlikeByTreeAndByScan() {
        Cluster cluster = Cluster.of(List.of(node("a", Nodes.BIG), node("b", Nodes.TINY)));
        cluster = place(cluster, "a", share("p", 900, GpuMemory.mib(100)));
        cluster = place(cluster, "b", share("q", 500, GpuMemory.none()));
        Pod pod = share("x", 0, GpuMemory.percent(1));
        String scanned = assertThat(GpuScheduler.builder()
                        .policy(TestPolicies.hiddenBinPack())
                        .memory(0)
                        .build()
                        .schedule(cluster, pod))
                .placement()
                .node();
        assertThat(GpuScheduler.create().schedule(cluster, pod)).isPlacedOn(scanned);
    }

    @Test
    void memoryAlone_findsASharedGpuWhoseMemoryIsOnePercentEmptierThanItsCompute() {
        Cluster cluster = Cluster.of(List.of(node("a", Nodes.BIG)));
        cluster = place(cluster, "a", share("p", 501, GpuMemory.mib(500)));
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.mib(500))))
                .isPlacedOn("a");
    }

    @Test
    void memoryAlone_isPackedByMemory() {
        Cluster cluster = Cluster.of(List.of(node("a", Nodes.BIG), node("b", Nodes.BIG), node("c", Nodes.BIG)));
        cluster = place(cluster, "a", share("p", 900, GpuMemory.mib(100)));
        cluster = place(cluster, "b", share("q", 100, GpuMemory.mib(700)));
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.mib(300))))
                .isPlacedOn("b")
                .withShare(0, 0, 300);
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.mib(301))))
                .isPlacedOn("a");
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.mib(901))))
                .isPlacedOn("c");
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.mib(1_001))))
                .isRefused();
    }

    @Test
    void aSlotAndNothingElse_isPackedByCompute() {
        Cluster cluster = Cluster.of(List.of(node("a", Nodes.BIG), node("b", Nodes.BIG)));
        cluster = place(cluster, "a", share("p", 100, GpuMemory.mib(900)));
        cluster = place(cluster, "b", share("q", 1_000, GpuMemory.mib(100)));
        assertThat(GpuScheduler.create().schedule(cluster, share("x", 0, GpuMemory.none())))
                .isPlacedOn("b")
                .withShare(0, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "30, 24467", "33, 26914", "99, 80743", "100, 81559"})
    void percent_isRoundedDownToWholeMib(int percent, long mib) {
        long capacity = percent == 1 ? 99 : 81_559;
        Cluster cluster = Cluster.of(List.of(node("a", GpuModel.of("nvidia", "A100", capacity))));
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.percent(percent));
        assertThat(GpuScheduler.create().schedule(cluster, pod)).withShare(0, 10 * percent, mib);
    }
}
