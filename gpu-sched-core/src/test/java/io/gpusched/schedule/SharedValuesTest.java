package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedValuesTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 81_920);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Cluster nodeOf(GpuModel model) {
        return Cluster.of(List.of(
                Node.builder("n").capacity(64_000, 262_144).gpus(2, model).build()));
    }

    private Placement placed(Cluster cluster, String pod, GpuRequest request) {
        Pod asking = Pod.of(pod, Resources.of(1_000, 1_024), request);
        return ((Placed) scheduler.schedule(cluster, asking)).placement();
    }

    @Test
    void equalPodsOnEqualGpus_shareWhatTheyAskAndWhatTheyHold() {
        Placement one = placed(nodeOf(A100), "a", GpuRequest.percent(30));
        Placement other = placed(nodeOf(A100), "b", GpuRequest.percent(30));
        assertThat(other.spec().orElseThrow()).isSameAs(one.spec().orElseThrow());
        assertThat(other.containers()).isSameAs(one.containers());
    }

    @Test
    void aShareOfAnotherDevice_isAnAllocationOfItsOwn() {
        Placement large = placed(nodeOf(A100), "a", GpuRequest.percent(30));
        Placement small = placed(nodeOf(GpuModel.of("nvidia", "T4", 15_360)), "b", GpuRequest.percent(30));
        assertThat(small.holdsLike(large)).isFalse();
        assertThat(small.gpus()).isEqualTo(large.gpus());
    }

    @Test
    void otherGpus_areAnAllocationOfTheirOwn() {
        Cluster cluster = nodeOf(A100);
        Placement first = placed(cluster, "a", GpuRequest.exclusive(1));
        Placement second = placed(cluster.with(first), "b", GpuRequest.exclusive(1));
        assertThat(first.gpus()).containsExactly(0);
        assertThat(second.gpus()).containsExactly(1);
    }
}
