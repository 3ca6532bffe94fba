package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.NaiveLayouts;
import io.gpusched.testkit.StressCase;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Pods of up to eight containers on one node of up to eight GPUs in use, against all layouts there are. */
class LayoutProperties {
    private static final GpuModel BIG = GpuModel.of("nvidia", "A100", 1_000);
    private static final GpuModel SMALL = GpuModel.of("amd", "MI210", 333);

    private static NodeState node(Random random) {
        int gpus = 1 + random.nextInt(8);
        boolean mixed = random.nextInt(3) == 0;
        Node.Builder node = Node.builder("n").capacity(1_000_000, 1_000_000).maxPods(100);
        for (int g = 0; g < gpus; g++) {
            Gpu gpu = Gpu.of(g, "gpu-" + g, mixed && random.nextBoolean() ? SMALL : BIG)
                    .withNumaNode(2 * g / gpus);
            node.gpu(random.nextInt(8) == 0 ? gpu.withSlots(2) : gpu);
        }
        Cluster cluster = Cluster.of(List.of(node.build()));
        boolean differently = random.nextBoolean();
        for (int g = 0; g < gpus; g++) {
            if (random.nextInt(4) > 0) {
                int compute = differently ? random.nextInt(800) : 100 * random.nextInt(8);
                long memory = random.nextInt(200);
                GpuGrant grant = random.nextInt(8) == 0
                        ? new GpuGrant.Whole(List.of(g))
                        : new GpuGrant.Shared(List.of(new GpuShare(g, compute, memory, 1)));
                cluster = cluster.with(
                        new Placement(PodId.of("u" + g), "n", Resources.NONE, List.of(ContainerGrant.of("c", grant))));
            }
        }
        return cluster.node(0);
    }

    private static Pod pod(Random random) {
        int containers = 2 + random.nextInt(7);
        boolean equal = random.nextInt(3) == 0;
        List<Container> list = new ArrayList<>();
        for (int c = 0; c < containers; c++) {
            ContainerKind kind = random.nextInt(3) > 0
                    ? ContainerKind.ORDINARY
                    : random.nextBoolean() ? ContainerKind.INIT : ContainerKind.SIDECAR;
            GpuRequest request = equal && c > 0 ? list.get(0).gpu() : request(random);
            list.add(new Container("c" + c, kind, Resources.NONE, request));
        }
        return new Pod(PodId.of("p"), list, NodeSelector.ANY, List.of());
    }

    private static GpuRequest request(Random random) {
        GpuSelector selector = switch (random.nextInt(10)) {
            case 0 -> GpuSelector.models("A100");
            case 1 -> GpuSelector.ANY.withDeniedUuids(Set.of("gpu-0", "gpu-3"));
            case 2 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NUMA_NODE));
            case 3 -> GpuSelector.ANY.withAffinity(GpuAffinity.requiring(Bond.NVLINK_CLIQUE));
            default -> GpuSelector.ANY;
        };
        return switch (random.nextInt(8)) {
            case 0 -> GpuRequest.exclusive(1 + random.nextInt(2), selector);
            case 1 -> GpuRequest.percent(5 + random.nextInt(60)).withSelector(selector);
            case 2 -> GpuRequest.share(0, GpuMemory.mib(random.nextInt(200))).withSelector(selector);
            case 3 ->
                GpuRequest.share(10 + random.nextInt(300), GpuMemory.mib(random.nextInt(100)))
                        .withCount(1 + random.nextInt(4))
                        .withSelector(selector);
            default ->
                GpuRequest.share(100 + 10 * random.nextInt(50), GpuMemory.mib(10L * random.nextInt(40)))
                        .withSelector(selector);
        };
    }

    @Property(tries = 250)
    void binPack_findsAndProvesTheBestLayout(@ForAll long seed) {
        Random random = new Random(seed);
        NodeState node = node(random);
        Pod pod = pod(random);
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        Decision decision = GpuScheduler.create().schedule(cluster(node), pod);

        if (expected.isEmpty()) {
            assertThat(((Unschedulable) decision).certainty()).isEqualTo(Certainty.PROVEN);
        } else {
            assertThat(decision).as("%s on %s", pod, node).isInstanceOf(Placed.class);
            Placed placed = (Placed) decision;
            assertThat(BinPack.of().score(node, node.with(placed.placement()), pod))
                    .isEqualTo(expected.getAsLong());
            assertThat(placed.certainty()).isEqualTo(Certainty.PROVEN);
        }
    }

    @Property(tries = 250)
    void anyPolicy_findsALayoutExactlyWhenOneExists(@ForAll long seed) {
        Random random = new Random(seed);
        NodeState node = node(random);
        Pod pod = pod(random);
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        for (PlacementPolicy policy : List.of(
                FirstFit.of(), Spread.of(), new StressCase.HighestFirst(true), new StressCase.HighestFirst(false))) {
            Decision decision = GpuScheduler.of(policy).schedule(cluster(node), pod);
            assertThat(decision.isPlaced()).isEqualTo(expected.isPresent());
            if (decision instanceof Unschedulable no) {
                assertThat(no.certainty()).isEqualTo(Certainty.PROVEN);
            }
        }
    }

    @Property(tries = 120)
    void aTinyBudget_stillGivesLegalAnswersAndNeverAWrongProof(@ForAll long seed) {
        Random random = new Random(seed);
        NodeState node = node(random);
        Pod pod = pod(random);
        GpuScheduler hasty = GpuScheduler.builder()
                .budget(SearchBudget.ofSteps(1 + random.nextInt(3_000)))
                .build();
        OptionalLong expected = NaiveLayouts.bestBinPack(node, pod);
        Assume.that(expected != null);

        Decision decision = hasty.schedule(cluster(node), pod);

        if (decision instanceof Placed placed) {
            long score = BinPack.of().score(node, node.with(placed.placement()), pod);
            assertThat(score).isLessThanOrEqualTo(expected.getAsLong());
            if (placed.certainty() == Certainty.PROVEN) {
                assertThat(score).isEqualTo(expected.getAsLong());
            }
        } else if (((Unschedulable) decision).certainty() == Certainty.PROVEN) {
            assertThat(expected).isEmpty();
        }
        assertThat(hasty.schedule(cluster(node), pod).toString()).isEqualTo(decision.toString());
    }

    private static Cluster cluster(NodeState node) {
        Cluster cluster = Cluster.of(List.of(node.node()));
        for (Placement placement : node.placements()) {
            cluster = cluster.with(placement);
        }
        return cluster;
    }
}
