package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Taint;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.testkit.Oracle;
import io.gpusched.testkit.PlainScores;
import io.gpusched.testkit.RuledPlaces;
import io.gpusched.testkit.RuledWorld;
import io.gpusched.testkit.TestPolicies;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Preferences between pods decide before the policy does, as kube-scheduler weighs them, on random small clusters that change. */
class PodPreferenceProperties {
    private static final int STEPS = 40;
    private static final int MOST_NODES = 10;
    private static final Taint CORDON = Taint.noSchedule("node.kubernetes.io/unschedulable", "");

    private final List<PlacementPolicy> policies = TestPolicies.all();

    @Property(tries = 150)
    void thePolicyChoosesAmongTheNodesThatScoreHighest(@ForAll long seed) {
        RuledWorld world = seed % 2 == 0 ? new RuledWorld(seed) : RuledWorld.overOneLabel(seed);
        Cluster cluster = world.cluster(MOST_NODES);
        List<GpuScheduler> remembering = policies.stream().map(GpuScheduler::of).toList();
        for (int step = 0; step < STEPS; step++) {
            Pod pod = world.oneIn(4) ? world.pod() : world.preferringPod();
            Cluster seen = seen(cluster, pod);
            List<String> legal = RuledPlaces.legal(cluster, pod);
            List<NodeState> open = seen.nodes().stream()
                    .filter(node -> legal.contains(node.name()))
                    .toList();
            List<NodeState> best = open.isEmpty() ? open : PlainScores.best(cluster, pod, open);
            for (GpuScheduler scheduler : remembering) {
                Optional<Placement> found = placement(scheduler.schedule(cluster, pod));
                assertThat(found)
                        .as("%s by %s on %s", pod.rules(), scheduler.policy(), cluster.nodes())
                        .isEqualTo(chosen(scheduler.policy(), seen, pod, best));
                assertThat(placement(GpuScheduler.builder()
                                .policy(scheduler.policy())
                                .memory(0)
                                .build()
                                .schedule(cluster, pod)))
                        .isEqualTo(found);
            }
            if (!open.isEmpty() && !world.oneIn(8)) {
                cluster = cluster.with(
                        GpuScheduler.create().place(world.any(open), pod).orElseThrow());
            }
            cluster = world.oneIn(6) ? world.changed(cluster) : cluster;
        }
    }

    /** The cluster as a pod sees it: without cordons if it tolerates them. */
    private static Cluster seen(Cluster cluster, Pod pod) {
        Cluster open = cluster;
        if (pod.tolerations().stream().anyMatch(toleration -> toleration.tolerates(CORDON))) {
            for (NodeState node : cluster.nodes()) {
                open = open.withCordoned(node.name(), false);
            }
        }
        return open;
    }

    private static Optional<Placement> placement(Decision decision) {
        return decision instanceof Placed placed ? Optional.of(placed.placement()) : Optional.empty();
    }

    /** The place that the policy scores highest, the first in node order of equal ones. */
    private static Optional<Placement> chosen(PlacementPolicy policy, Cluster open, Pod pod, List<NodeState> nodes) {
        Placement best = null;
        for (NodeState node : nodes) {
            Placement place = GpuScheduler.builder()
                    .policy(policy)
                    .memory(0)
                    .build()
                    .place(node, pod)
                    .orElseThrow();
            boolean better =
                    best == null || Oracle.score(policy, open, place, pod) > Oracle.score(policy, open, best, pod);
            best = better ? place : best;
        }
        return Optional.ofNullable(best);
    }
}
