package io.gpusched.schedule.group;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Nodes;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The exact searches for groups take two states for one only if no member can tell them apart. */
class GangStatesTest {
    private static final Resources LITTLE = Resources.of(1, 1);
    private static final GpuAffinity NEAR = GpuAffinity.requiring(Bond.NUMA_NODE);

    private final GpuScheduler scheduler = GpuScheduler.create();

    private boolean start(Node node, Pod... members) {
        return scheduler
                .schedule(Cluster.of(List.of(node)), PodGroup.of("group", List.of(members)))
                .isPlaced();
    }

    /** Every pair of small differences of two GPUs, so that no way of adding them up goes unnoticed. */
    @Test
    void gpusOfDifferentNumaNodesAndCompute_areDifferentWays() {
        GpuRequest one = GpuRequest.exclusive(1, GpuSelector.ANY.withDeniedUuids(Set.of("u2")));
        GpuRequest near =
                GpuRequest.share(1, GpuMemory.mib(1)).withCount(2).withSelector(GpuSelector.ANY.withAffinity(NEAR));
        for (int model = 0; model < 4; model++) {
            for (int more = 0; more < 4; more++) {
                GpuModel kind = GpuModel.of("nvidia", "M" + model, 80_000);
                Node node = Node.builder("n")
                        .capacity(64_000, 64_000)
                        .gpu(Gpu.of(0, "u0", kind).withNumaNode(0).withComputeMillis(1_000))
                        .gpu(Gpu.of(1, "u1", kind).withNumaNode(1).withComputeMillis(1_000 + more))
                        .gpu(Gpu.of(2, "u2", kind).withNumaNode(0))
                        .build();
                assertThat(start(node, Pod.of("one", LITTLE, one), Pod.of("two", LITTLE, near)))
                        .isTrue();
            }
        }
    }

    /** More requests than a number has bits. */
    @Test
    void gpusAreDifferentWays_howeverManyRequestsThereAre() {
        Node node = Node.builder("n")
                .capacity(64_000, 64_000)
                .gpu(Gpu.of(0, "u0", Nodes.BIG).withNumaNode(0))
                .gpu(Gpu.of(1, "u1", Nodes.BIG).withNumaNode(1))
                .gpu(Gpu.of(2, "u2", Nodes.BIG).withNumaNode(0))
                .build();
        List<Pod> members = new ArrayList<>();
        members.add(Pod.of("one", LITTLE, GpuRequest.exclusive(1, GpuSelector.ANY.withDeniedUuids(Set.of("u2")))));
        members.add(Pod.of(
                "two",
                LITTLE,
                GpuRequest.share(1, GpuMemory.mib(1)).withCount(2).withSelector(GpuSelector.ANY.withAffinity(NEAR))));
        for (int i = 0; i < 100; i++) {
            // nobody knows these GPUs, so none of these members finds a place
            GpuSelector unknown = GpuSelector.ANY.withAllowedUuids(Set.of("unknown-" + i));
            members.add(Pod.of("m" + i, LITTLE, GpuRequest.exclusive(1, unknown)));
        }
        PodGroup group = PodGroup.of("group", members).withMinMember(2);

        assertThat(scheduler.schedule(Cluster.of(List.of(node)), group).isPlaced())
                .isTrue();
    }
}
