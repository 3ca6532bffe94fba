package io.gpusched.simulator.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SoakRunTest {
    static List<PlacementPolicy> policies() {
        return List.of(BinPack.of(), Spread.of(), RandomFit.of(7));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aSmallCluster_livesThroughEveryKindOfOperation_asItsModelDoes(PlacementPolicy policy) {
        SoakRun run = new SoakRun(11, 40, policy);
        run.steps(10_000);
        assertThat(run.done()).containsOnlyKeys(SoakRun.Operation.values());
    }

    @Test
    void theSameSeed_makesTheSameOperations() {
        SoakRun one = new SoakRun(5, 20, BinPack.of());
        SoakRun other = new SoakRun(5, 20, BinPack.of());
        one.steps(1_000);
        other.steps(1_000);
        assertThat(one.done()).isEqualTo(other.done());
    }

    @Test
    void aModelNode_tellsOfWhatIsTakenTwice() {
        Node node = Node.builder("n")
                .capacity(Resources.of(1_000, 1_000).with("rdma/hca", 2))
                .build();
        PlainNode plain = new PlainNode(node);
        Pod pod = Pod.builder("p")
                .container("main", Resources.of(500, 500).with("rdma/hca", 2), GpuRequest.none())
                .build();
        Cluster cluster = Cluster.of(List.of(node));
        plain.place(((Placed) GpuScheduler.create().schedule(cluster, pod)).placement());
        assertThat(plain.free("rdma/hca")).isZero();
        assertThat(plain.hasFree(pod.resources().named())).isFalse();
        assertThat(plain.isWithinBounds()).isTrue();
        plain.change(Node.builder("n")
                .capacity(Resources.of(1_000, 1_000).with("rdma/hca", 1))
                .build());
        assertThat(plain.isWithinBounds()).isFalse();
        plain.change(Node.builder("n").capacity(400, 1_000).build());
        assertThat(plain.isWithinBounds()).isFalse();
        assertThat(plain.hasWhole(1)).isFalse();
        assertThatThrownBy(() -> plain.release(io.gpusched.model.PodId.of("absent")))
                .isInstanceOf(NullPointerException.class);
    }
}
