package io.gpusched.dialect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.partition.MigGeometry;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** MIG devices as NVIDIA's device plugin offers them with the strategy mixed, and as nodes count them. */
class MigResourcesTest {
    private static final DevicePluginDialect PLUGIN = DevicePluginDialect.of("nvidia.com/gpu");
    private final DialectScheduler scheduler = DialectScheduler.of(PLUGIN);

    private static Node node() {
        return PLUGIN.node(NodeManifest.of(
                "n1",
                Map.of("nvidia.com/gpu.product", "NVIDIA-A100-SXM4-40GB", "nvidia.com/gpu.memory", "40960"),
                Map.of(
                        "cpu", "8",
                        "nvidia.com/gpu", "1",
                        "nvidia.com/mig-1g.5gb", "2",
                        "nvidia.com/mig-1g.5gb.me", "1",
                        "nvidia.com/mig-3g.20gb", "1")));
    }

    private static PodManifest pod(String name, Map<String, String> limits) {
        return PodManifest.of(name, List.of(ContainerManifest.limits("main", limits)));
    }

    @Test
    void everyProfileOfEveryModel_hasAResourceThatNamesIt() {
        for (MigGeometry model : MigGeometry.values()) {
            for (String profile : model.geometry().names()) {
                String resource = MigResources.resource(profile);
                assertThat(resource).startsWith("nvidia.com/mig-").doesNotContain("+");
                assertThat(MigResources.profile(resource)).contains(profile);
                assertThat(MigResources.known()).contains(resource);
            }
        }
        assertThat(MigResources.profile("nvidia.com/gpu")).isEmpty();
        assertThat(MigResources.profile("nvidia.com/mig-9g.99gb")).contains("9g.99gb");
    }

    @Test
    void replicasOfSharedMigDevices_areCountedUnderTheirOwnName() {
        assertThat(MigResources.known()).contains("nvidia.com/mig-1g.5gb.shared", "nvidia.com/mig-1g.5gb.me.shared");
        assertThat(MigResources.profile("nvidia.com/mig-1g.5gb.me.shared")).contains("1g.5gb+me.shared");
        Node node =
                PLUGIN.node(NodeManifest.of("n1", Map.of(), Map.of("cpu", "8", "nvidia.com/mig-1g.5gb.shared", "2")));
        Cluster cluster = Cluster.of(List.of(node));
        for (int i = 0; i < 2; i++) {
            Decision decision = scheduler.schedule(cluster, pod("p" + i, Map.of("nvidia.com/mig-1g.5gb.shared", "1")));
            cluster = cluster.with(((Placed) decision).placement());
        }
        assertThat(scheduler
                        .schedule(cluster, pod("q", Map.of("nvidia.com/mig-1g.5gb.shared", "1")))
                        .isPlaced())
                .isFalse();
        assertThat(scheduler
                        .schedule(cluster, pod("r", Map.of("nvidia.com/mig-1g.5gb", "1")))
                        .isPlaced())
                .isFalse();
    }

    @Test
    void migDevicesOfANode_areCountedBesideItsWholeGpus() {
        Node node = node();
        assertThat(node.gpus()).hasSize(2);
        assertThat(node.gpus().get(0).partitions().isNone()).isTrue();
        assertThat(node.gpus().get(1).partitions().names()).containsExactly("1g.5gb", "1g.5gb+me", "3g.20gb");
        assertThat(node.gpus().get(1).memoryMib()).isEqualTo(3 * 4_864 + 19_968);
    }

    @Test
    void containerWithAMigResource_getsThatManyPartitions_andThenNoneIsLeft() {
        Cluster cluster = Cluster.of(List.of(node()));
        Decision two = scheduler.schedule(cluster, pod("two", Map.of("nvidia.com/mig-1g.5gb", "2")));
        assertThat(two).isInstanceOf(Placed.class);
        GpuGrant held = ((Placed) two).placement().containers().get(0).gpus();
        assertThat(((GpuGrant.Partitions) held).partitions())
                .hasSize(2)
                .allMatch(one -> one.profile().equals("1g.5gb"));
        Cluster full = cluster.with(((Placed) two).placement());
        PodManifest third = pod("third", Map.of("nvidia.com/mig-1g.5gb", "1"));
        assertThat(scheduler.schedule(full, third)).isNotInstanceOf(Placed.class);
        assertThat(PLUGIN.refusal(full.node(0), third)).isEqualTo("Insufficient nvidia.com/mig-1g.5gb");
        assertThat(scheduler.schedule(full, pod("media", Map.of("nvidia.com/mig-1g.5gb.me", "1"))))
                .isInstanceOf(Placed.class);
    }

    @Test
    void wholeGpu_isNotServedByMigDevices() {
        Cluster cluster = Cluster.of(List.of(node()));
        assertThat(scheduler.schedule(cluster, pod("one", Map.of("nvidia.com/gpu", "1"))))
                .isInstanceOf(Placed.class);
        assertThat(scheduler.schedule(cluster, pod("two", Map.of("nvidia.com/gpu", "2"))))
                .isNotInstanceOf(Placed.class);
    }

    @Test
    void containerWithSeveralKinds_becomesAsManyContainers() {
        Pod pod = PLUGIN.pod(pod("both", Map.of("nvidia.com/gpu", "1", "nvidia.com/mig-3g.20gb", "1", "cpu", "2")));
        assertThat(pod.containers()).extracting(container -> container.name()).containsExactly("main", "main#1");
        assertThat(pod.containers().get(1).gpu()).isEqualTo(GpuRequest.partition("3g.20gb", 1));
        assertThat(pod.resources().cpuMillis()).isEqualTo(2_000);
    }

    @Test
    void requestWithoutLimit_isRefusedAsForEveryExtendedResource() {
        PodManifest pod = PodManifest.of(
                "p",
                List.of(new ContainerManifest(
                        "main", ContainerKind.ORDINARY, Map.of("nvidia.com/mig-1g.5gb", "1"), Map.of())));
        assertThatThrownBy(() -> PLUGIN.pod(pod)).isInstanceOf(RefusedException.class);
    }

    @Test
    void strategySingle_offersEveryMigDeviceAsAGpu() {
        Node node = PLUGIN.node(NodeManifest.of(
                "n1",
                Map.of(
                        "nvidia.com/gpu.product",
                        "NVIDIA-A100-SXM4-40GB-MIG-1g.5gb",
                        "nvidia.com/mig.strategy",
                        "single"),
                Map.of("cpu", "8", "nvidia.com/gpu", "56")));
        assertThat(node.gpus()).hasSize(56);
        assertThat(node.gpus().get(0).model().name()).endsWith("-MIG-1g.5gb");
    }
}
