package io.gpusched.dialect.aliyun;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.aliyun.AliyunGpuShareDialect.Unit;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AliyunGpuShareDialectTest {
    private static final AliyunGpuShareDialect GIB = AliyunGpuShareDialect.of(Unit.GIB);

    private static NodeManifest manifest(String name, int memory, int count) {
        return NodeManifest.of(
                name,
                Map.of(),
                Map.of(AliyunGpuShareDialect.MEMORY, "" + memory, AliyunGpuShareDialect.COUNT, "" + count));
    }

    private static PodManifest pod(String name, int... memory) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int units : memory) {
            containers.add(ContainerManifest.limits(
                    "c" + containers.size(), Map.of(AliyunGpuShareDialect.MEMORY, Integer.toString(units))));
        }
        return PodManifest.of(name, containers);
    }

    private static Placement placed(Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(GIB).schedule(cluster, pod)).placement();
    }

    @ParameterizedTest
    @CsvSource({"GIB, 30, 2, 15360", "GIB, 31, 2, 15360", "MIB, 32768, 2, 16384", "GIB, 16, 1, 16384"})
    void node_dividesItsMemoryByTheNumberOfGpus_roundedDown(Unit unit, int memory, int count, long each) {
        Node node = AliyunGpuShareDialect.of(unit).node(manifest("n", memory, count));

        assertThat(node.gpus()).hasSize(count).allMatch(gpu -> gpu.memoryMib() == each);
    }

    @Test
    void node_withoutGpus_hasNone() {
        assertThat(GIB.node(NodeManifest.of("n", Map.of(), Map.of())).gpus()).isEmpty();
    }

    @Test
    void theFullestGpuThatFits_isTaken_lowestIndexOnATie() {
        Cluster cluster = Cluster.of(List.of(GIB.node(manifest("n", 30, 3))));
        assertThat(placed(cluster, pod("a", 4)).gpus()).containsExactly(0);

        cluster = cluster.with(placed(cluster, pod("a", 4)));
        assertThat(placed(cluster, pod("b", 6)).gpus()).containsExactly(0);
        assertThat(placed(cluster, pod("b", 7)).gpus()).containsExactly(1);
    }

    @Test
    void thePodsMemory_isTheSumOfItsContainers_onOneGpu() {
        Cluster cluster = Cluster.of(List.of(GIB.node(manifest("n", 20, 2))));

        assertThat(placed(cluster, pod("fits", 6, 4)).gpus()).hasSize(1);
        assertThat(DialectScheduler.of(GIB).schedule(cluster, pod("large", 6, 5)))
                .isInstanceOf(Unschedulable.class);
    }

    @Test
    void initContainers_doNotCount() {
        ContainerManifest init = new ContainerManifest(
                "init", ContainerKind.INIT, Map.of(), Map.of(AliyunGpuShareDialect.MEMORY, "100"));
        ContainerManifest main = ContainerManifest.limits("main", Map.of(AliyunGpuShareDialect.MEMORY, "4"));
        Cluster cluster = Cluster.of(List.of(GIB.node(manifest("n", 10, 1))));

        assertThat(placed(cluster, PodManifest.of("p", List.of(init, main))).gpus())
                .containsExactly(0);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            0      | aliyun.com/gpu-mem must be at least 1, got 0
            262144 | aliyun.com/gpu-mem must be in 1..262143, got 262144
            """)
    void memoryOutOfRange_isRefusedWithTheRange(int memory, String rule) {
        assertThatThrownBy(() -> GIB.pod(pod("p", memory)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("p\"")
                .hasMessageContaining(rule);
    }

    @Test
    void unhealthyGpus_areThoseThatTheListNames() {
        Node node = AliyunGpuShareDialect.withUnhealthy(GIB.node(manifest("n", 40, 4)), "0, 2,");

        assertThat(node.gpus().stream().map(gpu -> gpu.healthy()).toList()).containsExactly(false, true, false, true);
        assertThatThrownBy(() -> AliyunGpuShareDialect.withUnhealthy(node, "4"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4");
    }

    @Test
    void write_givesEachContainerItsOwnAmount_andNothingToOthers() {
        Node node = GIB.node(manifest("n", 20, 2));
        PodManifest pod = new PodManifest(
                PodId.of("p"),
                Map.of(AliyunGpuShareDialect.CGPU_DISABLE, "true"),
                Map.of(),
                List.of(
                        ContainerManifest.limits("a", Map.of(AliyunGpuShareDialect.MEMORY, "3")),
                        ContainerManifest.limits("b", Map.of()),
                        ContainerManifest.limits("c", Map.of(AliyunGpuShareDialect.MEMORY, "2"))),
                NodeSelector.ANY,
                List.of());
        BindingMetadata metadata = GIB.write(pod, node, placed(Cluster.of(List.of(node)), pod));

        assertThat(metadata.environment()).containsOnlyKeys("a", "c");
        assertThat(metadata.environment().get("a"))
                .isEqualTo(Map.of(
                        "NVIDIA_VISIBLE_DEVICES", "0",
                        "ALIYUN_COM_GPU_MEM_IDX", "0",
                        "ALIYUN_COM_GPU_MEM_POD", "5",
                        "ALIYUN_COM_GPU_MEM_CONTAINER", "3",
                        "ALIYUN_COM_GPU_MEM_DEV", "10",
                        "CGPU_DISABLE", "true"));
    }

    @Test
    void write_ofAPodWithoutGpuMemory_isNothing() {
        Node node = GIB.node(manifest("n", 20, 2));
        PodManifest pod = PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of())));

        assertThat(GIB.write(pod, node, placed(Cluster.of(List.of(node)), pod))).isEqualTo(BindingMetadata.NOTHING);
    }

    @Test
    void refusal_tellsNodesWithoutGpusApart() {
        Cluster cluster = Cluster.of(
                List.of(GIB.node(manifest("gpus", 20, 2)), GIB.node(NodeManifest.of("plain", Map.of(), Map.of()))));

        assertThat(DialectScheduler.of(GIB).refusals(cluster, pod("p", 11)))
                .isEqualTo(Map.of(
                        "gpus", "Insufficient GPU Memory in one device",
                        "plain", "The node plain is not for GPU share, need skip"));
    }
}
