package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.extender.ExtenderProcess;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A stock kube-scheduler that asks one extender of ours for nodes of three systems, and that preempts. */
class ExtenderDialectsControlPlaneTest {
    private static final String PERCENT = "nano-gpu/gpu-percent";

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;

    private final ClusterCalls calls = plane.calls();

    @BeforeAll
    static void start() throws IOException {
        client = plane.client();
        plane.addNodes(
                Manifests.node("nano", Map.of(DialectSet.LABEL, "nano-gpu"), Map.of(PERCENT, "200")),
                Manifests.node(
                        "ali",
                        Map.of(DialectSet.LABEL, "gpushare"),
                        Map.of("aliyun.com/gpu-mem", "32", "aliyun.com/gpu-count", "2")),
                Manifests.hamiNode("hami", Map.of(DialectSet.LABEL, "hami")));
        client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("urgent")
                        .endMetadata()
                        .withValue(1_000)
                        .build())
                .create();
        ExtenderControlPlaneTest.grantRights(client);
        DialectSet dialects = new DialectSet(Stream.of("nano-gpu", "gpushare", "hami")
                .map(TestPlane::dialect)
                .toList());
        ExtenderProcess extender = plane.closing(ExtenderProcess.start(
                plane.clientOf("gpu-sched-extender"),
                dialects,
                "gpu-sched",
                new ListenAddress("127.0.0.1", 0),
                Optional.empty(),
                server -> server));
        plane.plane().startScheduler(ExtenderControlPlaneTest.configuration(extender, "nano-gpu,gpushare,hami"));
    }

    @Test
    void podsOfGpushare_getAGpuEach_withTheAnnotationsOfItsDevicePlugin() {
        for (String name : List.of("ali-0", "ali-1", "ali-2")) {
            calls.create(Manifests.pod(name, "aliyun.com/gpu-mem", "10"));
        }
        Await.until("two of three are bound", () -> bound("ali") == 2);
        assertThat(calls.bound().stream()
                        .filter(pod -> pod.getMetadata().getName().startsWith("ali"))
                        .map(pod -> pod.getMetadata().getAnnotations().get("ALIYUN_COM_GPU_MEM_IDX")))
                .containsExactlyInAnyOrder("0", "1");
        awaitRefusalOfTheOther("ali");
    }

    @Test
    void podsOfHami_shareAGpu_asFarAsItsMemoryGoes() {
        for (String name : List.of("hami-0", "hami-1", "hami-2")) {
            calls.create(Manifests.pod(name, Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "10000")));
        }
        Await.until("two of three are bound", () -> bound("hami") == 2);
        awaitRefusalOfTheOther("hami");
        assertThat(calls.bound().stream()
                        .filter(pod -> pod.getMetadata().getName().startsWith("hami"))
                        .map(pod -> pod.getMetadata().getAnnotations().get("hami.io/vgpu-devices-allocated")))
                .allMatch(devices -> devices.contains("GPU-a,NVIDIA,10000,"));
    }

    /** Bindings are written side by side, so it is left open which of the pods is the one without a node. */
    private void awaitRefusalOfTheOther(String prefix) {
        List<String> waiting = calls.pods().stream()
                .map(pod -> pod.getMetadata().getName())
                .filter(name -> name.startsWith(prefix) && calls.nodeOf(name).isEmpty())
                .toList();
        assertThat(waiting).hasSize(1);
        calls.awaitPendingBecause(waiting.get(0), "0/3 nodes");
    }

    private long bound(String prefix) {
        return calls.bound().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
                .count();
    }

    /**
     * By its sum over the node kube-scheduler would evict the pod of 40 percent, which frees enough on no GPU. One of those of
     * 60 percent is enough, and the others stay.
     */
    @Test
    void anUrgentPod_takesThePlaceOfTheFewestThatMakeRoomOnOneGpu() {
        calls.create(Manifests.pod("low-60-a", PERCENT, "60"));
        calls.create(Manifests.pod("low-60-b", PERCENT, "60"));
        calls.awaitBound("low-60-a", "low-60-b");
        calls.create(Manifests.pod("low-40", PERCENT, "40"));
        calls.awaitBound("low-40");
        awaitUrgent(PERCENT, "50");
        assertThat(bound("low")).isEqualTo(2);
        assertThat(calls.nodeOf("low-40")).isEqualTo("nano");
    }

    /** By the sums of kube-scheduler no pod has to leave, so that it offers the nodes without victims, from 1.38 on. */
    @ParameterizedTest
    @CsvSource({"nano-gpu/gpu-percent, 60, 50", "aliyun.com/gpu-mem, 10, 12"})
    @EnabledIfEnvironmentVariable(named = ControlPlane.LATER_SCHEDULER, matches = ".+")
    void anUrgentPod_takesThePlaceOfOne_whereItsNodeHasRoomInSum(String resource, String low, String urgent) {
        calls.create(Manifests.pod("low-a", resource, low));
        calls.create(Manifests.pod("low-b", resource, low));
        calls.awaitBound("low-a", "low-b");
        awaitUrgent(resource, urgent);
        assertThat(bound("low")).isEqualTo(1);
    }

    private void awaitUrgent(String resource, String amount) {
        Pod urgent = Manifests.pod("urgent", resource, amount);
        urgent.getSpec().setPriorityClassName("urgent");
        calls.create(urgent);
        Await.until(
                "the urgent pod is bound",
                () -> {
                    endTheEvicted();
                    return !calls.nodeOf("urgent").isEmpty();
                },
                () -> calls.pods().stream()
                                .map(pod -> pod.getMetadata().getName())
                                .toList() + "\n" + plane.plane().logs());
        assertThat(Bookings.overbooked(calls.pods())).isEmpty();
    }

    @AfterEach
    void deletePods() {
        calls.pods().forEach(pod -> calls.delete(pod.getMetadata().getName()));
    }

    /** What a kubelet does with pods that are to end. */
    private void endTheEvicted() {
        calls.pods().stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() != null)
                .forEach(pod -> calls.delete(pod.getMetadata().getName()));
    }
}
