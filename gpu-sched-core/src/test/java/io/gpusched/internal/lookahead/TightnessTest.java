package io.gpusched.internal.lookahead;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TightnessTest {
    private static final Gpu BIG = gpu(Nodes.BIG, 1_000);
    private static final Gpu SMALL = gpu(Nodes.SMALL, 1_000);

    private static Gpu gpu(GpuModel model, int computeMillis) {
        return new Gpu(0, "g", model, computeMillis, model.memoryMib(), 10, -1, true);
    }

    /** A class of nodes for each of some GPUs. */
    private static List<NodeClass> classes(Gpu... gpus) {
        return Arrays.stream(gpus)
                .map(gpu -> Cluster.of(List.of(Node.builder("n").gpu(gpu).build()))
                        .node(0)
                        .nodeClass())
                .toList();
    }

    @Test
    void least_ofAShareOfCompute_isItsPercentageOfTheGpuWithMost() {
        GpuRequest.Share share = GpuRequest.share(250, GpuMemory.mib(900));

        assertThat(Tightness.leastLevel(share, classes(BIG))).isEqualTo(25);
        assertThat(Tightness.leastLevel(share, classes(BIG, gpu(Nodes.BIG, 2_000), SMALL)))
                .isEqualTo(12);
    }

    @Test
    void least_ofMemoryAlone_isItsPercentageOfTheGpuWithMost() {
        GpuRequest.Share share = GpuRequest.share(0, GpuMemory.mib(100));

        assertThat(Tightness.leastLevel(share, classes(SMALL))).isEqualTo(30);
        assertThat(Tightness.leastLevel(share, classes(SMALL, BIG))).isEqualTo(10);
    }

    @Test
    void least_ofAPercentageOfMemory_isRoundedDownWithTheMemory() {
        // 33 % of 333 MiB are 109 MiB, which are 32.7 %
        assertThat(Tightness.leastLevel(GpuRequest.share(0, GpuMemory.percent(33)), classes(SMALL)))
                .isEqualTo(32);
    }

    @Test
    void least_ofMemoryWhereNoGpuHasAny_isAWholeGpu() {
        GpuRequest.Share share = GpuRequest.share(0, GpuMemory.mib(100));

        assertThat(Tightness.leastLevel(share, classes(gpu(Nodes.UNTRACKED, 1_000))))
                .isEqualTo(100);
    }

    @Test
    void least_ofMoreThanAnyGpuHas_isAWholeGpu() {
        assertThat(Tightness.leastLevel(GpuRequest.share(1_500, GpuMemory.none()), classes(BIG)))
                .isEqualTo(100);
    }
}
