package io.gpusched.internal.rank;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScoreHistoryTest {
    /** Three racks of 100 nodes, no two of which are alike. */
    private final Cluster cluster = Cluster.of(IntStream.range(0, 300)
            .mapToObj(i -> Node.builder("n%03d".formatted(i))
                    .capacity(100_000 + i, 100_000)
                    .topology(Topology.of("rack", "r" + i / 100))
                    .gpus(1, Nodes.BIG)
                    .build())
            .toList());

    private final NodeRange first = NodeRange.of(cluster.domains("rack").get(0));
    private final NodeRange last = NodeRange.of(cluster.domains("rack").get(2));
    private final ScoreHistory history = new ScoreHistory(Spread.of(), cluster);

    private static PodDemand demand(int cpuMillis) {
        return new PodDemand(Pod.of("p", Resources.of(cpuMillis, 1), GpuRequest.exclusive(1)));
    }

    private String best(int cpuMillis, NodeRange range) {
        NodeState best = history.best(demand(cpuMillis), range);
        return Objects.requireNonNull(best, "best").name();
    }

    @Test
    void best_ofARange_isOneOfItsNodes_andTheRangeAloneIsRemembered() {
        assertThat(best(100_050, first)).isBetween("n050", "n099");
        assertThat(history.size()).isEqualTo(50);
        assertThat(best(100_250, last)).isBetween("n250", "n299");
        assertThat(history.size()).isEqualTo(50);
        assertThat(history.best(demand(100_100), first)).isNull();
        assertThat(best(100_100, NodeRange.EVERYWHERE)).isBetween("n100", "n299");
        history.forgetRange();
        assertThat(history.size()).isEqualTo(200);
    }

    @Test
    void trimAndForgetOldest_boundWhatIsKeptOfARangeToo() {
        for (int shape = 0; shape < 40; shape++) {
            best(shape, first);
        }
        assertThat(history.size()).isEqualTo(40 * 100);
        history.trim(16);
        assertThat(history.size()).isEqualTo(40 * 16);
        best(1, NodeRange.EVERYWHERE);
        assertThat(history.shapes()).isEqualTo(41);
        for (int shape = 0; shape < 41; shape++) {
            history.forgetOldest();
        }
        assertThat(history.shapes()).isZero();
        assertThat(history.size()).isZero();
    }
}
