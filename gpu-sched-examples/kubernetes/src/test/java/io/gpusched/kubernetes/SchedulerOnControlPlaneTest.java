package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.process.SchedulerProcess;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A scheduler process on a real API server: what pods get, and what is said of those that get nothing. */
class SchedulerOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    @Test
    void t9kPods_ofAllKinds_getTheirGpus() {
        plane.addNodes(t9kNode("whole", "xgn", 4), t9kNode("node", "xgn", 2), t9kNode("shared", "sgn", 1));
        calls.create(pod("exclusive", T9kDialect.GPU, "3"));
        calls.create(pod("percent-60", T9kDialect.GPU_PERCENT, "60"));
        calls.create(pod("percent-40", T9kDialect.GPU_PERCENT, "40"));
        calls.create(pod("percent-1", T9kDialect.GPU_PERCENT, "1"));
        calls.create(pod("all", T9kDialect.GPU_NODE, "1"));
        plane.run(TestPlane.settings("t9k"));

        calls.awaitBound("exclusive", "all");
        assertThat(calls.nodeOf("exclusive")).isEqualTo("whole");
        assertThat(calls.annotation("exclusive", "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("0,1,2");
        assertThat(calls.nodeOf("all")).isEqualTo("node");
        assertThat(calls.annotation("all", "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("all");
        Await.until(
                "two of three shares are bound",
                () -> List.of("percent-60", "percent-40", "percent-1").stream()
                                .filter(name -> calls.nodeOf(name).equals("shared"))
                                .count()
                        == 2);
        Await.until(
                "xgn nodes are tainted",
                () -> plane.client().nodes().withName("whole").get().getSpec().getTaints().stream()
                        .anyMatch(taint -> "sched.tensorstack.dev/xgn-mode".equals(taint.getKey())));
    }

    /** As node exporters and device plugins do on every node of a real cluster. */
    @Test
    void podsOfDaemonSets_doNotKeepAnyoneFromTheWholeNode_butTheirHostPortsCount() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        Pod exporter = onPort(Manifests.ofDaemonSet(pod("exporter", Map.of())));
        exporter.getSpec().setNodeName("n1");
        calls.create(exporter);
        plane.run(TestPlane.settings("t9k"));

        calls.create(onPort(pod("port", T9kDialect.GPU_NODE, "1")));
        calls.awaitPendingBecause("port", "ports of the node that other pods take");
        calls.create(pod("all", T9kDialect.GPU_NODE, "1"));
        calls.awaitBound("all");
        assertThat(calls.annotation("all", "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("all");
    }

    private static Pod onPort(Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .editFirstContainer()
                .addNewPort()
                .withContainerPort(9_100)
                .withHostPort(9_100)
                .endPort()
                .endContainer()
                .endSpec()
                .build();
    }

    @Test
    void aPodThatFindsNoRoom_saysWhy_andIsBoundWhenARoomIsFreed() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        calls.create(pod("first", T9kDialect.GPU, "2"));
        plane.run(TestPlane.settings("t9k"));
        calls.awaitBound("first");
        calls.create(pod("second", T9kDialect.GPU, "1"));
        calls.awaitPendingBecause("second", "no room now on any of 1 node");
        calls.awaitEvent("FailedScheduling", "second");

        calls.delete("first");

        calls.awaitBound("second");
    }

    @Test
    void podsOfThreeDialects_goToTheirNodes_withTheAnnotationsOfTheirSystems() {
        plane.addNodes(
                Manifests.node(
                        "nano", Map.of("gpu-sched.io/dialect", "nano-gpu"), Map.of("nano-gpu/gpu-percent", "200")),
                Manifests.node(
                        "ali",
                        Map.of("gpu-sched.io/dialect", "gpushare"),
                        Map.of("aliyun.com/gpu-mem", "32", "aliyun.com/gpu-count", "2")),
                Manifests.hamiNode("hami", Map.of()));
        calls.create(pod("nano", "nano-gpu/gpu-percent", "70"));
        calls.create(pod("ali", "aliyun.com/gpu-mem", "10"));
        calls.create(pod("hami", Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "3000")));
        plane.run(TestPlane.settings("hami", "nano-gpu", "gpushare"));

        calls.awaitBound("nano", "ali", "hami");
        assertThat(calls.nodeOf("nano")).isEqualTo("nano");
        assertThat(calls.annotation("nano", "nano-gpu/container-main")).isEqualTo("0");
        assertThat(calls.nodeOf("ali")).isEqualTo("ali");
        assertThat(calls.annotation("ali", "ALIYUN_COM_GPU_MEM_IDX")).isEqualTo("0");
        assertThat(calls.nodeOf("hami")).isEqualTo("hami");
        assertThat(calls.annotation("hami", "hami.io/vgpu-devices-allocated")).contains("GPU-a,NVIDIA");
    }

    @Test
    void aPodThatAsksForWhatIsNotHonoured_staysPending_namingTheField() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        Pod pod = pod("disk", T9kDialect.GPU, "1");
        calls.create(new PodBuilder(pod)
                .editSpec()
                .addNewVolume()
                .withName("data")
                .withNewIscsi()
                .withTargetPortal("10.0.0.1:3260")
                .withIqn("iqn.2001-04.com.example:data")
                .withLun(0)
                .endIscsi()
                .endVolume()
                .endSpec()
                .build());
        plane.run(TestPlane.settings("t9k"));
        calls.awaitPendingBecause("disk", "spec.volumes[0].iscsi: where volumes can be reached is not looked at");
    }

    @Test
    void aGrantThatCannotBeRead_keepsWhatItsPodAsksFor_andAnEventSaysSo() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        Pod foreign = new PodBuilder(pod("foreign", T9kDialect.GPU, "1"))
                .editMetadata()
                .addToAnnotations("gpu-sched.io/grant", "{\"version\":7}")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
        calls.create(foreign);
        plane.run(TestPlane.settings("t9k"));
        calls.create(pod("p", T9kDialect.GPU, "2"));
        calls.awaitPendingBecause("p", "1 GPU is held by pods without a readable grant: default/foreign");
        assertThat(calls.whyPending("p")).contains("no room now").doesNotContain("unhealthy", "repair");
        calls.create(pod("beside", T9kDialect.GPU, "1"));
        calls.awaitBound("beside");
        calls.delete("beside");
        calls.awaitEvent("GrantUnreadable", "foreign");

        calls.delete("foreign");

        calls.awaitBound("p");
    }

    /** Where no policy keeps tenants from it. */
    @Test
    void aGrantThatIsChangedLater_givesNothingAway_andAnEventSaysSo() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        plane.run(TestPlane.settings("t9k"));
        calls.create(pod("holder", T9kDialect.GPU, "1"));
        calls.awaitBound("holder");
        plane.client().pods().inNamespace("default").withName("holder").edit(pod -> {
            var annotations = pod.getMetadata().getAnnotations();
            annotations.put(
                    "gpu-sched.io/grant", annotations.get("gpu-sched.io/grant").replace("gpu-0", "gpu-1"));
            return pod;
        });
        calls.awaitEvent("GrantChanged", "holder");
        calls.create(pod("next", T9kDialect.GPU, "1"));
        calls.awaitBound("next");
        assertThat(calls.annotation("next", "gpu-sched.io/grant")).contains("n1-gpu-1");
    }

    /** As anyone may create one who may create pods. */
    @Test
    void aPodThatAsksForNoGpu_holdsNone_whateverItsGrantClaims() {
        plane.addNodes(t9kNode("n1", "xgn", 2));
        Pod rubbish = Manifests.annotated(pod("rubbish", Map.of()), "gpu-sched.io/grant", "}{");
        rubbish.getSpec().setNodeName("n1");
        calls.create(rubbish);
        Pod claims = Manifests.annotated(
                pod("claims", Map.of()),
                "gpu-sched.io/grant",
                "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"wholeNode\":2}}}");
        claims.getSpec().setNodeName("n1");
        calls.create(claims);
        plane.run(TestPlane.settings("t9k"));
        calls.create(pod("p", T9kDialect.GPU, "2"));
        calls.awaitBound("p");
    }

    @Test
    void health_andMetrics_areServed() throws Exception {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        SchedulerProcess process = plane.run(TestPlane.settings("t9k").withHealthPort(0));
        Await.until("ready", process::isReady);
        calls.create(pod("p", T9kDialect.GPU, "1"));
        calls.awaitBound("p");
        String metrics = Fetch.text(process.healthPort(), "/metrics");
        assertThat(metrics).contains("gpusched_decisions_total{result=\"placed\"} 1.0");
        assertThat(metrics)
                .contains(
                        "gpusched_gpus 4.0",
                        "gpusched_leader 1.0",
                        "gpusched_build_info{",
                        "# HELP gpusched_leader 1 if")
                .contains("gpusched_gpu_memory_bytes " + 4 * 24_576.0 * 1_048_576)
                .contains("gpusched_node_gpus{node=\"n1\",state=\"idle\"} 3.0")
                .contains("gpusched_node_gpus{node=\"n1\",state=\"whole\"} 1.0")
                .contains("gpusched_pod_bound_seconds_count 1")
                .contains("gpusched_decision_seconds_bucket")
                .doesNotContain("mebibytes", "millis");
        assertThat(Fetch.text(process.healthPort(), "/healthz")).isEqualTo("ok");
    }
}
