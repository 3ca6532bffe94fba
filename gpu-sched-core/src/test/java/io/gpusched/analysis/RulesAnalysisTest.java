package io.gpusched.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Reason;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.Toleration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What can be said of a snapshot whose pods have rules. */
class RulesAnalysisTest {
    private static final PodRules WEB = PodRules.NONE.withLabels(Map.of("app", "web"));
    private static final PodRules ONE_A_ZONE =
            WEB.withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), "zone")));

    private static Node node(String name, String zone) {
        return Node.builder(name)
                .capacity(8_000, 8_000)
                .label("zone", zone)
                .gpus(8, GpuModel.of("nvidia", "A100", 100))
                .build();
    }

    private static final Cluster NODES = Cluster.of(List.of(node("n1", "a"), node("n2", "a"), node("n3", "b")));

    private static Pod pod(String name, PodRules rules) {
        return Pod.of(name, Resources.of(1_000, 0), GpuRequest.exclusive(1)).withRules(rules);
    }

    private static Cluster with(Cluster cluster, String node, Pod pod) {
        Pod there = pod.withRules(pod.rules().withNodeName(node));
        Placement placement = ((Placed) GpuScheduler.create().schedule(cluster, there)).placement();
        return cluster.with(placement.withSpec(pod.spec()));
    }

    @Test
    void aDrain_movesPodsOnlyWhereTheirRulesLetThem() {
        Cluster cluster = with(NODES, "n1", pod("a", ONE_A_ZONE));
        assertThat(Drain.of(cluster, List.of("n1")).moves())
                .extracting(Placement::node)
                .containsExactly("n2");
        Drain both = Drain.of(with(cluster, "n3", pod("b", ONE_A_ZONE)), List.of("n3"));
        assertThat(both.isPossible()).isFalse();
        assertThat(both.obstacles().get(0).refusal().orElseThrow().diagnosis().reasons())
                .extracting(Reason::code)
                .contains(Reason.Code.POD_ANTI_AFFINITY);
    }

    @Test
    void podsThatDoNotMindACordon_areNotPutBackWhereTheyCameFrom() {
        Pod daemon = Pod.builder("d")
                .container("main", Resources.of(1_000, 0), GpuRequest.none())
                .toleration(Toleration.everything())
                .build();
        Drain drain = Drain.of(with(NODES, "n1", daemon), List.of("n1"));
        assertThat(drain.moves()).extracting(Placement::node).containsExactly("n2");
        assertThat(drain.after().node("n1").orElseThrow().node().maxPods()).isEqualTo(Node.DEFAULT_MAX_PODS);
    }

    @Test
    void aScaleDown_keepsTheNodesThatRulesNeed() {
        Cluster cluster = with(with(NODES, "n1", pod("a", ONE_A_ZONE)), "n3", pod("b", ONE_A_ZONE));
        assertThat(ScaleDown.of(cluster).nodes()).containsExactly("n2");
    }

    @Test
    void headroom_countsOnePodForEachDomain() {
        Headroom headroom = Headroom.of(NODES, pod("a", ONE_A_ZONE));
        assertThat(headroom.pods()).isEqualTo(2);
        assertThat(headroom.exact()).isFalse();
        Headroom port = Headroom.of(NODES, pod("a", PodRules.NONE.withHostPorts(HostPort.tcp(80))));
        assertThat(port.byNode()).isEqualTo(Map.of("n1", 1L, "n2", 1L, "n3", 1L));
    }

    @Test
    void headroom_leavesOutWhereRunningPodsKeepOthersAway() {
        Cluster cluster = with(NODES, "n1", pod("a", ONE_A_ZONE));
        Headroom headroom = Headroom.of(cluster, pod("b", WEB));
        assertThat(headroom.byNode()).isEqualTo(Map.of("n3", 8L));
        assertThat(headroom.exact()).isTrue();
    }

    @Test
    void whyNoMore_namesTheRule() {
        Diagnosis why = Headroom.whyNoMore(NODES, pod("a", ONE_A_ZONE));
        assertThat(why.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.code()).isEqualTo(Reason.Code.POD_ANTI_AFFINITY);
            assertThat(reason.nodes()).isEqualTo(3);
        });
    }
}
