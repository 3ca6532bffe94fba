package io.gpusched.schedule;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** CPU and memory beyond 31 bits are compared exactly. */
class GreatAmountsTest {
    private static final Cluster CLUSTER = Cluster.of(List.of(node("a", 2_147_483_648L), node("b", 2_147_483_650L)));

    private static Node node(String name, long amount) {
        return Node.builder(name).capacity(amount, amount).build();
    }

    @Test
    void schedule_morePodMemoryThan31Bits_takesTheNodeThatHasAsMuch() {
        assertThat(GpuScheduler.create()
                        .schedule(CLUSTER, Pod.of("p", Resources.of(1, 2_147_483_649L), GpuRequest.none())))
                .isPlacedOn("b");
        assertThat(GpuScheduler.create()
                        .schedule(CLUSTER, Pod.of("p", Resources.of(2_147_483_649L, 1), GpuRequest.none())))
                .isPlacedOn("b");
    }

    @Test
    void schedule_oneMoreThanAnyNodeHas_isRefused() {
        Pod pod = Pod.of("p", Resources.of(1, 2_147_483_651L), GpuRequest.none());
        org.assertj.core.api.Assertions.assertThat(
                        GpuScheduler.create().schedule(CLUSTER, pod).isPlaced())
                .isFalse();
        org.assertj.core.api.Assertions.assertThat(
                        GpuScheduler.create().schedule(CLUSTER, pod).certainty())
                .isEqualTo(Certainty.PROVEN);
    }
}
