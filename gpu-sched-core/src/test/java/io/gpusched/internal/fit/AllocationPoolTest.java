package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Allocation;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Equal allocations are one object, and never what another pod is given. */
class AllocationPoolTest {
    private final AllocationPool pool = new AllocationPool();

    private static NodeState node(int gpus, GpuModel model) {
        Node node = Node.builder("n").capacity(4_000, 8_000).gpus(gpus, model).build();
        return Cluster.of(List.of(node)).node(0);
    }

    private static Container container(String name, GpuRequest gpu) {
        return Container.of(name, Resources.of(1_000, 1_000), gpu);
    }

    private GpuGrant only(Container container, NodeState node, long gpus) {
        List<ContainerGrant> grants =
                pool.only(container.resources(), container, node, gpus).containers();
        assertThat(grants).hasSize(1);
        assertThat(grants.get(0).container()).isEqualTo(container.name());
        return grants.get(0).gpus();
    }

    @Test
    void equalContainersOnTheSameGpus_getOneObject() {
        Allocation first = two(Resources.of(1_000, 1_000), node(4, Nodes.BIG));
        assertThat(two(Resources.of(1_000, 1_000), node(4, Nodes.SMALL))).isSameAs(first);
        assertThat(first.containers().get(0).gpus()).isEqualTo(new GpuGrant.Whole(List.of(1, 2)));
    }

    private Allocation two(Resources resources, NodeState node) {
        return pool.only(resources, container("main", GpuRequest.exclusive(2)), node, 0b110);
    }

    @Test
    void podsWithAnOverheadOfTheirOwn_holdIt() {
        NodeState node = node(4, Nodes.BIG);
        assertThat(two(Resources.of(1_000, 1_000), node).resources()).isEqualTo(Resources.of(1_000, 1_000));
        assertThat(two(Resources.of(1_500, 1_000), node).resources()).isEqualTo(Resources.of(1_500, 1_000));
    }

    @Test
    void otherGpusOrNamesOrSizes_getGrantsOfTheirOwn() {
        Container main = container("main", GpuRequest.exclusive(1));
        assertThat(only(main, node(4, Nodes.BIG), 0b001)).isEqualTo(new GpuGrant.Whole(List.of(0)));
        assertThat(only(main, node(4, Nodes.BIG), 0b100)).isEqualTo(new GpuGrant.Whole(List.of(2)));
        assertThat(only(container("other", GpuRequest.exclusive(1)), node(4, Nodes.BIG), 0b001))
                .isEqualTo(new GpuGrant.Whole(List.of(0)));
        Container whole = container("main", GpuRequest.wholeNode());
        assertThat(only(whole, node(4, Nodes.BIG), 0)).isEqualTo(new GpuGrant.WholeNode(4));
        assertThat(only(whole, node(2, Nodes.BIG), 0)).isEqualTo(new GpuGrant.WholeNode(2));
    }

    @Test
    void aPercentOfGpusOfDifferentMemory_isDifferentMemory() {
        Container part = container("main", GpuRequest.percent(50));
        assertThat(only(part, node(1, Nodes.BIG), 1))
                .isEqualTo(new GpuGrant.Shared(List.of(new GpuShare(0, 500, 500, 1))));
        assertThat(only(part, node(1, Nodes.SMALL), 1))
                .isEqualTo(new GpuGrant.Shared(List.of(new GpuShare(0, 500, 166, 1))));
    }

    @Test
    void manyKindsOfGrants_areAllRight() {
        NodeState node = node(8, Nodes.BIG);
        for (int round = 0; round < 2; round++) {
            for (int percent = 1; percent <= 100; percent++) {
                Container part = container("c" + percent % 7, GpuRequest.percent(percent));
                for (int gpu = 0; gpu < 8; gpu++) {
                    assertThat(only(part, node, 1L << gpu))
                            .isEqualTo(new GpuGrant.Shared(List.of(new GpuShare(gpu, 10 * percent, 10L * percent, 1))));
                }
            }
        }
    }
}
