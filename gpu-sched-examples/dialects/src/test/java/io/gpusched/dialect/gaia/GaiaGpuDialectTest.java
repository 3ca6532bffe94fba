package io.gpusched.dialect.gaia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GaiaGpuDialectTest {
    private static final GaiaGpuDialect GAIA = GaiaGpuDialect.of();

    private static Node node(String name, int gpus, int blocks) {
        return GAIA.node(NodeManifest.of(
                name, Map.of(), Map.of(GaiaGpuDialect.CORE, "" + 100 * gpus, GaiaGpuDialect.MEMORY, "" + blocks)));
    }

    /** A pod of containers that ask for core and blocks of memory in turn. */
    private static PodManifest pod(String name, int... amounts) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int i = 0; i < amounts.length; i += 2) {
            containers.add(ContainerManifest.limits(
                    "c" + i / 2,
                    Map.of(GaiaGpuDialect.CORE, "" + amounts[i], GaiaGpuDialect.MEMORY, "" + amounts[i + 1])));
        }
        return PodManifest.of(name, containers);
    }

    private static Placement placed(Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(GAIA).schedule(cluster, pod)).placement();
    }

    private static Cluster with(Cluster cluster, PodManifest pod) {
        return cluster.with(placed(cluster, pod));
    }

    @Test
    void node_dividesItsBlocksAmongItsGpus() {
        Node node = node("n", 4, 256);

        assertThat(node.gpus()).hasSize(4).allMatch(gpu -> gpu.memoryMib() == 64 * GaiaGpuDialect.BLOCK_MIB);
    }

    @Test
    void aShare_takesItsCoreAndItsBlocks() {
        Placement placement = placed(Cluster.of(List.of(node("n", 2, 128))), pod("p", 30, 16));

        assertThat(placement.containers().get(0).gpus())
                .isEqualTo(new GpuGrant.Shared(List.of(new GpuShare(0, 300, 16 * 256, 1))));
    }

    @Test
    void shares_goToTheGpuWithTheLeastCoreLeft_thenTheLeastMemory() {
        Cluster cluster = Cluster.of(List.of(node("n", 3, 192)));
        cluster = with(cluster, pod("a", 60, 8));
        cluster = with(cluster, pod("b", 60, 32));

        // gpu 0 and gpu 1 have 40 core left each; gpu 1 has less memory
        assertThat(placed(cluster, pod("p", 20, 4)).gpus()).containsExactly(1);
        // too much memory for both
        assertThat(placed(cluster, pod("p", 20, 60)).gpus()).containsExactly(2);
    }

    @Test
    void theNodeWithTheLeastCoreLeft_isTriedFirst() {
        Cluster cluster = Cluster.of(List.of(node("a", 2, 128), node("b", 2, 128)));
        cluster = cluster.with(placed(Cluster.of(List.of(node("b", 2, 128))), pod("old", 10, 4)));

        assertThat(placed(cluster, pod("p", 100, 0)).node()).isEqualTo("b");
        assertThat(placed(cluster, pod("p", 200, 0)).node()).isEqualTo("a");
    }

    @Test
    void ofNodesWithEqualCore_theOneWithLessMemoryIsTriedFirst() {
        Cluster cluster = Cluster.of(List.of(node("a", 2, 128), node("b", 2, 64)));

        assertThat(placed(cluster, pod("p", 20, 4)).node()).isEqualTo("b");
    }

    @Test
    void wholeGpus_takeAllOfTheirMemoryWhateverWasAsked() {
        Cluster cluster = with(Cluster.of(List.of(node("n", 2, 128))), pod("p", 100, 1));

        assertThat(cluster.node(0).freeMemoryMib(0)).isZero();
        assertThat(cluster.node(0).freeMemoryMib(1)).isEqualTo(64 * 256);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30  | 0  | a share needs both tencent.com/vcuda-core and tencent.com/vcuda-memory, got 30 and 0
            0   | 4  | a share needs both tencent.com/vcuda-core and tencent.com/vcuda-memory, got 0 and 4
            150 | 4  | tencent.com/vcuda-core must be below 100 or a multiple of 100, got 150
            6500 | 4 | tencent.com/vcuda-core must be in 100..6400, got 6500
            10 | 1048576 | tencent.com/vcuda-memory must be at most 268435455 MiB, got 268435456
            """)
    void whatNoGpuCanGive_isRefusedWithTheRule(int core, int blocks, String rule) {
        assertThatThrownBy(() -> GAIA.pod(pod("p", core, blocks)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("container \"c0\"")
                .hasMessageContaining(rule);
    }

    @Test
    void write_namesTheNodeAndTheGpusByPositionOfTheContainer() {
        Cluster cluster = Cluster.of(List.of(node("n", 4, 256)));
        PodManifest pod = pod("p", 200, 0, 0, 0, 30, 8);
        Placement placement = placed(cluster, pod);

        assertThat(GAIA.write(pod, node("n", 4, 256), placement).annotations())
                .isEqualTo(Map.of(
                        "tencent.com/predicate-node", "n",
                        "tencent.com/gpu-assigned", "false",
                        "tencent.com/predicate-gpu-idx-0", "0,1",
                        "tencent.com/predicate-gpu-idx-2", "2"));
    }
}
