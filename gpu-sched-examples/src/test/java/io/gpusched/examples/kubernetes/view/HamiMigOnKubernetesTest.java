package io.gpusched.examples.kubernetes.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What pods hold that HAMi placed on GPUs in MIG mode and on others of the same node. */
class HamiMigOnKubernetesTest {
    private static final String GRANT = "hami.io/vgpu-devices-allocated";

    private final ClusterBook book =
            new ClusterBook(new DialectSet(List.of(Dialects.find("hami").orElseThrow())));

    @BeforeEach
    void putNode() {
        Node node = new NodeBuilder()
                .withNewMetadata()
                .withName("n1")
                .addToAnnotations("hami.io/node-nvidia-register", """
                        [{"id":"core","count":10,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"hami-core","health":true},
                         {"id":"cut","count":7,"devmem":40960,"devcore":100,"type":"NVIDIA-A100","mode":"mig","health":true,"migProfiles":[
                           {"name":"2g.10gb","memoryMB":9856,"core":29,"sliceCount":2,
                            "placements":[{"start":0,"size":2},{"start":2,"size":2},{"start":4,"size":2}]}]}]""")
                .endMetadata()
                .withNewStatus()
                .withAllocatable(
                        Map.of("cpu", new Quantity("64"), "memory", new Quantity("512Gi"), "pods", new Quantity("110")))
                .endStatus()
                .build();
        book.putNode(node);
    }

    private void run(String name, Map<String, String> annotations) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withNamespace("default")
                .withUid("uid-" + name)
                .withAnnotations(annotations)
                .endMetadata()
                .withNewSpec()
                .withNodeName("n1")
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .addToLimits("nvidia.com/gpumem", new Quantity("9000"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        book.putPod(RunningPod.of(pod));
    }

    private List<GpuGrant> grants() {
        return book.cluster().placements().stream()
                .map(Placement::containers)
                .map(containers -> containers.get(0).gpus())
                .toList();
    }

    @Test
    void anInstance_isHeldWhereTheGrantSays_whereverThisWouldPutIt() {
        run("p", Map.of(GRANT, "cut,NVIDIA,9856,29:;", "hami.io/vgpu-mig-allocations", """
                        [{"containerIndex":0,"deviceIndex":0,"gpuUUID":"cut","profile":"2g.10gb","placement":{"start":4,"size":2},
                          "migUUID":"MIG-1","gpuInstanceID":3,"computeInstanceID":0}]"""));
        assertThat(grants()).containsExactly(new GpuGrant.Partitions(List.of(GpuPartition.of(1, "2g.10gb", 4))));
        assertThat(book.troubles()).isEmpty();
    }

    @Test
    void aShare_isHeldOfTheGpuThatTheGrantNames_thoughItsNodeHasInstancesToo() {
        run("p", Map.of(GRANT, "core,NVIDIA,9000,0:;"));
        assertThat(grants()).hasSize(1).first().isInstanceOf(GpuGrant.Shared.class);
        assertThat(book.cluster().node("n1").orElseThrow().freeMemoryMib(0)).isEqualTo(31_960);
        assertThat(book.troubles()).isEmpty();
    }

    @Test
    void aGpuInMigMode_ofWhichNoInstanceIsNamed_isTrouble_forItMayBeAny() {
        run("p", Map.of(GRANT, "cut,NVIDIA,9856,29:;"));
        assertThat(book.cluster().node("n1").orElseThrow().idleGpus()).isZero();
        assertThat(book.troubles().toString()).contains("hami.io/vgpu-mig-allocations", "gives out no GPUs");
    }
}
