package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
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

class FragmentationGradientTest {
    private static final GpuModel A100 = GpuModel.of("nvidia", "A100", 0);
    private static final WorkloadProfile WHOLE_GPUS =
            new WorkloadProfile(List.of(new Demand(1_000, 1_000, 1, Set.of(), 1)));

    private static Node node(String name, long cpuMillis, int gpus) {
        return Node.builder(name).capacity(cpuMillis, 64_000).gpus(gpus, A100).build();
    }

    private static Cluster with(Cluster cluster, String name, long cpuMillis, GpuRequest request) {
        Pod pod = Pod.of("on-" + name, Resources.of(cpuMillis, 0), request);
        return cluster.with(GpuScheduler.of(FirstFit.of())
                .place(cluster.node(name).orElseThrow(), pod)
                .orElseThrow());
    }

    private static Placed place(Cluster cluster, WorkloadProfile profile, Pod pod) {
        return (Placed) GpuScheduler.of(FragmentationGradient.of(profile)).schedule(cluster, pod);
    }

    @Test
    void schedule_whereNoFragmentArises_takesTheNodeWhoseCpuWouldOtherwiseLackGpus() {
        Cluster fresh = Cluster.of(List.of(node("a", 64_000, 4), node("b", 64_000, 4)));
        Cluster cluster = with(fresh, "b", 0, GpuRequest.exclusive(2));
        Pod cpuOnly = Pod.of("p", Resources.of(16_000, 0), GpuRequest.none());
        assertThat(place(cluster, WHOLE_GPUS, cpuOnly).placement().node()).isEqualTo("b");
    }

    @Test
    void schedule_whereNoFragmentArises_takesTheNodeWhoseGpusWouldOtherwiseLackCpu() {
        Cluster fresh = Cluster.of(List.of(node("a", 64_000, 4), node("b", 64_000, 4)));
        Cluster cluster = with(fresh, "b", 32_000, GpuRequest.none());
        Pod oneGpu = Pod.of("p", Resources.of(1_000, 0), GpuRequest.exclusive(1));
        assertThat(place(cluster, WHOLE_GPUS, oneGpu).placement().node()).isEqualTo("b");
    }

    @Test
    void score_ofNodesThatHaveNoGpus_isTheSameForAll() {
        Cluster cluster = Cluster.of(List.of(node("a", 64_000, 0), node("b", 1_000, 0)));
        Pod cpuOnly = Pod.of("p", Resources.of(500, 0), GpuRequest.none());
        assertThat(place(cluster, WHOLE_GPUS, cpuOnly).placement().node()).isEqualTo("a");
    }

    @Test
    void schedule_onGpusThatMakeNoDifferenceToFragments_takesTheTightest() {
        WorkloadProfile tenths = new WorkloadProfile(List.of(new Demand(0, 100, 1, Set.of(), 1)));
        Cluster fresh = Cluster.of(List.of(node("a", 64_000, 2)));
        Cluster cluster = with(fresh, "a", 0, GpuRequest.share(400, GpuMemory.none()));
        Pod share = Pod.of("p", Resources.NONE, GpuRequest.share(300, GpuMemory.none()));
        Cluster placed = cluster.with(place(cluster, tenths, share).placement());
        assertThat(placed.node("a").orElseThrow().freeComputeMillis(0)).isEqualTo(300);
        assertThat(placed.placement(PodId.of("p"))).isPresent();
    }
}
