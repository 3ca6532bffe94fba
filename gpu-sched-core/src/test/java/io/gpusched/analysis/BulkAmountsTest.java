package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class BulkAmountsTest {
    private static final GpuGrant TWO = new GpuGrant.Whole(List.of(0, 1));
    private static final GpuGrant PART =
            new GpuGrant.Shared(List.of(new GpuShare(2, 300, 10, 1), new GpuShare(3, 200, 10, 1)));

    private static Placement placement(ContainerGrant... containers) {
        return new Placement(PodId.of("p"), "n", Resources.of(1_000, 64), List.of(containers));
    }

    private static Node node(String name) {
        return Node.builder(name)
                .capacity(8_000, 1_000)
                .gpus(4, GpuModel.of("nvidia", "A100", 100))
                .build();
    }

    private static Pod pod(Container... containers) {
        Pod.Builder pod = Pod.builder("p").overhead(Resources.of(1_000, 64));
        List.of(containers).forEach(pod::container);
        return pod.build();
    }

    private static Container container(String name, GpuRequest request) {
        return Container.of(name, Resources.NONE, request);
    }

    @Test
    void aPod_asksForItsWholeGpusAndItsPartsTogether() {
        GpuRequest parts = GpuRequest.share(250, GpuMemory.mib(10)).withCount(2);
        assertThat(BulkAmounts.asked(pod(container("a", GpuRequest.exclusive(2)), container("b", parts))))
                .isEqualTo(new BulkAmounts(1_000, 64, 2, 500));
        assertThat(BulkAmounts.asked(pod(container("a", GpuRequest.wholeNode()))))
                .as("a node has one GPU at least")
                .isEqualTo(new BulkAmounts(1_000, 64, 1, 0));
        assertThat(BulkAmounts.asked(pod(container("a", GpuRequest.none()))))
                .isEqualTo(new BulkAmounts(1_000, 64, 0, 0));
    }

    @Test
    void initContainers_mayShareWithOthers_soTheyDoNotCount() {
        Container init = new Container("i", ContainerKind.INIT, Resources.NONE, GpuRequest.exclusive(2));
        Container sidecar = new Container("s", ContainerKind.SIDECAR, Resources.NONE, GpuRequest.percent(50));

        assertThat(BulkAmounts.asked(pod(init, sidecar))).isEqualTo(new BulkAmounts(1_000, 64, 0, 500));
    }

    @Test
    void oneOfSeveralShapes_mayBeAnotherNextTime_soItDoesNotCount() {
        GpuRequest either = GpuRequest.firstOf(GpuRequest.exclusive(2), GpuRequest.percent(50));

        assertThat(BulkAmounts.asked(pod(container("a", either)))).isEqualTo(new BulkAmounts(1_000, 64, 0, 0));
    }

    @Test
    void whatAClusterHasFree_isTheSumOfItsNodes() {
        Cluster cluster = Cluster.of(List.of(node("m"), node("n")))
                .with(placement(ContainerGrant.of("a", TWO), ContainerGrant.of("b", PART)));

        BulkAmounts sum =
                cluster.nodes().stream().map(BulkAmounts::free).reduce(BulkAmounts.NOTHING, BulkAmounts::plus);

        assertThat(BulkAmounts.free(cluster)).isEqualTo(sum).isEqualTo(new BulkAmounts(15_000, 1_936, 4, 5_500));
        assertThat(sum.minus(BulkAmounts.free(cluster.node(1)))).isEqualTo(BulkAmounts.free(cluster.node(0)));
    }

    @Test
    void itFits_onlyIfEveryAmountDoes() {
        BulkAmounts free = new BulkAmounts(10, 10, 10, 10);

        assertThat(free.fitsIn(free)).isTrue();
        assertThat(new BulkAmounts(11, 0, 0, 0).fitsIn(free)).isFalse();
        assertThat(new BulkAmounts(0, 11, 0, 0).fitsIn(free)).isFalse();
        assertThat(new BulkAmounts(0, 0, 11, 0).fitsIn(free)).isFalse();
        assertThat(new BulkAmounts(0, 0, 0, 11).fitsIn(free)).isFalse();
    }
}
