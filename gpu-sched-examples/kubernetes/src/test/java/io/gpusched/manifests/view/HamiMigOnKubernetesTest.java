package io.gpusched.manifests.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.HamiObjects;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What pods hold that HAMi placed on GPUs in MIG mode and on others of the same node. */
class HamiMigOnKubernetesTest {
    private final ClusterBook book =
            new ClusterBook(new DialectSet(List.of(Dialects.find("hami").orElseThrow())));

    @BeforeEach
    void putNode() {
        book.putNode(HamiObjects.migNode());
    }

    private void run(String name, Map<String, String> annotations) {
        Map<String, String> limits = Map.of("nvidia.com/gpu", "1", "nvidia.com/gpumem", "9000");
        book.putPod(RunningPod.of(HamiObjects.running(name, annotations, limits)));
    }

    private List<GpuGrant> grants() {
        return book.cluster().placements().stream()
                .map(Placement::containers)
                .map(containers -> containers.get(0).gpus())
                .toList();
    }

    @Test
    void anInstance_isHeldWhereTheGrantSays_whereverThisWouldPutIt() {
        run("p", Map.of(HamiObjects.GRANT, "cut,NVIDIA,9856,29:;", HamiObjects.MIG_GRANT, """
                        [{"containerIndex":0,"deviceIndex":0,"gpuUUID":"cut","profile":"2g.10gb","placement":{"start":4,"size":2},
                          "migUUID":"MIG-1","gpuInstanceID":3,"computeInstanceID":0}]"""));
        assertThat(grants()).containsExactly(new GpuGrant.Partitions(List.of(GpuPartition.of(1, "2g.10gb", 4))));
        assertThat(book.troubles()).isEmpty();
    }

    @Test
    void aShare_isHeldOfTheGpuThatTheGrantNames_thoughItsNodeHasInstancesToo() {
        run("p", Map.of(HamiObjects.GRANT, "core,NVIDIA,9000,0:;"));
        assertThat(grants()).hasSize(1).first().isInstanceOf(GpuGrant.Shared.class);
        assertThat(book.cluster().node("n1").orElseThrow().freeMemoryMib(0)).isEqualTo(31_960);
        assertThat(book.troubles()).isEmpty();
    }

    @Test
    void aGpuInMigMode_ofWhichNoInstanceIsNamed_isTrouble_forItMayBeAny_ofOneGpu() {
        run("p", Map.of(HamiObjects.GRANT, "cut,NVIDIA,9856,29:;"));
        assertThat(book.cluster().node("n1").orElseThrow().isHealthy(1)).isFalse();
        assertThat(book.cluster().node("n1").orElseThrow().idleGpus()).isOne();
        assertThat(book.troubles().toString()).contains(HamiObjects.MIG_GRANT, "set aside while it is there");
    }
}
