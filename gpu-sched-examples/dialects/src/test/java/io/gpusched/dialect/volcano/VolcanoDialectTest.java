package io.gpusched.dialect.volcano;

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
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VolcanoDialectTest {
    private static final VolcanoDialect BINPACK = VolcanoDialect.of(VolcanoPolicy.BINPACK);
    private static final Node NODE = node("n1", "a-0", "a-1");

    private static Node node(String name, String... uuids) {
        StringBuilder text = new StringBuilder();
        for (String uuid : uuids) {
            text.append(uuid).append(",10,16000,NVIDIA-A100,true,hami-core:");
        }
        return BINPACK.node(new NodeManifest(
                name, Map.of(), Map.of(VolcanoRegistration.ANNOTATION, text.toString()), Map.of(), List.of(), false));
    }

    /** A pod of containers with limits {@code vgpu-number, vgpu-memory, vgpu-cores}; number 0 asks for no GPU. */
    private static PodManifest pod(String id, Map<String, String> annotations, int... amounts) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int i = 0; i < amounts.length; i += 3) {
            Map<String, String> limits = amounts[i] == 0
                    ? Map.of()
                    : Map.of(
                            VolcanoRequests.NUMBER, Integer.toString(amounts[i]),
                            VolcanoRequests.MEMORY, Integer.toString(amounts[i + 1]),
                            VolcanoRequests.CORES, Integer.toString(amounts[i + 2]));
            containers.add(ContainerManifest.limits("c" + i / 3, limits));
        }
        return new PodManifest(PodId.of(id), Map.of(), annotations, containers, NodeSelector.ANY, List.of());
    }

    private static Decision schedule(VolcanoDialect dialect, Cluster cluster, PodManifest pod) {
        return DialectScheduler.of(dialect).schedule(cluster, pod);
    }

    private static Placement placed(Decision decision) {
        assertThat(decision).isInstanceOf(Placed.class);
        return ((Placed) decision).placement();
    }

    @Test
    void node_hasTheGpusThatItsAnnotationRegisters() {
        assertThat(NODE.gpus()).extracting(io.gpusched.model.Gpu::uuid).containsExactly("a-0", "a-1");
        assertThat(NODE.gpus().get(0).slots()).isEqualTo(10);
        assertThat(NODE.gpus().get(0).memoryMib()).isEqualTo(16_000);
    }

    @Test
    void whatTheOlderPluginServes_isRefusedByName() {
        for (String older : List.of("volcano.sh/gpu-memory", "volcano.sh/gpu-number")) {
            PodManifest pod = PodManifest.of("p", List.of(ContainerManifest.limits("c0", Map.of(older, "2"))));
            assertThatThrownBy(() -> schedule(BINPACK, Cluster.of(List.of(NODE)), pod))
                    .isInstanceOf(RefusedException.class)
                    .hasMessageContaining("container \"c0\": " + older);
        }
        PodManifest none =
                PodManifest.of("q", List.of(ContainerManifest.limits("c0", Map.of("volcano.sh/gpu-number", "0"))));
        assertThat(BINPACK.requests(none)).containsExactly(java.util.Optional.empty());
    }

    @Test
    void schedule_givesTheGpusThatVolcanoGives() {
        Cluster cluster = Cluster.of(List.of(NODE));
        cluster = cluster.with(placed(schedule(BINPACK, cluster, pod("p", Map.of(), 1, 1_000, 10))));
        PodManifest next = pod("q", Map.of(), 1, 1_000, 10);
        assertThat(placed(schedule(BINPACK, cluster, next)).gpus()).containsExactly(0);
        assertThat(placed(schedule(VolcanoDialect.of(VolcanoPolicy.SPREAD), cluster, next))
                        .gpus())
                .containsExactly(1);
    }

    @Test
    void schedule_placesExactly_whereTheGreedyRuleFails() {
        Cluster cluster = Cluster.of(List.of(NODE));
        VolcanoDialect spread = VolcanoDialect.of(VolcanoPolicy.SPREAD);
        cluster = cluster.with(placed(schedule(spread, cluster, pod("busy", Map.of(), 1, 6_400, 40))));
        PodManifest smallThenWhole = pod("p", Map.of(), 1, 6_400, 40, 1, 16_000, 100);
        assertThat(placed(schedule(spread, cluster, smallThenWhole)).gpus()).containsExactly(0, 1);
    }

    @Test
    void schedule_takesNodesInOrder_orByTheirScore() {
        Cluster cluster = Cluster.of(List.of(NODE, node("n2", "b-0")));
        PodManifest there = pod("p", Map.of("volcano.sh/vgpu-use-gpuuuid", "b-0"), 1, 8_000, 10);
        cluster = cluster.with(placed(schedule(BINPACK, cluster, there)));
        PodManifest next = pod("q", Map.of(), 1, 1_000, 10);
        assertThat(placed(schedule(BINPACK, cluster, next)).node()).isEqualTo("n1");
        assertThat(placed(schedule(BINPACK.withNodeScore(true), cluster, next)).node())
                .isEqualTo("n2");
    }

    @Test
    void schedule_keepsAGroupThatSpreadsOffItsOwnGpus() {
        Map<String, String> job = Map.of("scheduling.k8s.io/group-name", "job", VolcanoPodRules.GROUP_POLICY, "spread");
        Cluster cluster = Cluster.of(List.of(NODE));
        for (String id : List.of("w0", "w1")) {
            cluster = cluster.with(placed(schedule(grouped("w0", "w1"), cluster, pod(id, job, 1, 1_000, 10))));
        }
        assertThat(cluster.placements().stream().flatMap(placement -> placement.gpus().stream()))
                .containsExactlyInAnyOrder(0, 1);
        assertThat(schedule(grouped("w0", "w1"), cluster, pod("w2", job, 1, 1_000, 10)))
                .isInstanceOf(Unschedulable.class);
        assertThat(schedule(BINPACK, cluster, pod("w2", job, 1, 1_000, 10))).isInstanceOf(Placed.class);
    }

    private static VolcanoDialect grouped(String... pods) {
        Map<PodId, String> groups = new java.util.HashMap<>();
        for (String pod : pods) {
            groups.put(PodId.of(pod), "default/job");
        }
        return BINPACK.withGroups(groups);
    }

    @Test
    void write_listsTheContainersThatAskForGpus_andHeldGpusReadsThemBack() {
        Cluster cluster = Cluster.of(List.of(NODE));
        PodManifest pod = pod("p", Map.of(), 0, 0, 0, 2, 1_000, 10, 0, 0, 0, 1, 2_000, 20);
        Placement placement = placed(schedule(BINPACK, cluster, pod));
        BindingMetadata metadata = BINPACK.write(pod, NODE, placement);
        assertThat(metadata.annotations())
                .containsEntry("volcano.sh/vgpu-node", "n1")
                .containsEntry("volcano.sh/vgpu-ids-new", "a-0,NVIDIA,1000,10:a-1,NVIDIA,1000,10:;a-0,NVIDIA,2000,20:");
        assertThat(metadata.environment().get("c3"))
                .containsEntry("CUDA_DEVICE_MEMORY_LIMIT_0", "2000m")
                .containsEntry("CUDA_DEVICE_SM_LIMIT", "20");
        PodManifest running = new PodManifest(
                pod.id(), Map.of(), metadata.annotations(), pod.containers(), NodeSelector.ANY, List.of());
        for (int c = 0; c < 4; c++) {
            assertThat(BINPACK.heldGpus(running, c, NODE))
                    .isEqualTo(placement.containers().get(c).gpus().indexes());
        }
    }

    @Test
    void pod_inMigMode_isRefused() {
        assertThatThrownBy(() -> BINPACK.pod(pod("p", Map.of("volcano.sh/vgpu-mode", "mig"), 1, 1_000, 10)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("pod \"p\"")
                .hasMessageContaining("mig");
    }
}
