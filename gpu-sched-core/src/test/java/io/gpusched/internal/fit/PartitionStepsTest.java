package io.gpusched.internal.fit;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.policy.BinPack;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is looked at on devices with more states than are worked out in advance is counted in steps, as much as it costs. */
class PartitionStepsTest {
    private static final long MANY = 1_000_000_000;
    private static final int GPUS = 8;
    private static final int PLACES = 29;

    private static final PartitionGeometry WIDE = PartitionGeometry.of(
            "wide",
            32,
            NamedAmounts.of(Map.of("a", 31L, "b", 29L)),
            IntStream.range(0, 14)
                    .mapToObj(i -> PartitionProfile.of(
                                    "p" + i,
                                    1 + i % 3,
                                    IntStream.range(0, PLACES).boxed().toList())
                            .withMax(3)
                            .withCounters(NamedAmounts.of(Map.of("a", i * 7L % 11 + 1, "b", i * 5L % 13 + 1))))
                    .toList());

    private static NodeState node() {
        Node.Builder node = Node.builder("n").capacity(1_000_000, 1_000_000);
        for (int g = 0; g < GPUS; g++) {
            // of different models, so that each is looked at
            node.gpu(Gpu.of(g, "gpu-" + g, GpuModel.of("maker", "wide-" + g, 81_920))
                    .withPartitions(WIDE));
        }
        return Cluster.of(List.of(node.build())).node(0);
    }

    private static PodDemand asking(int partitions) {
        Pod.Builder pod = Pod.builder("p");
        for (int c = 0; c < partitions; c++) {
            pod.container("c" + c, Resources.of(1, 1), GpuRequest.partition("p0", 1));
        }
        return new PodDemand(pod.build());
    }

    private static long costOfAPlace(NodeState node) {
        PartitionTable table = node.node().gpus().get(0).partitions().table();
        assertThat(table.stepsToLook()).isPositive();
        return table.stepsToLook();
    }

    @Test
    void placesThatAreCompared_areCountedEach() {
        NodeState node = node();
        SearchSteps steps = SearchSteps.of(MANY);
        LayoutProblem problem = new LayoutProblem(asking(2).plan(), node, List.of());
        LayoutLoad load = new LayoutLoad(problem, null);
        PlaceOffer offer = new PlaceOffer(problem, load, Objects.requireNonNull(load.places), steps);

        int[] candidates = offer.best(0, -1L >>> Long.SIZE - GPUS);

        assertThat(candidates).hasSize(GPUS * PLACES);
        assertThat(MANY - steps.left()).isGreaterThanOrEqualTo(candidates.length * costOfAPlace(node));
    }

    @Test
    void waysThatAreScored_areCountedEachWithThePlacesOnTheWay() {
        NodeState node = node();
        SearchSteps steps = SearchSteps.of(MANY);

        assertThat(LayoutSearch.best(asking(3), node, BinPack.of(), steps)).isNotNull();

        // 256 ways are scored, each for what its GPUs are worth then
        assertThat(MANY - steps.left())
                .isGreaterThanOrEqualTo((GPUS * PLACES + 256) * costOfAPlace(node))
                .isLessThan(20_000_000);
    }

    @Test
    void search_endsAtTheStepThatIsOneTooMany() {
        NodeState node = node();
        SearchSteps all = SearchSteps.of(MANY);
        LayoutSearch.best(asking(3), node, BinPack.of(), all);
        long taken = MANY - all.left();

        SearchSteps fewer = SearchSteps.of(taken / 16);
        LayoutSearch.best(asking(3), node, BinPack.of(), fewer);

        assertThat(fewer.isReached()).isTrue();
        assertThat(fewer.left()).isZero();
    }
}
