package io.gpusched.internal.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.internal.rules.Taints;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.PlainScores;
import io.gpusched.testkit.RuledPlaces;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;
import org.jspecify.annotations.Nullable;

/** Preferences between pods, asked for level by level, against the scores of all nodes with room, on random small clusters that change. */
class SoftTiersProperties {
    private static final int STEPS = 40;
    private static final int MOST_NODES = 10;

    private final List<PlacementPolicy> policies = TestPolicies.allAndRandom();

    /** How the nodes that a pod likes best were told. */
    private enum Way {
        FIRST_LEVEL,
        LATER_LEVEL,
        WEIGHED
    }

    @Property(tries = 300)
    void theFirstLevelWithRoom_isOfTheNodesThatScoreHighest(@ForAll long seed) {
        RuledWorld world = world(seed);
        Cluster cluster = world.cluster(MOST_NODES);
        for (int step = 0; step < STEPS; step++) {
            Pod pod = pod(world);
            List<NodeState> open = open(cluster, pod, node -> true);
            RuleSet rules = RuledDemand.of(cluster, new PodDemand(pod)).rules();
            Preferences preferences = rules == null ? null : rules.preferences();
            if (preferences != null && open.size() > 1) {
                Statistics.collect(compare(cluster, pod, open, rules));
            }
            cluster = moved(world, cluster, pod, open);
        }
        Statistics.coverage(counted -> {
            counted.check(Way.FIRST_LEVEL).percentage(part -> part > 30);
            counted.check(Way.LATER_LEVEL).percentage(part -> part > 3);
            counted.check(Way.WEIGHED).percentage(part -> part > 10);
        });
    }

    private static Way compare(Cluster cluster, Pod pod, List<NodeState> open, RuleSet rules) {
        Supplier<@Nullable RuleSet> tiers = rules.tiers();
        Way way = Way.FIRST_LEVEL;
        for (RuleSet tier = tiers.get(); tier != null; tier = tiers.get()) {
            RuleSet admitting = tier;
            List<NodeState> found = open.stream()
                    .filter(node -> admitting.admits(node.node()) && !mustAvoid(node, pod))
                    .toList();
            if (!found.isEmpty()) {
                assertThat(found)
                        .as("%s on %s", pod.rules(), cluster.nodes())
                        .isEqualTo(PlainScores.best(cluster, pod, open));
                return way;
            }
            way = Way.LATER_LEVEL;
        }
        return Way.WEIGHED;
    }

    private static boolean mustAvoid(NodeState node, Pod pod) {
        return Taints.avoided(node.node().taints(), Taints.tolerated(pod.tolerations())) > 0;
    }

    @Property(tries = 120)
    void thePolicyChoosesAmongTheNodesThatScoreHighest(@ForAll long seed) {
        RuledWorld world = world(seed);
        Cluster cluster = world.cluster(MOST_NODES);
        List<PlacementSearch> remembering = policies.stream()
                .map(policy -> PlacementSearch.of(policy, 1_000))
                .toList();
        for (int step = 0; step < STEPS; step++) {
            Pod pod = pod(world);
            NodeRange range = range(world, cluster);
            List<NodeState> open = open(cluster, pod, range::contains);
            List<NodeState> best = open.isEmpty() ? open : PlainScores.best(cluster, pod, open);
            RuleSet rules = RuledDemand.of(cluster, new PodDemand(pod)).rules();
            boolean prefers = rules != null && rules.preferences() != null;
            for (PlacementSearch search : remembering) {
                if (search.policy() instanceof RandomFit && !prefers) {
                    continue; // it draws by places in the node order
                }
                Placement found = find(search, cluster, pod, range);
                assertThat(Optional.ofNullable(found))
                        .as("%s by %s on %s", pod.rules(), search.policy(), cluster.nodes())
                        .isEqualTo(chosen(search.policy(), cluster, pod, best));
                assertThat(find(PlacementSearch.of(search.policy(), 0), cluster, pod, range))
                        .isEqualTo(found);
            }
            cluster = moved(world, cluster, pod, open);
        }
    }

    private static RuledWorld world(long seed) {
        return seed % 2 == 0 ? new RuledWorld(seed) : RuledWorld.overOneLabel(seed);
    }

    private static Pod pod(RuledWorld world) {
        return world.oneIn(4) ? world.pod() : world.preferringPod();
    }

    private static NodeRange range(RuledWorld world, Cluster cluster) {
        return world.oneIn(4) && !cluster.domains(RuledWorld.LEVEL).isEmpty()
                ? NodeRange.of(cluster.domains(RuledWorld.LEVEL).get(0))
                : NodeRange.EVERYWHERE;
    }

    private static Placement find(PlacementSearch search, Cluster cluster, Pod pod, NodeRange range) {
        return search.find(cluster, new PodDemand(pod), range, SearchSteps.of(1_000_000));
    }

    /** Returns the nodes of a range with room by all that is required, in node order, as the pod sees them. */
    private static List<NodeState> open(Cluster cluster, Pod pod, Predicate<NodeState> range) {
        List<String> legal = RuledPlaces.legal(cluster, pod);
        return RuledDemand.opened(cluster, new PodDemand(pod)).nodes().stream()
                .filter(node -> legal.contains(node.name()) && range.test(node))
                .toList();
    }

    /** The place that the policy scores highest, the first in node order of equal ones. */
    private static Optional<Placement> chosen(PlacementPolicy policy, Cluster cluster, Pod pod, List<NodeState> nodes) {
        Cluster open = RuledDemand.opened(cluster, new PodDemand(pod));
        Placement best = null;
        for (NodeState node : nodes) {
            Placement place = GpuScheduler.of(policy, 0).place(node, pod).orElseThrow();
            boolean better =
                    best == null || Oracle.score(policy, open, place, pod) > Oracle.score(policy, open, best, pod);
            best = better ? place : best;
        }
        return Optional.ofNullable(best);
    }

    private static Cluster moved(RuledWorld world, Cluster cluster, Pod pod, List<NodeState> open) {
        Cluster now = cluster;
        if (!open.isEmpty() && !world.oneIn(8)) {
            NodeState any = world.any(open);
            now = cluster.with(GpuScheduler.create().place(any, pod).orElseThrow());
        }
        return world.oneIn(6) ? world.changed(now) : now;
    }
}
