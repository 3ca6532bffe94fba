package io.gpusched.simulator.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.pages.MapRow;
import io.gpusched.simulator.trace.TracePod;
import io.gpusched.simulator.trace.Workload;
import java.util.List;
import org.junit.jupiter.api.Test;

class MapRowTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 40_960);

    private static Node node(String name, String model, int gpus) {
        return Node.builder(name)
                .mode(NodeMode.MIXED)
                .capacity(64_000, 65_536)
                .gpus(gpus, GpuModel.of("nvidia", model, 0))
                .build();
    }

    private static TracePod pod(String name, int gpus, int gpuMillis) {
        return TracePod.of(name, Resources.of(1_000, 1_024), gpus, gpuMillis, "");
    }

    private static List<MapRow> rows(Cluster cluster, WasteMeter meter) {
        return MapRow.fullestFirst(cluster, node -> meter.mainCause(node).key());
    }

    @Test
    void rows_areKindsOfNodesTheLargestFirst() {
        Workload workload = new Workload(
                "w",
                List.of(node("a", "T4", 2), node("b", "G2", 8), node("c", "T4", 2), node("d", "G2", 8)),
                List.of(pod("p", 1, 500)));
        List<MapRow> rows = rows(Cluster.of(workload.nodes()), WasteMeter.of(workload.pods()));
        assertThat(rows)
                .extracting(MapRow::label)
                .containsExactly("8 × G2, 64 cores, 64 GiB", "2 × T4, 64 cores, 64 GiB");
        assertThat(rows.get(1).nodes()).extracting(MapRow.MapNode::name).containsExactly("a", "c");
    }

    @Test
    void cells_tellSharesWholeGpusAndUnhealthyOnes() {
        Node oneBroken = node("odd", "T4", 4).withGpuHealth(3, false);
        Workload workload =
                new Workload("w", List.of(oneBroken), List.of(pod("share", 1, 300), pod("whole", 1, 1_000)));
        MapRow.MapNode node = rows(Clusters.filled(workload, workload.pods()), WasteMeter.of(workload.pods()))
                .get(0)
                .nodes()
                .get(0);
        assertThat(node.gpus()).containsExactlyInAnyOrder(300, MapRow.WHOLE, 0, MapRow.UNHEALTHY);
        assertThat(node.gpus().get(3)).isEqualTo(MapRow.UNHEALTHY);
        assertThat(node.cpu()).isEqualTo(62);
        assertThat(node.memory()).isEqualTo(62);
        assertThat(node.cause()).isEmpty();
    }

    @Test
    void cells_tellWhereThePartitionsOfAGpuLie() {
        Node node = Node.builder("cut")
                .gpu(Gpu.of(0, "a", A100).withPartitions(MigGeometry.A100_40GB.geometry()))
                .gpu(Gpu.of(1, "b", A100).withPartitions(MigGeometry.A100_40GB.geometry()))
                .build();
        Placement held = new Placement(
                PodId.of("p"),
                "cut",
                Resources.NONE,
                List.of(ContainerGrant.of(
                        "main",
                        new GpuGrant.Partitions(
                                List.of(GpuPartition.of(1, "1g.5gb", 2), GpuPartition.of(1, "3g.20gb", 4))))));
        WasteMeter meter = WasteMeter.of(List.of(pod("typical", 1, 500)));
        Cluster cluster = Cluster.of(List.of(node));
        assertThat(rows(cluster, meter).get(0).nodes().get(0).slices()).isEmpty();
        assertThat(rows(cluster.with(held), meter).get(0).nodes().get(0).slices())
                .containsExactly(
                        List.of(),
                        List.of(new MapRow.Slice("1g.5gb", 250, 375), new MapRow.Slice("3g.20gb", 500, 1_000)));
    }

    @Test
    void nodes_standFromTheFullestAndSayWhatIsMissing() {
        Workload workload =
                new Workload("w", List.of(node("a", "T4", 1), node("b", "T4", 1)), List.of(pod("big", 2, 1_000)));
        Cluster cluster = Clusters.filled(workload, List.of(pod("x", 1, 900)));
        List<MapRow.MapNode> nodes =
                rows(cluster, WasteMeter.of(workload.pods())).get(0).nodes();
        assertThat(nodes.get(0).gpus()).containsExactly(900);
        assertThat(nodes.get(1).gpus()).containsExactly(0);
        assertThat(nodes).extracting(MapRow.MapNode::cause).containsExactly("gpus", "gpus");
    }
}
