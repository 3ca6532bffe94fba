package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Equal grants are one object, and never the grant of something else. */
class GrantPoolTest {
    private final GrantPool pool = new GrantPool();

    private static NodeState node(int gpus, GpuModel model) {
        Node node = Node.builder("n").capacity(4_000, 8_000).gpus(gpus, model).build();
        return Cluster.of(List.of(node)).node(0);
    }

    private static Container container(String name, GpuRequest gpu) {
        return Container.of(name, Resources.of(1_000, 1_000), gpu);
    }

    private GpuGrant only(Container container, NodeState node, long gpus) {
        List<ContainerGrant> grants = pool.only(container, node, gpus);
        assertThat(grants).hasSize(1);
        assertThat(grants.get(0).container()).isEqualTo(container.name());
        return grants.get(0).gpus();
    }

    @Test
    void equalContainersOnTheSameGpus_getOneObject() {
        List<ContainerGrant> first = pool.only(container("main", GpuRequest.exclusive(2)), node(4, Nodes.BIG), 0b110);
        List<ContainerGrant> second =
                pool.only(container("main", GpuRequest.exclusive(2)), node(4, Nodes.SMALL), 0b110);
        assertThat(second).isSameAs(first);
        assertThat(first.get(0).gpus()).isEqualTo(new GpuGrant.Whole(List.of(1, 2)));
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
