package io.gpusched.dialect.hami;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HamiDialectTest {
    private static final HamiDialect HAMI = HamiDialect.of(HamiSettings.DEFAULT);

    /** Two GPUs of 16,000 MiB on NUMA nodes 0 and 1. */
    private static final Node NODE = HAMI.node(
            registered("n1", "a100-0,10,16000,100,NVIDIA-A100,0,true:" + "a100-1,10,16000,100,NVIDIA-A100,1,true:"));

    private static NodeManifest registered(String name, String text) {
        return new NodeManifest(
                name,
                Map.of(),
                Map.of(HamiRegistration.ANNOTATION, text),
                Map.of("cpu", "8", "memory", "32Gi"),
                List.of(),
                false);
    }

    /** A pod of containers c0, c1, ... with limits {@code gpu, gpumem-percentage, gpucores}. */
    private static PodManifest pod(String id, Map<String, String> annotations, int... amounts) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int i = 0; i < amounts.length; i += 3) {
            containers.add(ContainerManifest.limits(
                    "c" + i / 3,
                    Map.of(
                            "nvidia.com/gpu",
                            Integer.toString(amounts[i]),
                            "nvidia.com/gpumem-percentage",
                            Integer.toString(amounts[i + 1]),
                            "nvidia.com/gpucores",
                            Integer.toString(amounts[i + 2]))));
        }
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }

    private static Decision schedule(HamiDialect dialect, Cluster cluster, PodManifest pod) {
        return DialectScheduler.of(dialect).schedule(cluster, pod);
    }

    private static Placement placed(Decision decision) {
        assertThat(decision).isInstanceOf(Placed.class);
        return ((Placed) decision).placement();
    }

    private static List<Integer> gpus(Cluster cluster, PodManifest pod) {
        return placed(schedule(HAMI, cluster, pod)).gpus();
    }

    @Test
    void node_hasTheGpusThatItsAnnotationRegisters() {
        assertThat(NODE.gpus()).hasSize(2);
        assertThat(NODE.gpus().get(1).uuid()).isEqualTo("a100-1");
        assertThat(NODE.gpus().get(1).slots()).isEqualTo(10);
        assertThat(NODE.gpus().get(1).memoryMib()).isEqualTo(16_000);
        assertThat(NODE.gpus().get(1).computeMillis()).isEqualTo(1_000);
        assertThat(NODE.gpus().get(1).numaNode()).isEqualTo(1);
        assertThat(NODE.capacity().cpuMillis()).isEqualTo(8_000);
    }

    @Test
    void node_gpusWithoutSlotsOrComputeTakeNothing() {
        Node node = HAMI.node(registered(
                "n1",
                "a,0,16000,100,NVIDIA-A100,0,true:" + "b,10,16000,0,NVIDIA-A100,0,true:"
                        + "c,10,16000,100,NVIDIA-A100,0,true:"));

        assertThat(node.gpus().stream().map(gpu -> gpu.healthy()).toList()).containsExactly(false, false, true);
    }

    @Test
    void node_cordonedUnhealthyAndMigGpusTakeNothing() {
        NodeManifest manifest = new NodeManifest(
                "n1",
                Map.of(),
                Map.of(
                        HamiRegistration.ANNOTATION,
                        "u0,10,1,100,NVIDIA-A,0,true:u1,10,1,100,NVIDIA-A,0,false:u2,10,1,100,NVIDIA-A,0,true,2,mig:"
                                + "u3,10,1,100,NVIDIA-A,0,true,3,hami-core:",
                        HamiDialect.CORDON,
                        "u0, "),
                Map.of(),
                List.of(),
                false);
        assertThat(HAMI.node(manifest).gpus())
                .extracting(io.gpusched.model.Gpu::healthy)
                .containsExactly(false, false, false, true);
    }

    @Test
    void node_withUnreadableRegistration_isAnErrorThatShowsIt() {
        assertThatThrownBy(() -> HAMI.node(registered("n1", "u0,10,x,100,NVIDIA,0,true:")))
                .hasMessageContaining("\"x\"");
        assertThatThrownBy(() -> HAMI.node(registered("n1", "[{\"id\": \"u0\"}]")))
                .hasMessageContaining("no reader of JSON");
    }

    @Test
    void pod_allComputeIsAWholeGpu_lessIsAShare() {
        assertThat(HAMI.pod(pod("p", Map.of(), 1, 50, 100)).containers().get(0).gpu())
                .isInstanceOf(GpuRequest.Exclusive.class);
        assertThat(HAMI.pod(pod("p", Map.of(), 2, 50, 30)).containers().get(0).gpu())
                .isEqualTo(new GpuRequest.Share(2, 300, GpuMemory.percent(50), 1, GpuSelector.ANY));
    }

    @Test
    void pod_withoutMemoryAndCompute_getsGpusOfItsOwn_asTheWebhookDecides() {
        PodManifest plain = PodManifest.of("p", List.of(ContainerManifest.limits("c", Map.of("nvidia.com/gpu", "1"))));
        assertThat(HAMI.pod(plain).containers().get(0).gpu()).isInstanceOf(GpuRequest.Exclusive.class);
    }

    @Test
    void pod_thatTheRulesForbid_isRefusedWithPodContainerAndRule() {
        assertThatThrownBy(() -> HAMI.pod(pod("team/p", Map.of(), 1, 120, 10)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"team/p\", container \"c0\"")
                .hasMessageContaining("0..100, got 120");
        assertThatThrownBy(() -> schedule(
                        HAMI, Cluster.of(List.of(NODE)), pod("p", Map.of(HamiWeights.ANNOTATION, "slot=1"), 1, 10, 10)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"p\"")
                .hasMessageContaining(
                        "invalid hami.io/device-scoring-weights annotation \"slot=1\": expected slot, core, and memory"
                                + " weights");
    }

    @Test
    void schedule_givesTheGpusThatHamiGives() {
        Cluster cluster = Cluster.of(List.of(NODE));
        assertThat(gpus(cluster, pod("p", Map.of(), 1, 30, 30))).containsExactly(1);
        cluster = cluster.with(placed(schedule(HAMI, cluster, pod("p", Map.of(), 1, 30, 30))));
        assertThat(gpus(cluster, pod("q", Map.of(), 1, 30, 30))).containsExactly(0);
        assertThat(gpus(cluster, pod("q", Map.of("hami.io/gpu-scheduler-policy", "binpack"), 1, 30, 30)))
                .containsExactly(1);
        assertThat(gpus(cluster, pod("q", Map.of("hami.io/gpu-scheduler-policy", "binpack,mutex"), 1, 30, 30)))
                .containsExactly(0);
    }

    @Test
    void schedule_placesExactly_whereHamisGreedyRuleFails() {
        Cluster cluster = Cluster.of(List.of(NODE));
        cluster = cluster.with(placed(schedule(HAMI, cluster, pod("busy", Map.of(), 1, 40, 40))));
        PodManifest smallThenWhole = pod("p", Map.of(), 1, 40, 40, 1, 100, 100);
        Placement placement = placed(schedule(HAMI, cluster, smallThenWhole));
        assertThat(placement.containers().get(0).gpus().indexes()).containsExactly(1);
        assertThat(placement.containers().get(1).gpus()).isEqualTo(new GpuGrant.Whole(List.of(0)));
    }

    @Test
    void schedule_prefersTheFullestNode_orTheEmptiest() {
        Node other = HAMI.node(registered("n2", "b,10,16000,100,NVIDIA-A100,0,true:"));
        Cluster cluster = Cluster.of(List.of(NODE, other));
        PodManifest first = new PodManifest(
                PodId.of("first"),
                Map.of(),
                Map.of("nvidia.com/use-gpuuuid", "b"),
                pod("x", Map.of(), 1, 10, 10).containers(),
                NodeSelector.ANY,
                List.of());
        cluster = cluster.with(placed(schedule(HAMI, cluster, first)));
        assertThat(placed(schedule(HAMI, cluster, pod("p", Map.of(), 1, 10, 10)))
                        .node())
                .isEqualTo("n2");
        assertThat(placed(schedule(HAMI, cluster, pod("p", Map.of(HamiPodRules.NODE_POLICY, "spread"), 1, 10, 10)))
                        .node())
                .isEqualTo("n1");
    }

    @Test
    void schedule_obeysTypesAndNumaAndZeroCompute() {
        Cluster cluster = Cluster.of(List.of(NODE));
        assertThat(schedule(HAMI, cluster, pod("p", Map.of("nvidia.com/use-gputype", "H100"), 1, 10, 10)))
                .isInstanceOf(Unschedulable.class);
        assertThat(gpus(cluster, pod("p", Map.of("nvidia.com/use-gputype", "a10"), 1, 10, 10)))
                .containsExactly(1);
        assertThat(schedule(HAMI, cluster, pod("p", Map.of("nvidia.com/numa-bind", "true"), 2, 10, 10)))
                .isInstanceOf(Unschedulable.class);
        for (String id : List.of("a", "b")) {
            cluster = cluster.with(placed(schedule(HAMI, cluster, pod(id, Map.of(), 2, 10, 50))));
        }
        PodManifest zero = pod("z", Map.of(), 1, 10, 0);
        assertThat(schedule(HAMI, cluster, zero)).isInstanceOf(Unschedulable.class);
        assertThat(DialectScheduler.of(HAMI).refusals(cluster, zero))
                .containsEntry("n1", "2/2 CardComputeUnitsExhausted");
    }

    @Test
    void schedule_keepsWithinTheQuota() {
        HamiQuota quota = HamiQuota.of(Map.of("limits.nvidia.com/gpumem", 1_600L), HamiSettings.DEFAULT);
        Cluster cluster = Cluster.of(List.of(NODE));
        HamiDialect bounded = HAMI.withQuota(quota);
        assertThat(schedule(bounded, cluster, pod("p", Map.of(), 1, 10, 10))).isInstanceOf(Placed.class);
        Decision refused = schedule(bounded, cluster, pod("p", Map.of(), 1, 11, 10));
        assertThat(refused).isInstanceOf(Unschedulable.class);
        assertThat(((Unschedulable) refused).diagnosis().toString()).contains("ResourceQuotaNotFit");
    }

    @Test
    void write_namesTheDevicesAndTheLimitsOfEachContainer() {
        Cluster cluster = Cluster.of(List.of(NODE));
        PodManifest pod = pod("p", Map.of(), 2, 25, 30, 0, 0, 0);
        BindingMetadata metadata = HAMI.write(pod, NODE, placed(schedule(HAMI, cluster, pod)));
        assertThat(metadata.annotations())
                .containsEntry("hami.io/vgpu-node", "n1")
                .containsEntry("hami.io/vgpu-devices-to-allocate", "a100-0,NVIDIA,4000,30:a100-1,NVIDIA,4000,30:;;");
        assertThat(metadata.environment().get("c0"))
                .isEqualTo(Map.of(
                        "NVIDIA_VISIBLE_DEVICES", "a100-0,a100-1",
                        "CUDA_DEVICE_MEMORY_LIMIT_0", "4000m",
                        "CUDA_DEVICE_MEMORY_LIMIT_1", "4000m",
                        "CUDA_DEVICE_SM_LIMIT", "30"));
        assertThat(metadata.environment().get("c1")).isEqualTo(Map.of("NVIDIA_VISIBLE_DEVICES", "none"));
    }

    @Test
    void heldGpus_areThoseThatTheAnnotationNames() {
        Map<String, String> annotations = Map.of("hami.io/vgpu-devices-allocated", ";a100-1,NVIDIA,1,1:;");
        PodManifest running = pod("p", annotations, 0, 0, 0, 1, 10, 10);
        assertThat(HAMI.heldGpus(running, 0, NODE)).isEmpty();
        assertThat(HAMI.heldGpus(running, 1, NODE)).containsExactly(1);
        assertThat(HAMI.heldGpus(pod("p", Map.of(), 1, 10, 10), 0, NODE)).isEmpty();
        PodManifest elsewhere = pod("p", Map.of("hami.io/vgpu-devices-allocated", "x,NVIDIA,1,1:;"), 1, 10, 10);
        assertThatThrownBy(() -> HAMI.heldGpus(elsewhere, 0, NODE)).hasMessageContaining("\"x\"");
    }
}
