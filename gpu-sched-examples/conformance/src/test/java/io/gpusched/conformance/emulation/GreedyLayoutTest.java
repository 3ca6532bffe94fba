package io.gpusched.conformance.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.conformance.NodeFixture;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GreedyLayoutTest {
    private static final DeviceOrder BY_INDEX =
            (node, earlier, container) -> IntStream.range(0, node.gpuCount()).toArray();

    private static NodeState node(int... freePercents) {
        return NodeFixture.node(
                "n",
                Arrays.stream(freePercents)
                        .mapToObj(free -> new NodeFixture.Device(1_000, 1_000 - 10 * free, 0, true))
                        .toList());
    }

    private static Pod pod(GpuRequest... requests) {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < requests.length; c++) {
            pod.container(Container.of("c" + c, Resources.NONE, requests[c]));
        }
        return pod.build();
    }

    private static GpuRequest percent(int percent) {
        return GpuRequest.percent(percent);
    }

    private static boolean isPlacedGreedily(NodeState node, Pod pod) {
        return GreedyLayout.of(BY_INDEX).fits(node, pod);
    }

    @Test
    void aPodThatFits_isRefused_ifAnEarlierContainerTookTheOnlyGpuOfALaterOne() {
        Pod pod = pod(percent(50), percent(60));

        assertThat(isPlacedGreedily(node(60, 50), pod)).isFalse();
        assertThat(GpuScheduler.create().place(node(60, 50), pod)).isPresent();
        assertThat(isPlacedGreedily(node(50, 60), pod)).isTrue();
    }

    @Test
    void wholeGpus_mustBeIdle_andWhatOneContainerTookIsGone() {
        assertThat(isPlacedGreedily(node(90, 100, 100), pod(GpuRequest.exclusive(2))))
                .isTrue();
        assertThat(isPlacedGreedily(node(90, 90, 100), pod(GpuRequest.exclusive(2))))
                .isFalse();
        assertThat(isPlacedGreedily(node(100, 100), pod(GpuRequest.exclusive(2), percent(1))))
                .isFalse();
    }

    @Test
    void containersWithoutGpus_takeNoPart() {
        assertThat(isPlacedGreedily(node(50), pod(GpuRequest.none(), percent(50), GpuRequest.none())))
                .isTrue();
    }

    @Test
    void anUnhealthyGpu_isPassedOver() {
        NodeState node = NodeFixture.node(
                "n",
                java.util.List.of(
                        new NodeFixture.Device(1_000, 0, 0, false), new NodeFixture.Device(1_000, 0, 0, true)));

        assertThat(isPlacedGreedily(node, pod(percent(60)))).isTrue();
        assertThat(isPlacedGreedily(node, pod(percent(60), percent(60)))).isFalse();
    }
}
