package io.gpusched.internal.search;

import static io.gpusched.internal.search.Machines.cluster;
import static io.gpusched.internal.search.Machines.pod;
import static io.gpusched.internal.search.Machines.running;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What {@link RoomTest} says of a node. */
class NodeRoomTest {
    private static final NodeState ONE_IDLE = cluster(1).node(0);
    private static final NodeState TWO_IDLE = cluster(2).node(0);
    private static final NodeState ONE_OF_TWO_IDLE =
            running(cluster(2), "n00", GpuRequest.percent(50)).node(0);

    private final SearchSteps steps = SearchSteps.of(10_000);

    private boolean hasRoom(NodeState node, Pod pod) {
        return new RoomTest(new PodDemand(pod), steps).test(node);
    }

    private boolean hasRoom(NodeState node, GpuRequest... requests) {
        return hasRoom(node, pod(requests));
    }

    @Test
    void nodeWithoutTheCpu_hasNoRoom() {
        Pod heavy = Pod.of("p", Resources.of(9_000, 0), GpuRequest.exclusive(1));

        assertThat(hasRoom(ONE_IDLE, heavy)).isFalse();
        assertThat(RoomTest.mayHaveRoom(new PodDemand(heavy), ONE_IDLE)).isFalse();
    }

    @Test
    void wholeGpus_haveRoomWhereAsManyIdle() {
        assertThat(hasRoom(TWO_IDLE, GpuRequest.exclusive(2))).isTrue();
        assertThat(hasRoom(ONE_OF_TWO_IDLE, GpuRequest.exclusive(2))).isFalse();
        assertThat(RoomTest.mayHaveRoom(new PodDemand(pod(GpuRequest.exclusive(2))), TWO_IDLE))
                .isTrue();
        assertThat(RoomTest.mayHaveRoom(new PodDemand(pod(GpuRequest.exclusive(2))), ONE_OF_TWO_IDLE))
                .isFalse();
    }

    @Test
    void shares_haveRoomWhereAsMuchOfAsManyGpusIsLeft() {
        assertThat(hasRoom(ONE_OF_TWO_IDLE, GpuRequest.percent(50).withCount(2)))
                .isTrue();
        assertThat(hasRoom(ONE_OF_TWO_IDLE, GpuRequest.percent(60).withCount(2)))
                .isFalse();
    }

    @Test
    void podWithoutGpus_hasRoomWhereNoneIdles() {
        assertThat(hasRoom(cluster(0).node(0), GpuRequest.none())).isTrue();
        assertThat(hasRoom(running(cluster(1), "n00", GpuRequest.exclusive(1)).node(0), GpuRequest.none()))
                .isTrue();
    }

    @Test
    void wholeNode_hasRoomWhereNothingRuns() {
        assertThat(hasRoom(TWO_IDLE, GpuRequest.wholeNode())).isTrue();
        assertThat(hasRoom(ONE_OF_TWO_IDLE, GpuRequest.wholeNode())).isFalse();
    }

    @Test
    void severalContainers_haveRoomWhereThereIsAWayToLayThemOut() {
        assertThat(hasRoom(TWO_IDLE, GpuRequest.percent(60), GpuRequest.percent(60)))
                .isTrue();
        assertThat(hasRoom(ONE_IDLE, GpuRequest.percent(60), GpuRequest.percent(60)))
                .isFalse();
    }

    @Test
    void gpusThatMustBeNear_haveRoomWhereTheyAreNear() {
        GpuRequest near = GpuRequest.exclusive(2, GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE)));

        assertThat(hasRoom(onNumaNodes(0, 0), near)).isTrue();
        assertThat(hasRoom(onNumaNodes(0, 1), near)).isFalse();
    }

    private static NodeState onNumaNodes(int... numaNodes) {
        Node.Builder node = Node.builder("n").capacity(8_000, 8_000);
        for (int g = 0; g < numaNodes.length; g++) {
            node.gpu(new Gpu(g, "g" + g, Nodes.BIG, 1_000, 1_000, 10, numaNodes[g], true));
        }
        return Cluster.of(List.of(node.build())).node(0);
    }

    @Test
    void layout_takesItsSteps() {
        assertThat(hasRoom(TWO_IDLE, GpuRequest.percent(60), GpuRequest.percent(60)))
                .isTrue();

        assertThat(steps.left()).isBetween(10_000L - 500, 10_000L - 1);
    }

    @Test
    void nodeForWhichNoStepsAreLeft_mayHaveRoom() {
        steps.take(10_000);

        assertThat(hasRoom(ONE_IDLE, GpuRequest.percent(60), GpuRequest.percent(60)))
                .isTrue();
    }
}
