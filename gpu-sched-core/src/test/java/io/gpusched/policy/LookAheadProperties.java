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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** What a value of node states must not do. */
class LookAheadProperties {
    private static final LookAhead POLICY = LookAhead.of(new WorkloadProfile(List.of(
            new Demand(500, 1_000, 300, 1, Set.of(), 5),
            new Demand(1_500, 2_000, 700, 1, Set.of(), 3),
            new Demand(2_000, 4_000, 1_000, 1, Set.of(), 5),
            new Demand(8_000, 8_000, 1_000, 4, Set.of(), 2),
            new Demand(4_000, 0, 0, 0, Set.of(), 1))));

    /** What is taken of each GPU, in milli; 1,000 is held whole. */
    @Provide
    Arbitrary<List<Integer>> taken() {
        return Arbitraries.of(0, 100, 250, 300, 450, 500, 600, 750, 900, 1_000)
                .list()
                .ofMinSize(1)
                .ofMaxSize(8);
    }

    @Property(tries = 500)
    void nodesInEqualStatesScoreEqually_whatevertheirNamesAndTheOrderOfTheirGpus(
            @ForAll("taken") List<Integer> taken,
            @ForAll @LongRange(min = 0, max = 16_000) long cpu,
            @ForAll @IntRange(min = 1, max = 1_000) int asked,
            @ForAll long seed) {
        List<Integer> shuffled = new ArrayList<>(taken);
        Collections.shuffle(shuffled, new Random(seed));
        Cluster cluster = Cluster.of(List.of(machine("a", taken.size()), machine("b", taken.size())));
        NodeState one = filled(cluster.node(0), taken, cpu);
        NodeState other = filled(cluster.node(1), shuffled, cpu);
        assertThat(POLICY.cost(one)).isEqualTo(POLICY.cost(other));
        assertThat(bestScore(one, asked)).isEqualTo(bestScore(other, asked));
    }

    private static long bestScore(NodeState node, int asked) {
        Pod pod = Pod.of("p", Resources.NONE, request(asked));
        return GpuScheduler.of(POLICY)
                .place(node, pod)
                .map(placement -> POLICY.score(node, node.with(placement), pod))
                .orElse(Long.MIN_VALUE);
    }

    /** Where one placement leaves room for fewer of the typical pods than another does, and these are all alike. */
    @Property(tries = 1000)
    void noPlacementWinsThatAnotherDominatesForAllTypicalPods(
            @ForAll("taken") List<Integer> taken,
            @ForAll @IntRange(min = 20, max = 100) int percentTypical,
            @ForAll @IntRange(min = 1, max = 100) int percentAsked) {
        Demand typical = new Demand(0, 0, 10 * percentTypical, 1, Set.of(), 1);
        LookAhead policy = LookAhead.of(new WorkloadProfile(List.of(typical)));
        NodeState node = filled(Cluster.of(List.of(machine("a", taken.size()))).node(0), taken, 0);
        Pod pod = Pod.of("p", Resources.NONE, request(10 * percentAsked));
        GpuScheduler.of(policy).place(node, pod).ifPresent(chosen -> {
            long most = 0;
            for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                if (node.freeComputeMillis(gpu) >= 10 * percentAsked && percentAsked < 100) {
                    most = Math.max(most, fitting(node.with(share("p", gpu, 10 * percentAsked)), typical));
                }
            }
            assertThat(fitting(node.with(chosen), typical)).isGreaterThanOrEqualTo(most);
        });
    }

    private static long fitting(NodeState node, Demand typical) {
        long count = 0;
        for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
            count += node.freeComputeMillis(gpu) / typical.gpuMillis();
        }
        return count;
    }

    private static GpuRequest request(int millis) {
        return millis == 1_000 ? GpuRequest.exclusive(1) : GpuRequest.share(millis, GpuMemory.none());
    }

    private static Node machine(String name, int gpus) {
        return Node.builder(name)
                .capacity(16_000, 64_000)
                .gpus(gpus, GpuModel.of("nvidia", "A100", 0))
                .build();
    }

    private static NodeState filled(NodeState empty, List<Integer> taken, long cpu) {
        NodeState node = empty.with(placement("cpu", empty.node().name(), Resources.of(cpu, 0), GpuGrant.none()));
        for (int gpu = 0; gpu < taken.size(); gpu++) {
            int millis = taken.get(gpu);
            if (millis == 1_000) {
                GpuGrant whole = new GpuGrant.Whole(List.of(gpu));
                node = node.with(placement("g" + gpu, node.node().name(), Resources.NONE, whole));
            } else if (millis > 0) {
                node = node.with(share("g" + gpu, node.node().name(), gpu, millis));
            }
        }
        return node;
    }

    private static Placement share(String pod, int gpu, int millis) {
        return share(pod, "a", gpu, millis);
    }

    private static Placement share(String pod, String node, int gpu, int millis) {
        return placement(pod, node, Resources.NONE, new GpuGrant.Shared(List.of(new GpuShare(gpu, millis, 0, 1))));
    }

    private static Placement placement(String pod, String node, Resources resources, GpuGrant grant) {
        return new Placement(PodId.of(pod), node, resources, List.of(ContainerGrant.of("main", grant)));
    }
}
