package io.gpusched.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.BinPack;
import io.gpusched.policy.BoundedPolicy;
import io.gpusched.policy.FirstFit;
import io.gpusched.testkit.BruteForce;
import io.gpusched.testkit.SmallWorld;
import io.gpusched.workload.Pod;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What bounded policies promise of their bounds, for every way to place pods in small worlds. */
class BoundProperties {
    private static final List<BoundedPolicy> POLICIES = List.of(BinPack.of(), FirstFit.of());

    @Property(tries = 1000)
    void noLayout_scoresAboveTheBoundOfWhatItCosts(@ForAll long seed) {
        SmallWorld world = new SmallWorld(seed);
        Cluster cluster = world.cluster(3);
        Pod pod = world.pod();
        for (BoundedPolicy policy : POLICIES) {
            for (NodeState node : cluster.nodes()) {
                BoundedPolicy.Bound bound = policy.bound(node, pod);
                for (NodeState after : BruteForce.ways(node, pod)) {
                    long cost = 0;
                    for (int g = 0; g < node.gpuCount(); g++) {
                        cost += cost(bound, node, after, g, 1);
                    }
                    if (cost > 0 || policy == FirstFit.of()) {
                        assertThat(policy.score(node, after, pod)).isLessThanOrEqualTo(bound.bestScore(cost));
                    }
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
            BoundedPolicy.Bound bound = BinPack.of().bound(node, pod);
            for (NodeState after : BruteForce.ways(node, pod)) {
                for (int g = 0; g < node.gpuCount(); g++) {
                    long all = cost(bound, node, after, g, 1);
                    long half = cost(bound, node, after, g, 2);
                    assertThat(half).isBetween(0L, all);
                    assertThat(bound.bestScore(half)).isGreaterThanOrEqualTo(bound.bestScore(all));
                }
            }
        }
    }

    /** What this part of what was taken of a GPU costs. */
    private static long cost(BoundedPolicy.Bound bound, NodeState before, NodeState after, int g, int part) {
        int slots = before.freeSlots(g) - after.freeSlots(g);
        return bound.cost(
                g,
                (before.freeComputeMillis(g) - after.freeComputeMillis(g)) / part,
                (before.freeMemoryMib(g) - after.freeMemoryMib(g)) / part,
                (slots + part - 1) / part);
    }
}
