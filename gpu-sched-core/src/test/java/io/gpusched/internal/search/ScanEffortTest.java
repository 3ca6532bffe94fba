package io.gpusched.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ScanEffortTest {
    private static final PodDemand SHARE = demand(GpuRequest.percent(10));
    private static final PodDemand PARTITION = demand(GpuRequest.partition("1g.5gb", 1));

    private final Cluster cluster = Cluster.of(IntStream.range(0, 150)
            .mapToObj(i -> Node.builder("n%03d".formatted(i))
                    .capacity(1_000, 1_000)
                    .topology(Topology.of("rack", i < 100 ? "large" : i < 116 ? "middle" : "small"))
                    .gpus(1, Nodes.BIG)
                    .build())
            .toList());
    private final List<NodeRange> racks =
            cluster.domains("rack").stream().map(NodeRange::of).toList();
    private final ScanEffort effort = new ScanEffort();

    private static PodDemand demand(GpuRequest request) {
        return new PodDemand(Pod.of("p", Resources.NONE, request));
    }

    @Test
    void left_ofARange_isTheNumberOfItsNodesLessThoseComparedThere() {
        assertThat(effort.left(cluster, racks.get(0), SHARE)).isEqualTo(100);
        effort.add(racks.get(0), SHARE, 60);
        assertThat(effort.left(cluster, racks.get(0), SHARE)).isEqualTo(40);
        effort.add(racks.get(0), SHARE, 60);
        assertThat(effort.left(cluster, racks.get(0), SHARE)).isZero();
    }

    @Test
    void left_ofAnotherRange_beginsAnew() {
        effort.add(racks.get(0), SHARE, 60);
        assertThat(effort.left(cluster, racks.get(2), SHARE)).isEqualTo(34);
        effort.add(racks.get(2), SHARE, 1);
        assertThat(effort.left(cluster, racks.get(0), SHARE)).isEqualTo(100);
        effort.forget();
        assertThat(effort.left(cluster, racks.get(2), SHARE)).isEqualTo(34);
    }

    @Test
    void left_forPartitions_isASixteenth() {
        assertThat(effort.left(cluster, racks.get(0), PARTITION)).isEqualTo(6);
        effort.add(racks.get(0), PARTITION, 2);
        assertThat(effort.left(cluster, racks.get(0), SHARE)).isEqualTo(68);
        assertThat(effort.left(cluster, racks.get(0), PARTITION)).isEqualTo(4);
    }

    @Test
    void left_ofFewNodes_neverEnds() {
        effort.add(racks.get(1), SHARE, 1_000);
        assertThat(effort.left(cluster, racks.get(1), SHARE)).isEqualTo(Long.MAX_VALUE);
    }
}
