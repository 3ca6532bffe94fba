package io.gpusched.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
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
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;

/** One placement dominates another if it leaves room for as many pods of each typical demand alone, and for more of one. */
class DominanceProperties {
    private static final Resources CAPACITY = Resources.of(64_000, 64_000);

    @Provide
    Arbitrary<WorkloadProfile> profiles() {
        Arbitrary<Integer> share = Arbitraries.integers().between(1, 19).map(n -> 50 * n);
        Arbitrary<int[]> gpus = Arbitraries.frequencyOf(
                Tuple.of(4, share.map(milli -> new int[] {milli, 1})),
                Tuple.of(2, Arbitraries.of(1, 2, 4).map(count -> new int[] {1_000, count})),
                Tuple.of(1, Arbitraries.just(new int[] {0, 0})));
        Arbitrary<Demand> demands = Combinators.combine(
                        Arbitraries.integers().between(0, 16),
                        Arbitraries.integers().between(0, 16),
                        gpus,
                        Arbitraries.of(Set.<String>of(), Set.<String>of(), Set.of("A100"), Set.of("T4")),
                        Arbitraries.longs().between(1, 10))
                .as((cpu, memory, gpu, models, weight) ->
                        new Demand(500L * cpu, 500L * memory, gpu[0], gpu[1], gpu[0] == 0 ? Set.of() : models, weight));
        return demands.list().ofMinSize(1).ofMaxSize(6).map(WorkloadProfile::new);
    }

    /** What is taken of each GPU, in twentieths; 20 are held whole. */
    @Provide
    Arbitrary<List<Integer>> taken() {
        return Arbitraries.integers().between(0, 20).list().ofMinSize(2).ofMaxSize(8);
    }

    @Property(tries = 4000)
    void noPlacementWinsThatAnotherDominates(
            @ForAll("profiles") WorkloadProfile profile,
            @ForAll("taken") List<Integer> taken,
            @ForAll @IntRange(max = 128) int cpuTaken,
            @ForAll @IntRange(max = 128) int memoryTaken,
            @ForAll @IntRange(min = 1, max = 19) int asked,
            @ForAll @IntRange(max = 8) int cpuAsked) {
        NodeState node = node(taken, Resources.of(500L * cpuTaken, 500L * memoryTaken));
        Pod pod = Pod.of("p", Resources.of(500L * cpuAsked, 0), GpuRequest.share(50 * asked, GpuMemory.none()));
        GpuScheduler.of(LookAhead.of(profile)).place(node, pod).map(node::with).ifPresent(chosen -> {
            for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                if (node.freeComputeMillis(gpu) >= 50 * asked) {
                    NodeState other = node.with(share("p", gpu, 50 * asked, pod.resources()));
                    assertThat(dominates(other, chosen, profile))
                            .as("%s instead of %s", other, chosen)
                            .isFalse();
                }
            }
        });
    }

    private static boolean dominates(NodeState one, NodeState other, WorkloadProfile profile) {
        boolean better = false;
        for (Demand demand : profile.demands()) {
            boolean accepted = demand.models().isEmpty() || demand.models().contains("A100");
            if (accepted && fitting(one, demand) < fitting(other, demand)) {
                return false;
            }
            better |= accepted && fitting(one, demand) > fitting(other, demand);
        }
        return better;
    }

    /** How many pods of a demand fit, by placing one after another on the first GPUs that do. */
    private static int fitting(NodeState node, Demand demand) {
        int[] free = new int[node.gpuCount()];
        for (int gpu = 0; gpu < free.length; gpu++) {
            free[gpu] = demand.isWhole() && !node.isIdle(gpu) ? 0 : node.freeComputeMillis(gpu);
        }
        long cpu = node.freeCpuMillis();
        long memory = node.freeMemoryMib();
        int pods = 0;
        while (pods < 1_000 && cpu >= demand.cpuMillis() && memory >= demand.memoryMib() && take(free, demand)) {
            cpu -= demand.cpuMillis();
            memory -= demand.memoryMib();
            pods++;
        }
        return pods;
    }

    private static boolean take(int[] free, Demand demand) {
        int missing = demand.gpuCount();
        for (int gpu = 0; gpu < free.length && missing > 0; gpu++) {
            if (free[gpu] >= demand.gpuMillis()) {
                free[gpu] -= demand.gpuMillis();
                missing--;
            }
        }
        return missing == 0;
    }

    private static NodeState node(List<Integer> taken, Resources used) {
        Node machine = Node.builder("a")
                .capacity(CAPACITY.cpuMillis(), CAPACITY.memoryMib())
                .gpus(taken.size(), GpuModel.of("nvidia", "A100", 0))
                .build();
        NodeState node = Cluster.of(List.of(machine)).node(0).with(placement("used", used, GpuGrant.none()));
        for (int gpu = 0; gpu < taken.size(); gpu++) {
            int milli = 50 * taken.get(gpu);
            if (milli == 1_000) {
                node = node.with(placement("g" + gpu, Resources.NONE, new GpuGrant.Whole(List.of(gpu))));
            } else if (milli > 0) {
                node = node.with(share("g" + gpu, gpu, milli, Resources.NONE));
            }
        }
        return node;
    }

    private static Placement share(String pod, int gpu, int milli, Resources resources) {
        return placement(pod, resources, new GpuGrant.Shared(List.of(new GpuShare(gpu, milli, 0, 1))));
    }

    private static Placement placement(String pod, Resources resources, GpuGrant grant) {
        return new Placement(PodId.of(pod), "a", resources, List.of(ContainerGrant.of("main", grant)));
    }
}
