package io.gpusched.schedule.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Diagnosis;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodAffinity;
import io.gpusched.workload.PodRules;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** No remedy asks a pod to leave that the refused pod must be near. */
class NeededPodTest {
    private static final Resources SMALL = Resources.of(1_000, 1_000);
    private static final PodRules WEB = PodRules.NONE.withLabels(Map.of("app", "web"));
    private static final PodRules NEAR_WEB = PodRules.NONE.withAffinity(
            PodAffinity.required(PodAffinity.Term.of(LabelSelector.label("app", "web"), "host")));

    private static Node.Builder node(String name) {
        return node(name, name);
    }

    private static Node.Builder node(String name, String host) {
        return Node.builder(name)
                .capacity(4_000, 4_000)
                .gpus(2, GpuModel.of("nvidia", "T4", 16_000))
                .label("host", host);
    }

    private static Pod pod(String name, PodRules rules, GpuRequest gpu) {
        return Pod.of(name, SMALL, gpu).withRules(rules);
    }

    private static Cluster running(Cluster cluster, String node, Pod... pods) {
        Cluster now = cluster;
        for (Pod pod : pods) {
            now = now.with(GpuScheduler.create()
                    .place(now.node(node).orElseThrow(), pod)
                    .orElseThrow());
        }
        return now;
    }

    private static Diagnosis diagnosis(Cluster cluster, Pod pod) {
        return ((Unschedulable) GpuScheduler.create().schedule(cluster, pod)).diagnosis();
    }

    @Test
    void aFullNode_losesAnotherPod() {
        Cluster cluster = running(
                Cluster.of(List.of(node("n1").maxPods(2).build())),
                "n1",
                pod("a-web", WEB, GpuRequest.none()),
                pod("other", PodRules.NONE, GpuRequest.none()));
        Pod asking = pod("p", NEAR_WEB, GpuRequest.none());

        assertThat(diagnosis(cluster, asking).remedy()).hasToString("release pod \"other\" on n1");
        assertThat(GpuScheduler.create()
                        .schedule(cluster.without(PodId.of("other")), asking)
                        .isPlaced())
                .isTrue();
    }

    @Test
    void aFullNodeOnWhichNothingElseRuns_isNoRemedy() {
        Cluster cluster =
                running(Cluster.of(List.of(node("n1").maxPods(1).build())), "n1", pod("web", WEB, GpuRequest.none()));

        Diagnosis diagnosis = diagnosis(cluster, pod("p", NEAR_WEB, GpuRequest.none()));

        assertThat(diagnosis.remedy().changes()).isEmpty();
        assertThat(diagnosis.toString()).doesNotContain("nearest remedy");
    }

    @Test
    void aWholeNode_isNotEmptiedOfThePodThatMustBeThere() {
        Cluster cluster = running(Cluster.of(List.of(node("n1").build())), "n1", pod("web", WEB, GpuRequest.none()));

        assertThat(diagnosis(cluster, pod("p", NEAR_WEB, GpuRequest.wholeNode()))
                        .remedy()
                        .changes())
                .isEmpty();
    }

    @Test
    void gpusHeldByThePodThatMustBeThere_areNotToBeFreed() {
        Cluster cluster =
                running(Cluster.of(List.of(node("n1").build())), "n1", pod("web", WEB, GpuRequest.exclusive(1)));

        assertThat(diagnosis(cluster, pod("p", NEAR_WEB, GpuRequest.exclusive(2)))
                        .remedy()
                        .changes())
                .isEmpty();
    }

    @Test
    void wherePodsLikeItRunElsewhereInTheDomain_anyMayLeave() {
        Cluster cluster = Cluster.of(List.of(
                node("n1", "shared").maxPods(1).build(),
                node("n2", "shared").maxPods(1).build()));
        cluster = running(cluster, "n1", pod("web1", WEB, GpuRequest.none()));
        cluster = running(cluster, "n2", pod("web2", WEB, GpuRequest.none()));

        assertThat(diagnosis(cluster, pod("p", NEAR_WEB, GpuRequest.none())).remedy())
                .hasToString("release pod \"web1\" on n1");
    }
}
