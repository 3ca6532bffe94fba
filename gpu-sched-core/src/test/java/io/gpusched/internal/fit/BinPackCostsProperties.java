package io.gpusched.internal.fit;

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
import io.gpusched.policy.BinPack;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What the costs of bin-pack promise of its scores, for every way to place pods in small worlds. */
class BinPackCostsProperties {
    @Property(tries = 1000)
    void noLayout_scoresAboveTheBoundOfWhatItCosts(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(3);
        Pod pod = world.pod();
        for (NodeState node : cluster.nodes()) {
            BinPackCosts costs = new BinPackCosts(node, pod);
            for (NodeState after : BruteForce.ways(node, pod)) {
                long cost = 0;
                for (int g = 0; g < node.gpuCount(); g++) {
                    cost += cost(costs, node, after, g, 1);
                }
                if (cost > 0) {
                    assertThat(BinPack.of().score(node, after, pod)).isLessThanOrEqualTo(costs.bestScore(cost));
                }
            }
        }
    }

    @Property(tries = 500)
    void whatTakesComputeOfEachGpu_scoresExactlyTheBound(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(3);
        Pod pod = world.pod();
        for (NodeState node : cluster.nodes()) {
            Assume.that(hasPercentLeft(node));
            BinPackCosts costs = new BinPackCosts(node, pod);
            for (NodeState after : BruteForce.ways(node, pod)) {
                long cost = 0;
                boolean isKnown = true;
                for (int g = 0; g < node.gpuCount(); g++) {
                    isKnown &= node.freeSlots(g) == after.freeSlots(g)
                            || node.freeComputeMillis(g) > after.freeComputeMillis(g);
                    cost += cost(costs, node, after, g, 1);
                }
                if (isKnown && cost > 0) {
                    assertThat(costs.bestScore(cost)).isEqualTo(BinPack.of().score(node, after, pod));
                }
            }
        }
    }

    /** Whether each shared GPU with a free slot has a percent left of both, so that it costs something to take from it. */
    private static boolean hasPercentLeft(NodeState node) {
        for (int g = 0; g < node.gpuCount(); g++) {
            Gpu device = node.nodeClass().gpus().get(g);
            boolean isEmpty = node.freeComputeMillis(g) * 100L < device.computeMillis()
                    || node.freeMemoryMib(g) * 100 < device.memoryMib();
            if (isEmpty && node.freeSlots(g) > 0) {
                return false;
            }
        }
        return true;
    }

    @Example
    void aPodThatTakesMemoryAlone_isChargedThePercentageOfMemory_andTheSmallerOneWhereItIsOpenWhich() {
        GpuModel model = GpuModel.of("nvidia", "A100", 1_000);
        Cluster cluster = Cluster.of(List.of(Node.builder("n").gpus(3, model).build()))
                .with(share("a", new GpuShare(0, 200, 700, 1)))
                .with(share("b", new GpuShare(1, 900, 105, 1)));
        NodeState node = cluster.node(0);

        BinPackCosts memory =
                new BinPackCosts(node, Pod.of("p", Resources.NONE, GpuRequest.share(0, GpuMemory.mib(10))));
        assertThat(memory.cost(0, 0, 10, 1)).isEqualTo(30 << 8);
        assertThat(memory.cost(1, 0, 10, 1)).isEqualTo(89 << 8);
        assertThat(memory.cost(1, 5, 10, 1)).isEqualTo(10 << 8);
        assertThat(memory.cost(1, 0, 10, 0)).isZero();
        assertThat(memory.cost(2, 0, 10, 1)).isEqualTo(1L << 32);

        BinPackCosts both = new BinPackCosts(node, Pod.of("p", Resources.NONE, GpuRequest.share(5, GpuMemory.mib(10))));
        assertThat(both.cost(0, 0, 10, 1)).isEqualTo(30 << 8);
        assertThat(both.cost(0, 5, 0, 1)).isEqualTo(80 << 8);
        assertThat(both.cost(1, 0, 10, 1)).isEqualTo(10 << 8);
        assertThat(both.cost(1, 0, 0, 1)).isEqualTo(10 << 8);
    }

    @Example
    void onlyIdleGpus_scoreAsMuchLessAsThereAreIdleOnes_unlessASharedOneCostsNothing() {
        GpuModel model = GpuModel.of("nvidia", "A100", 1_000);
        Cluster cluster = Cluster.of(List.of(Node.builder("n").gpus(3, model).build()));
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.exclusive(1));

        assertThat(new BinPackCosts(cluster.node(0), pod).bestScore(2L << 32)).isEqualTo(-(2L << 32) - 3);
        assertThat(new BinPackCosts(cluster.node(0), pod).bestScore(256)).isEqualTo(-256);

        Cluster full = cluster.with(share("a", new GpuShare(0, 995, 10, 1)));
        assertThat(new BinPackCosts(full.node(0), pod).bestScore(2L << 32)).isEqualTo(-(2L << 32));
        Cluster percent = cluster.with(share("a", new GpuShare(0, 990, 10, 1)));
        assertThat(new BinPackCosts(percent.node(0), pod).bestScore(2L << 32)).isEqualTo(-(2L << 32) - 2);
    }

    private static Placement share(String pod, GpuShare share) {
        GpuGrant grant = new GpuGrant.Shared(List.of(share));
        return new Placement(PodId.of(pod), "n", Resources.NONE, List.of(ContainerGrant.of("c", grant)));
    }

    @Property(tries = 500)
    void takingLess_neverCostsMoreNorLowersTheBound(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(3);
        Pod pod = world.pod();
        for (NodeState node : cluster.nodes()) {
            BinPackCosts costs = new BinPackCosts(node, pod);
            for (NodeState after : BruteForce.ways(node, pod)) {
                for (int g = 0; g < node.gpuCount(); g++) {
                    long all = cost(costs, node, after, g, 1);
                    long half = cost(costs, node, after, g, 2);
                    assertThat(half).isBetween(0L, all);
                    assertThat(costs.bestScore(half)).isGreaterThanOrEqualTo(costs.bestScore(all));
                }
            }
        }
    }

    /** What this part of what was taken of a GPU costs. */
    private static long cost(BinPackCosts costs, NodeState before, NodeState after, int g, int part) {
        int slots = before.freeSlots(g) - after.freeSlots(g);
        return costs.cost(
                g,
                (before.freeComputeMillis(g) - after.freeComputeMillis(g)) / part,
                (before.freeMemoryMib(g) - after.freeMemoryMib(g)) / part,
                (slots + part - 1) / part);
    }
}
