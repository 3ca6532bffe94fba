package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;
import static io.gpusched.testkit.GpuAssertions.assertThatThrownBy;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** A scheduler that is asked for a decision while it makes another, as by a second thread. */
class SharedSchedulerTest {
    private static final Cluster CLUSTER = Cluster.of(List.of(Node.builder("n1")
            .capacity(Resources.cores(8).gib(64))
            .gpus(2, GpuModel.ofGib("nvidia", "A100", 80))
            .build()));
    private static final Pod POD = Pod.of("a", Resources.cores(1).gib(1), GpuRequest.percent(10));

    /** Asks again while it scores. */
    private static final class Asking implements PlacementPolicy {
        private final BiConsumer<GpuScheduler, NodeState> ask;
        private final List<GpuScheduler> scheduler = new ArrayList<>();

        private Asking(BiConsumer<GpuScheduler, NodeState> ask) {
            this.ask = ask;
        }

        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            scheduler.forEach(one -> ask.accept(one, before));
            return 0;
        }
    }

    @Test
    void aSecondDecisionAtTheSameTime_isRefused_andTheNextOneIsMade() {
        Pod other = Pod.of("b", Resources.NONE, GpuRequest.percent(20));
        List<BiConsumer<GpuScheduler, NodeState>> questions = List.of(
                (scheduler, node) -> scheduler.schedule(CLUSTER, other),
                (scheduler, node) -> scheduler.schedule(CLUSTER, PodGroup.of("g", List.of(other))),
                (scheduler, node) -> scheduler.whyHere(CLUSTER, other, 1),
                (scheduler, node) -> scheduler.place(node, other));
        for (BiConsumer<GpuScheduler, NodeState> question : questions) {
            Asking policy = new Asking(question);
            GpuScheduler scheduler = GpuScheduler.of(policy);
            policy.scheduler.add(scheduler);
            assertThatThrownBy(() -> scheduler.schedule(CLUSTER, POD))
                    .isInstanceOf(ConcurrentModificationException.class)
                    .hasMessageEndingWith("Maybe two threads share the scheduler: take one for each.");
            policy.scheduler.clear();
            assertThat(scheduler.schedule(CLUSTER, POD)).isPlacedOn("n1");
        }
    }

    @Test
    void amountsInCoresAndGib_areThoseInMillisAndMib() {
        assertThat(CLUSTER.node(0).capacity()).isEqualTo(Resources.of(8_000, 65_536));
        assertThat(GpuModel.ofGib("nvidia", "A100", 80)).isEqualTo(GpuModel.of("nvidia", "A100", 81_920));
        assertThat(Resources.of(1, 2).with("rdma/hca", 1).gib(3))
                .isEqualTo(Resources.of(1, 3_072).with("rdma/hca", 1));
        assertThatThrownBy(() -> Resources.cores(-1)).hasMessageContaining("cores must be in 0..1000000000, got -1");
        assertThatThrownBy(() -> GpuModel.ofGib("nvidia", "A100", 1L << 40))
                .hasMessageContaining("gpu model \"A100\": memoryGib must be in 0..");
    }
}
