package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Placed;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodePreference;
import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What preferences are worth, where a point decides. */
class PreferenceScoreTest {
    private final GpuScheduler scheduler =
            GpuScheduler.builder().policy(FirstFit.of()).build();

    private static Pod pod(String name, PodRules rules) {
        return Pod.builder(name)
                .container("main", Resources.of(1, 1), GpuRequest.none())
                .rules(rules)
                .build();
    }

    private static PodAffinity.Weighted near(int weight, String app) {
        return new PodAffinity.Weighted(weight, PodAffinity.Term.of(LabelSelector.label("app", app), "zone"));
    }

    private static NodePreference in(int weight, String zone) {
        return new NodePreference(weight, new NodeSelector.Term(List.of(NodeRequirement.in("zone", zone))));
    }

    /** 2 x 28 + 2 x 100 on the first node, 2 x 100 + 2 x 29 on the second. */
    @Test
    void twentyNineHundredthsOfTheGreatestAffinityScore28_asKubeSchedulerCutsThem() {
        Cluster cluster = Cluster.of(List.of(node("n0"), node("n1"), node("n2")));
        cluster = with(cluster, "n0", "small");
        cluster = with(cluster, "n1", "great");
        Pod pod = pod(
                "new",
                PodRules.NONE
                        .withAffinity(new PodAffinity(List.of(), List.of(near(29, "small"), near(100, "great"))))
                        .withPreferredNodes(in(100, "n0"), in(29, "n1")));

        assertThat(scheduler.schedule(cluster, pod))
                .isInstanceOfSatisfying(
                        Placed.class,
                        placed -> assertThat(placed.placement().node()).isEqualTo("n1"));
    }

    private static Node node(String name) {
        return Node.builder(name).capacity(1_000, 1_000).label("zone", name).build();
    }

    private Cluster with(Cluster cluster, String node, String app) {
        Pod running = pod(app, PodRules.NONE.withLabels(Map.of("app", app)));
        return cluster.with(
                scheduler.place(cluster.node(node).orElseThrow(), running).orElseThrow());
    }
}
