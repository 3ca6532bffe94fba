package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.WorkloadProfile;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.List;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** The tables against the definition, demand by demand and GPU by GPU. */
class FragmentTableProperties {
    @Provide
    Arbitrary<List<Demand>> demands() {
        Arbitrary<Demand> demand = Combinators.combine(
                        Arbitraries.of(0, 1, 1, 1, 2, 4, 8),
                        Arbitraries.of(1, 100, 250, 500, 999, 1_000),
                        Arbitraries.longs().between(0, 10_000),
                        Arbitraries.of(Set.<String>of(), Set.of("A100"), Set.of("T4"), Set.of("A100", "T4")),
                        Arbitraries.longs().between(1, 100))
                .as((count, millis, cpu, models, weight) ->
                        new Demand(cpu, count == 0 ? 0 : millis, count, models, weight));
        return demand.list().ofMinSize(1).ofMaxSize(12);
    }

    /** What is taken of each GPU: nothing, a part, or all of it. */
    @Provide
    Arbitrary<List<Integer>> taken() {
        return Arbitraries.of(0, 0, 1, 100, 500, 750, 999, 1_000)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property(tries = 2000)
    void fragmentation_ofAnyNode_isWhatTheDefinitionSays(
            @ForAll("demands") List<Demand> demands,
            @ForAll("taken") List<Integer> taken,
            @ForAll boolean a100,
            @ForAll("cpu") int usedCpu) {
        NodeState node = node(a100 ? "A100" : "T4", taken, usedCpu);
        WorkloadProfile profile = new WorkloadProfile(demands);
        long expected = profile.demands().stream()
                .mapToLong(demand -> demand.weight() * fragment(node, demand))
                .sum();
        assertThat(FragmentationGradient.of(profile).fragmentation(node)).isEqualTo(expected);
    }

    @Provide
    Arbitrary<Integer> cpu() {
        return Arbitraries.integers().between(0, 10_000);
    }

    /** All idle compute, or, where a pod of the demand fits, what is on GPUs with too little left. */
    private static long fragment(NodeState node, Demand demand) {
        long idle = 0;
        long tooSmall = 0;
        int fitting = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            int free = node.freeComputeMillis(gpu);
            idle += free;
            fitting += free >= demand.gpuMillis() ? 1 : 0;
            tooSmall += free >= demand.gpuMillis() ? 0 : free;
        }
        String model = node.node().gpus().get(0).model().name();
        boolean fits = demand.gpuCount() > 0
                && (demand.models().isEmpty() || demand.models().contains(model))
                && fitting >= demand.gpuCount()
                && node.freeCpuMillis() >= demand.cpuMillis();
        return fits ? tooSmall : idle;
    }

    private static NodeState node(String model, List<Integer> taken, int usedCpu) {
        Node machine = Node.builder("n")
                .capacity(10_000, 10_000)
                .gpus(taken.size(), GpuModel.of("nvidia", model, 0))
                .build();
        NodeState node = Cluster.of(List.of(machine)).node(0);
        for (Gpu gpu : machine.gpus()) {
            int millis = taken.get(gpu.index());
            if (millis > 0) {
                GpuGrant grant = millis == 1_000
                        ? new GpuGrant.Whole(List.of(gpu.index()))
                        : new GpuGrant.Shared(List.of(new GpuShare(gpu.index(), millis, 0, 1)));
                node = node.with(placement("on-" + gpu.index(), Resources.NONE, grant));
            }
        }
        return node.with(placement("cpu", Resources.of(usedCpu, 0), GpuGrant.none()));
    }

    private static Placement placement(String pod, Resources resources, GpuGrant grant) {
        return new Placement(PodId.of(pod), "n", resources, List.of(ContainerGrant.of("main", grant)));
    }
}
