package io.gpusched.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import java.util.List;
import org.junit.jupiter.api.Test;

class SidecarTest {
    private static final GpuRequest NONE = GpuRequest.none();

    private static Resources cores(long count) {
        return Resources.of(count * 1_000, 0);
    }

    private static Cluster gpus(int count) {
        return Cluster.of(List.of(Node.builder("n1")
                .capacity(64_000, 65_536)
                .gpus(count, GpuModel.of("nvidia", "A100", 81_920))
                .build()));
    }

    private static Pod pod(Container... containers) {
        Pod.Builder pod = Pod.builder("p");
        List.of(containers).forEach(pod::container);
        return pod.build();
    }

    private static Decision schedule(int gpus, Container... containers) {
        return GpuScheduler.create().schedule(gpus(gpus), pod(containers));
    }

    @Test
    void sidecar_countsBesideOrdinaryContainers() {
        Pod pod = pod(Container.sidecar("s", cores(1), NONE), Container.of("c", cores(2), NONE));
        assertThat(pod.resources()).isEqualTo(cores(3));
    }

    @Test
    void initContainer_countsTheSidecarsBeforeItAndNoneAfterIt() {
        Container init = Container.init("i", cores(3), NONE);
        Container before = Container.sidecar("s", cores(1), NONE);
        Container after = Container.sidecar("t", cores(2), NONE);
        Container main = Container.of("c", cores(0), NONE);
        assertThat(pod(before, init, main).resources()).isEqualTo(cores(4));
        assertThat(pod(init, before, main).resources()).isEqualTo(cores(3));
        assertThat(pod(before, init, after, main).resources()).isEqualTo(cores(4));
    }

    @Test
    void overhead_isAddedLast() {
        Pod pod = Pod.builder("p")
                .container(Container.init("i", cores(5), NONE))
                .container("c", cores(2), NONE)
                .overhead(Resources.of(250, 120))
                .build();
        assertThat(pod.resources()).isEqualTo(Resources.of(5_250, 120));
        assertThat(pod.withId(PodId.of("q")).resources()).isEqualTo(pod.resources());
    }

    @Test
    void podsThatDifferInOverheadOrKindAlone_haveNotTheSameShape() {
        Pod plain = pod(Container.of("a", cores(1), NONE), Container.of("b", cores(1), NONE));
        Pod beside = pod(Container.sidecar("a", cores(1), NONE), Container.of("b", cores(1), NONE));
        Pod heavier = new Pod(plain.id(), plain.containers(), NodeSelector.ANY, List.of(), cores(1));
        assertThat(plain.asksTheSame(beside)).isFalse();
        assertThat(plain.asksTheSame(heavier)).isFalse();
        assertThat(plain.asksTheSame(plain.withId(PodId.of("q")))).isTrue();
    }

    @Test
    void gpuOfASidecar_isNotFreeForTheInitContainerAfterIt() {
        Container sidecar = Container.sidecar("s", Resources.NONE, GpuRequest.exclusive(1));
        Container init = Container.init("i", Resources.NONE, GpuRequest.exclusive(2));
        Container main = Container.of("c", Resources.NONE, GpuRequest.exclusive(1));
        assertThat(schedule(2, sidecar, init, main)).isNotInstanceOf(Placed.class);
        assertThat(schedule(2, init, sidecar, main)).isInstanceOf(Placed.class);
        assertThat(schedule(3, sidecar, init, main)).isInstanceOf(Placed.class);
    }

    @Test
    void shareOfASidecar_addsToTheInitContainerAfterIt() {
        Container sidecar = Container.sidecar("s", Resources.NONE, GpuRequest.percent(40));
        Container init = Container.init("i", Resources.NONE, GpuRequest.percent(70));
        assertThat(schedule(1, sidecar, init)).isNotInstanceOf(Placed.class);
        assertThat(schedule(1, init, sidecar)).isInstanceOf(Placed.class);
    }

    @Test
    void placementWhoseInitContainerTakesASidecarsGpu_isAConflict() {
        Placement placement = new Placement(
                PodId.of("p"),
                "n1",
                Resources.NONE,
                List.of(
                        new ContainerGrant("s", ContainerKind.SIDECAR, new GpuGrant.Whole(List.of(0))),
                        new ContainerGrant("i", ContainerKind.INIT, new GpuGrant.Whole(List.of(0)))));
        assertThatThrownBy(() -> gpus(2).with(placement))
                .isInstanceOf(PlacementConflictException.class)
                .hasMessageContaining("container \"i\"")
                .hasMessageContaining("gpu 0");
        assertThat(placement.containers().get(0)).hasToString("sidecar s: whole GPUs [0]");
    }
}
