package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.BinPack;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.Pod;
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
