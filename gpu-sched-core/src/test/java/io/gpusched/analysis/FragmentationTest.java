package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FragmentationTest {
    private static final Cluster EMPTY = Cluster.of(List.of(Node.builder("n")
            .capacity(4_000, 4_000)
            .gpus(1, GpuModel.of("nvidia", "A100", 0))
            .build()));

    private static Cluster halfFull() {
        Pod pod = Pod.of("p", Resources.of(1_000, 1_000), GpuRequest.share(500, GpuMemory.none()));
        return EMPTY.with(((Placed) GpuScheduler.create().schedule(EMPTY, pod)).placement());
    }

    private static WorkloadProfile only(int gpuMillis) {
        return new WorkloadProfile(List.of(new Demand(1_000, gpuMillis, 1, Set.of(), 3)));
    }

    @Test
    void of_halfAGpuForHalves_isNothing() {
        assertThat(Fragmentation.of(halfFull(), only(500)).ratio()).isZero();
    }

    @Test
    void of_halfAGpuForWholes_isAllThatIsIdle() {
        Fragmentation fragmentation = Fragmentation.of(halfFull(), only(1_000));
        assertThat(fragmentation.millis()).isEqualTo(500);
        assertThat(fragmentation.ratio()).isEqualTo(1);
    }

    @Test
    void of_halfAGpuForOneOfEach_isHalfOfIt() {
        WorkloadProfile both = new WorkloadProfile(
                List.of(new Demand(1_000, 500, 1, Set.of(), 1), new Demand(1_000, 1_000, 1, Set.of(), 1)));
        assertThat(Fragmentation.of(halfFull(), both).millis()).isEqualTo(250);
    }

    @Test
    void ratio_ofAFullCluster_isNothing() {
        Pod pod = Pod.of("p", Resources.of(1_000, 1_000), GpuRequest.exclusive(1));
        Cluster full = EMPTY.with(((Placed) GpuScheduler.create().schedule(EMPTY, pod)).placement());
        assertThat(Fragmentation.of(full, only(500)).ratio()).isZero();
    }
}
