package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Change;
import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Fact;
import io.gpusched.decision.Reason;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodGroup;
import io.gpusched.workload.PodRules;
import io.gpusched.workload.TopologySpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Rules between pods: which pods are in the way, as data, and where a node that joins would help. */
class BlockingPodsTest {
    private static final PodAffinity.Term WEB_IN_THE_RACK =
            PodAffinity.Term.of(LabelSelector.label("app", "web"), "rack");
    private static final PodRules WEB = PodRules.NONE.withLabels(Map.of("app", "web"));

    private final GpuScheduler scheduler = GpuScheduler.create();

    private static Node node(String name, String rack) {
        return Node.builder(name).capacity(8_000, 8_000).label("rack", rack).build();
    }

    private static Cluster twoRacks() {
        return Cluster.of(List.of(node("a1", "a"), node("a2", "a"), node("b1", "b")));
    }

    private static Pod pod(String name, PodRules rules) {
        return Pod.of(name, Resources.of(1_000, 100), GpuRequest.none()).withRules(rules);
    }

    private Cluster with(Cluster cluster, Pod pod, String node) {
        return cluster.with(
                scheduler.place(cluster.node(node).orElseThrow(), pod).orElseThrow());
    }

    private Diagnosis refusal(Cluster cluster, Pod pod) {
        return ((Unschedulable) scheduler.schedule(cluster, pod)).diagnosis();
    }

    private static Fact onlyFact(Diagnosis diagnosis, Reason.Code code) {
        Reason reason = diagnosis.reasons().get(0);
        assertThat(reason.code()).isEqualTo(code);
        assertThat(reason.facts()).hasSize(1);
        return reason.facts().get(0);
    }

    @Test
    void antiAffinity_namesThePodsThatItStaysAwayFrom_andANodeElsewhere() {
        Cluster cluster = with(with(twoRacks(), pod("w1", WEB), "a1"), pod("w2", WEB), "b1");
        cluster = with(cluster, pod("other", PodRules.NONE), "a2");
        PodRules apart = PodRules.NONE.withAntiAffinity(PodAffinity.required(WEB_IN_THE_RACK));

        Diagnosis diagnosis = refusal(cluster, pod("p", apart));

        assertThat(onlyFact(diagnosis, Reason.Code.POD_ANTI_AFFINITY))
                .isEqualTo(new Fact.Apart("rack", false, List.of(PodId.of("w1"), PodId.of("w2"))));
        assertThat(diagnosis.reasons().get(0).detail()).isEqualTo("it stays away from pods in the same rack (w1, w2)");
        // a node in rack a or b would be refused as these are
        Change.AddNodes add = diagnosis.remedy().nodes().get(0);
        assertThat(accepts(add, node("new", "a"))).isFalse();
        assertThat(accepts(add, node("new", "c"))).isTrue();
        assertThat(scheduler
                        .schedule(cluster.withNode(node("new", "c")), pod("p", apart))
                        .isPlaced())
                .isTrue();
        assertThat(diagnosis.remedy().changes()).containsExactly(add);
    }

    private static boolean accepts(Change.AddNodes add, Node node) {
        for (NodeSelector selector : add.each().labels()) {
            if (!selector.matches(node)) {
                return false;
            }
        }
        return true;
    }

    @Test
    void runningPodsThatKeepItAway_areNamed() {
        PodRules apart = PodRules.NONE.withAntiAffinity(PodAffinity.required(WEB_IN_THE_RACK));
        Cluster cluster = with(with(twoRacks(), pod("x1", apart), "a2"), pod("x2", apart), "b1");

        assertThat(onlyFact(refusal(cluster, pod("p", WEB)), Reason.Code.POD_ANTI_AFFINITY))
                .isEqualTo(new Fact.Apart("rack", true, List.of(PodId.of("x1"), PodId.of("x2"))));
    }

    @Test
    void portsThatAreTaken_nameThoseWhoTakeThem() {
        PodRules port = PodRules.NONE.withHostPorts(HostPort.tcp(80));
        Cluster cluster = twoRacks();
        for (String node : List.of("a1", "a2", "b1")) {
            cluster = with(cluster, pod("on-" + node, port), node);
        }

        Diagnosis diagnosis = refusal(cluster, pod("p", port));

        assertThat(onlyFact(diagnosis, Reason.Code.HOST_PORT))
                .isEqualTo(new Fact.TakenPort(
                        HostPort.tcp(80), List.of(PodId.of("on-a1"), PodId.of("on-a2"), PodId.of("on-b1"))));
        assertThat(diagnosis.remedy().nodes()).hasSize(1);
    }

    @Test
    void spread_namesThePodsOfTheDomainsThatHaveTooMany() {
        TopologySpread spread = TopologySpread.required("rack", 1, LabelSelector.label("app", "web"));
        PodRules rules = WEB.withSpread(spread);
        Cluster cluster = with(with(twoRacks(), pod("w1", WEB), "a1"), pod("w2", WEB), "a2");
        cluster = with(cluster, Pod.of("big", Resources.of(8_000, 100), GpuRequest.none()), "b1");

        Diagnosis diagnosis = refusal(cluster, pod("p", rules));

        Reason reason = diagnosis.reasons().get(0);
        assertThat(reason.code()).isEqualTo(Reason.Code.TOPOLOGY_SPREAD);
        assertThat(reason.nodeNames()).containsExactly("a1", "a2");
        assertThat(reason.facts())
                .containsExactly(new Fact.Spread("rack", 1, 0, List.of(PodId.of("w1"), PodId.of("w2"))));
    }

    @Test
    void aGroupWithinARack_whoseMembersStayApartByRack_isNotToldToAddANodeThere() {
        PodRules apart = WEB.withAntiAffinity(PodAffinity.required(WEB_IN_THE_RACK));
        List<Node> nodes = new ArrayList<>();
        for (String name : List.of("a1", "a2")) {
            nodes.add(node(name, "a").toBuilder()
                    .topology(Topology.of("rack", "a"))
                    .build());
        }
        PodGroup group =
                PodGroup.of("g", List.of(pod("p", apart), pod("q", apart))).withLocality(Locality.within("rack"));

        Diagnosis diagnosis = ((Unschedulable) scheduler.schedule(Cluster.of(nodes), group)).diagnosis();

        assertThat(diagnosis.remedy().changes()).isEmpty();
        assertThat(diagnosis.remedy().nodes()).isEmpty();
    }
}
