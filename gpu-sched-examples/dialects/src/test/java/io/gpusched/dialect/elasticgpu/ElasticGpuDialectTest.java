package io.gpusched.dialect.elasticgpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ElasticGpuDialectTest {
    private static final ElasticGpuDialect ELASTIC = ElasticGpuDialect.of(ElasticGpuPolicy.BINPACK);

    private static Node node(int gpus, int memory) {
        return ELASTIC.node(NodeManifest.of(
                "n", Map.of(), Map.of(ElasticGpuDialect.CORE, "" + 100 * gpus, ElasticGpuDialect.MEMORY, "" + memory)));
    }

    private static PodManifest pod(Map<String, String> requests, Map<String, String> limits) {
        return PodManifest.of("p", List.of(new ContainerManifest("main", ContainerKind.ORDINARY, requests, limits)));
    }

    private static PodManifest pod(int core, int memory) {
        return pod(Map.of(), Map.of(ElasticGpuDialect.CORE, "" + core, ElasticGpuDialect.MEMORY, "" + memory));
    }

    private static GpuRequest request(PodManifest pod) {
        return ELASTIC.pod(pod).containers().get(0).gpu();
    }

    @Test
    void node_dividesItsMemoryAmongItsGpus_roundedDown() {
        assertThat(node(3, 100).gpus()).hasSize(3).allMatch(gpu -> gpu.memoryMib() == 33);
    }

    @Test
    void theOlderNames_areUnderstoodToo() {
        Node node = ELASTIC.node(NodeManifest.of(
                "n", Map.of(), Map.of("elasticgpu.com/gpu-core", "200", "elasticgpu.com/gpu-memory", "64")));

        assertThat(node.gpus()).hasSize(2).allMatch(gpu -> gpu.memoryMib() == 32);
        assertThat(request(pod(Map.of(), Map.of("elasticgpu.com/gpu-core", "20", "elasticgpu.com/gpu-memory", "8"))))
                .isEqualTo(GpuRequest.share(200, GpuMemory.mib(8)));
    }

    @Test
    void requests_goBeforeLimits() {
        Map<String, String> requests = Map.of(ElasticGpuDialect.CORE, "20");
        Map<String, String> limits = Map.of(ElasticGpuDialect.CORE, "50", ElasticGpuDialect.MEMORY, "8");

        assertThat(request(pod(requests, limits))).isEqualTo(GpuRequest.share(200, GpuMemory.mib(8)));
    }

    @Test
    void memoryAlone_isAShareWithoutCore() {
        assertThat(request(pod(0, 8))).isEqualTo(GpuRequest.share(0, GpuMemory.mib(8)));
        assertThat(request(pod(0, 0)).isNone()).isTrue();
    }

    @Test
    void memoryBesideWholeGpus_mustBeThere() {
        Cluster cluster = Cluster.of(List.of(node(2, 64)));
        DialectScheduler scheduler = DialectScheduler.of(ELASTIC);

        assertThat(scheduler.schedule(cluster, pod(200, 64))).isInstanceOf(Placed.class);
        assertThat(scheduler.schedule(cluster, pod(200, 65))).isInstanceOf(Unschedulable.class);
    }

    @Test
    void wholeGpus_areTheLowestIdleOnes() {
        Cluster cluster = Cluster.of(List.of(node(4, 64)));
        Placement share = ((Placed) DialectScheduler.of(ElasticGpuDialect.of(ElasticGpuPolicy.SPREAD))
                        .schedule(
                                cluster,
                                PodManifest.of(
                                        "share",
                                        List.of(ContainerManifest.limits(
                                                "c",
                                                Map.of(ElasticGpuDialect.CORE, "10", ElasticGpuDialect.MEMORY, "1"))))))
                .placement();
        cluster = cluster.with(share);

        Placement whole = ((Placed) DialectScheduler.of(ELASTIC).schedule(cluster, pod(200, 0))).placement();

        assertThat(share.gpus()).as("the last of all plans").containsExactly(3);
        assertThat(whole.gpus()).containsExactly(0, 1);
    }

    @Test
    void aCoreAboveOneGpuThatIsNoMultiple_isRefused() {
        assertThatThrownBy(() -> ELASTIC.pod(pod(250, 0)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("container \"main\"")
                .hasMessageContaining("below 100 or a multiple of 100, got 250");
        assertThatThrownBy(() -> ELASTIC.pod(pod(6_500, 0))).hasMessageContaining("must be in 100..6400, got 6500");
    }

    @Test
    void write_marksThePodAsAssumed_andNamesTheGpusOfEachContainer() {
        Node node = node(4, 64);
        PodManifest pod = pod(200, 0);
        Placement placement =
                ((Placed) DialectScheduler.of(ELASTIC).schedule(Cluster.of(List.of(node)), pod)).placement();

        assertThat(ELASTIC.write(pod, node, placement).annotations())
                .isEqualTo(Map.of("elasticgpu.io/assumed", "true", "elasticgpu.io/container-main", "0,1"));
        assertThat(ELASTIC.write(pod, node, placement).labels()).isEqualTo(Map.of("elasticgpu.io/assumed", "true"));
    }
}
