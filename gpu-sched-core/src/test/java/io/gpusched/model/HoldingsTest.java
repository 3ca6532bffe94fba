package io.gpusched.model;

import static io.gpusched.testkit.GpuAssertions.assertThat;

import io.gpusched.testkit.Nodes;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a placement holds of a node, and which placements a node of each mode takes. */
class HoldingsTest {
    private static final GpuGrant WHOLE = new GpuGrant.Whole(List.of(0));

    private static Cluster cluster(NodeMode mode) {
        return Cluster.of(List.of(Node.builder("n")
                .mode(mode)
                .capacity(8_000, 8_000)
                .gpus(2, Nodes.BIG)
                .build()));
    }

    private static GpuGrant part(int computeMillis, long memoryMib) {
        return new GpuGrant.Shared(List.of(new GpuShare(0, computeMillis, memoryMib, 1)));
    }

    private static ContainerGrant main(GpuGrant grant) {
        return ContainerGrant.of("main", grant);
    }

    private static ContainerGrant init(GpuGrant grant) {
        return new ContainerGrant("init", ContainerKind.INIT, grant);
    }

    private static Placement placement(ContainerGrant... grants) {
        return new Placement(PodId.of("p"), "n", Resources.NONE, List.of(grants));
    }

    @Test
    void partOfAGpuHeldByAnInitContainerBesideAWholeOne_isRefusedWhereOnlyWholeGpusAreAdmitted() {
        Placement placement = placement(main(WHOLE), init(part(100, 0)));
        assertThat(cluster(NodeMode.EXCLUSIVE)).refuses(placement, "gpu 0 is asked for in part", "mode is EXCLUSIVE");
        NodeState mixed = cluster(NodeMode.MIXED).with(placement).node(0);
        assertThat(mixed.isWhole(0)).isTrue();
    }

    @Test
    void wholeGpu_isRefusedWhereOnlySharesAreAdmitted() {
        assertThat(cluster(NodeMode.SHARED))
                .refuses(placement(main(WHOLE)), "gpu 0 is asked for whole", "mode is SHARED")
                .refuses(placement(main(new GpuGrant.WholeNode(2))), "gpu 0 is asked for whole", "mode is SHARED");
    }

    @Test
    void aGpuIsHeldByTheSumOfTheContainersOrByTheLargestInitContainer() {
        NodeState node = cluster(NodeMode.SHARED)
                .with(placement(main(part(300, 100)), init(part(500, 10)), main(part(100, 150)), init(part(200, 900))))
                .node(0);
        assertThat(node.freeComputeMillis(0)).isEqualTo(1_000 - 500);
        assertThat(node.freeMemoryMib(0)).isEqualTo(1_000 - 900);
        assertThat(node.freeSlots(0)).isEqualTo(1_000 - 2);
        assertThat(node.freeComputeMillis(1)).isEqualTo(1_000);
        assertThat(node.toString()).isEqualTo("n: free 8 cores, 8000 MiB, 1 pods, gpus [500m 1000m]");
    }

    @Test
    void aShareOfMoreThanTheDevice_isRefusedWithWhatTheDeviceHas() {
        assertThat(cluster(NodeMode.SHARED))
                .refuses(placement(main(part(1_001, 0))), "exceed the device (1000m, 1000 MiB, 1000 slots)")
                .refuses(placement(main(part(0, 1_001))), "exceed the device (1000m, 1000 MiB, 1000 slots)");
    }

    @Test
    void aGpuThatTheNodeLacks_isRefusedByItsIndex() {
        GpuGrant third = new GpuGrant.Whole(List.of(2));
        GpuGrant partOfThird = new GpuGrant.Shared(List.of(new GpuShare(2, 10, 10, 1)));
        assertThat(cluster(NodeMode.MIXED))
                .refuses(placement(main(third)), "gpu index must be in 0..1, got 2")
                .refuses(placement(main(partOfThird)), "gpu index must be in 0..1, got 2")
                .refuses(placement(main(new GpuGrant.WholeNode(3))), "whole of a node with 3 gpus, but the node has 2");
    }
}
