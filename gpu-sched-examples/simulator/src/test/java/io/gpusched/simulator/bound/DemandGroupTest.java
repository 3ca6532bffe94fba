package io.gpusched.simulator.bound;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeMode;
import io.gpusched.workload.WorkloadProfile.Demand;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DemandGroupTest {
    private static NodeClass nodeClass(NodeMode mode, int gpus, String model) {
        Node node = Node.builder("n")
                .mode(mode)
                .capacity(8_000, 8_000)
                .gpus(gpus, GpuModel.of("nvidia", model, 100))
                .build();
        return Cluster.of(List.of(node)).node(0).nodeClass();
    }

    private static Demand demand(long cpuMillis, int gpuMillis, int gpuCount, String... models) {
        return new Demand(cpuMillis, gpuMillis, gpuCount, Set.of(models), 1);
    }

    @Test
    void demandsOfOneKind_areOneGroup() {
        Map<Demand, Long> counts = new LinkedHashMap<>();
        counts.put(demand(1_000, 500, 1), 3L);
        counts.put(demand(1_000, 500, 1, "A100"), 2L);
        counts.put(demand(1_000, 1_000, 2), 1L);

        List<DemandGroup> groups = DemandGroup.of(List.of(nodeClass(NodeMode.MIXED, 4, "A100")), counts);

        assertThat(groups).extracting(DemandGroup::pods).containsExactlyInAnyOrder(5L, 1L);
        assertThat(groups).extracting(DemandGroup::isShare).containsExactlyInAnyOrder(true, false);
        assertThat(groups).extracting(DemandGroup::totalGpuMillis).containsExactlyInAnyOrder(2_500.0, 2_000.0);
    }

    @Test
    void aGroup_namesTheClassesThatCouldTakeIt() {
        List<NodeClass> classes = List.of(
                nodeClass(NodeMode.EXCLUSIVE, 4, "A100"),
                nodeClass(NodeMode.SHARED, 4, "A100"),
                nodeClass(NodeMode.MIXED, 1, "A100"),
                nodeClass(NodeMode.MIXED, 4, "T4"));

        assertThat(only(classes, demand(1_000, 500, 1)).classes().stream().toArray())
                .containsExactly(1, 2, 3);
        assertThat(only(classes, demand(1_000, 1_000, 2)).classes().stream().toArray())
                .containsExactly(0, 3);
        assertThat(only(classes, demand(1_000, 1_000, 1, "A100")).classes().stream()
                        .toArray())
                .containsExactly(0, 2);
    }

    private static DemandGroup only(List<NodeClass> classes, Demand demand) {
        List<DemandGroup> groups = DemandGroup.of(classes, Map.of(demand, 1L));
        assertThat(groups).hasSize(1);
        return groups.get(0);
    }

    @Test
    void whatNoClassCanRun_orAsksForNoGpu_isLeftOut() {
        List<NodeClass> classes = List.of(nodeClass(NodeMode.MIXED, 2, "A100"));

        assertThat(DemandGroup.of(classes, Map.of(demand(9_000, 500, 1), 1L))).isEmpty();
        assertThat(DemandGroup.of(classes, Map.of(demand(1_000, 1_000, 3), 1L))).isEmpty();
        assertThat(DemandGroup.of(classes, Map.of(demand(1_000, 0, 0), 1L))).isEmpty();
        assertThat(DemandGroup.of(classes, Map.of(demand(1_000, 500, 1), 0L))).isEmpty();
    }

    @Test
    void tooManyGroups_areMergedByRoundingWhatTheyAskDown() {
        Map<Demand, Long> counts = new LinkedHashMap<>();
        for (int i = 0; i < 1_000; i++) {
            counts.put(demand(1_000 + i, 500, 1), 1L);
        }

        List<DemandGroup> groups = DemandGroup.of(List.of(nodeClass(NodeMode.MIXED, 4, "A100")), counts);

        assertThat(groups).hasSizeLessThanOrEqualTo(DemandGroup.MOST_GROUPS);
        assertThat(groups.stream().mapToLong(DemandGroup::pods).sum()).isEqualTo(1_000);
        assertThat(groups).allMatch(group -> group.cpuMillis() <= 1_999 && group.cpuMillis() % 500 == 0);
    }
}
