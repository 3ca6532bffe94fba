package io.gpusched.schedule.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.HostPort;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A node may be replaced by one whose residents are the same but for their rules, labels or ports. */
class ReplacedResidentsTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final PodRules APART =
            PodRules.NONE.withAntiAffinity(PodAffinity.required(PodAffinity.Term.of(LabelSelector.ALL, HOST)));
    private static final PodRules PORT = PodRules.NONE.withHostPorts(HostPort.tcp(80));

    private static Node node(PodRules rules) {
        Pod pod = Pod.of("resident", Resources.NONE, GpuRequest.none()).withRules(rules);
        Placement resident = new Placement(
                        PodId.of("resident"), "n", Resources.NONE, List.of(ContainerGrant.of("main", GpuGrant.none())))
                .withSpec(pod.spec());
        return Node.builder("n")
                .capacity(8_000, 8_000)
                .label(HOST, "n")
                .resident(resident)
                .build();
    }

    /** Where a pod may go, by one scheduler, on a node whose resident has some rules, then others, and then some again. */
    private static List<Boolean> isPlaced(Pod pod, PodRules before, PodRules after) {
        GpuScheduler scheduler = GpuScheduler.create();
        Cluster first = Cluster.of(List.of(node(before)));
        Cluster second = first.withReplaced(node(after));
        Cluster third = second.withReplaced(node(before));
        Cluster without = third.withNode(Node.builder("m").build()).withoutNode("n");
        return List.of(first, second, third, without).stream()
                .map(cluster -> scheduler.schedule(cluster, pod).isPlaced())
                .toList();
    }

    @Test
    void rulesOfAResidentThatComeOrGo_areLookedAt() {
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.none());
        assertThat(isPlaced(pod, APART, PodRules.NONE)).containsExactly(false, true, false, true);
        assertThat(isPlaced(pod, PodRules.NONE, APART)).containsExactly(true, false, true, true);
    }

    @Test
    void portsOfAResidentThatComeOrGo_areLookedAt() {
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.none()).withRules(PORT);
        assertThat(isPlaced(pod, PORT, PodRules.NONE)).containsExactly(false, true, false, true);
        assertThat(isPlaced(pod, PodRules.NONE, PORT)).containsExactly(true, false, true, true);
    }

    @Test
    void labelsOfAResidentThatComeOrGo_areLookedAt() {
        PodRules web = PodRules.NONE.withLabels(Map.of("app", "web"));
        PodAffinity.Term term = PodAffinity.Term.of(LabelSelector.label("app", "web"), HOST);
        Pod pod = Pod.of("p", Resources.NONE, GpuRequest.none())
                .withRules(PodRules.NONE.withAntiAffinity(PodAffinity.required(term)));
        assertThat(isPlaced(pod, web, PodRules.NONE)).containsExactly(false, true, false, true);
        assertThat(isPlaced(pod, PodRules.NONE, web)).containsExactly(true, false, true, true);
    }
}
