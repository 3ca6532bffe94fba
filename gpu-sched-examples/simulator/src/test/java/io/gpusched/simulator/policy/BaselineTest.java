package io.gpusched.simulator.policy;

import static io.gpusched.testkit.PaperWorld.chosen;
import static io.gpusched.testkit.PaperWorld.cpuOnly;
import static io.gpusched.testkit.PaperWorld.node;
import static io.gpusched.testkit.PaperWorld.share;
import static io.gpusched.testkit.PaperWorld.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.Resources;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;
import io.gpusched.policy.Spread;
import io.gpusched.testkit.PaperWorld.Way;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Worked examples of the baselines of "Beware of Fragmentation". */
class BaselineTest {
    private static Cluster cluster(Node... nodes) {
        return Cluster.of(List.of(nodes));
    }

    private static Cluster run(Cluster cluster, PlacementPolicy policy, Pod... pods) {
        Cluster now = cluster;
        for (Pod pod : pods) {
            now = now.with(chosen(now, policy, pod).placement());
        }
        return now;
    }

    private static long points(PlacementPolicy policy, Cluster cluster, Pod pod) {
        Way way = chosen(cluster, policy, pod);
        return -Math.floorDiv(-policy.score(way.before(), way.after(), pod), 1L << 16);
    }

    @Test
    void dotProduct_takesTheNodeWithTheLeastFree() {
        Cluster cluster = cluster(node("large", 96_000, 8), node("small", 32_000, 2));
        assertThat(chosen(cluster, DotProduct.of(), share("p", 4_000, 500))
                        .placement()
                        .node())
                .isEqualTo("small");
    }

    @Test
    void dotProduct_weighsAGpuLikeSixteenCores() {
        // Free: 64 cores and 1 GPU against 8 cores and 2 GPUs. A pod of CPU alone looks at cores alone, ...
        Cluster cluster = cluster(node("cores", 64_000, 1), node("gpus", 8_000, 2));
        assertThat(chosen(cluster, DotProduct.of(), cpuOnly("p", 1_000))
                        .placement()
                        .node())
                .isEqualTo("gpus");
        // ... one of a GPU and a core sees 64 + 256 against 8 + 512.
        assertThat(chosen(cluster, DotProduct.of(), whole("q", 1_000, 1))
                        .placement()
                        .node())
                .isEqualTo("cores");
    }

    @Test
    void dotProduct_putsAShareOnTheFullestGpuThatHasRoom() {
        Cluster used = run(
                cluster(node("n", 64_000, 4)), Spread.of(), share("a", 1, 300), share("b", 1, 700), share("c", 1, 500));
        Way way = chosen(used, DotProduct.of(), share("p", 1, 400));
        assertThat(way.before().freeComputeMillis(way.taken().get(0))).isEqualTo(500);
    }

    @Test
    void gpuPacking_prefersGpusInUseThenUsedNodesThenEmptyNodes() {
        Cluster cluster = run(cluster(node("a", 96_000, 8), node("b", 96_000, 8)), FirstFit.of(), share("x", 1, 600));
        assertThat(chosen(cluster, GpuPacking.of(), share("p", 1, 400)).taken()).containsExactly(0);
        Way next = chosen(cluster, GpuPacking.of(), share("q", 1, 500));
        assertThat(next.placement().node()).isEqualTo("a");
        assertThat(next.taken()).containsExactly(1);
        assertThat(chosen(cluster, GpuPacking.of(), whole("w", 1, 8))
                        .placement()
                        .node())
                .isEqualTo("b");
    }

    @Test
    void gpuPacking_givesThePointsOfThePaper() {
        Cluster empty = cluster(node("a", 96_000, 8));
        assertThat(points(GpuPacking.of(), empty, whole("p", 1, 2)))
                .as("33 - 8")
                .isEqualTo(25);
        assertThat(points(GpuPacking.of(), cluster(node("a", 96_000, 20)), whole("p", 1, 2)))
                .as("as many GPUs")
                .isEqualTo(20);
        assertThat(points(GpuPacking.of(), empty, cpuOnly("c", 1))).isZero();
        Cluster used = run(empty, FirstFit.of(), share("x", 1, 600));
        assertThat(points(GpuPacking.of(), used, whole("p", 1, 2))).as("50 - 2").isEqualTo(48);
        assertThat(points(GpuPacking.of(), used, share("p", 1, 400)))
                .as("100 - 40 / 10")
                .isEqualTo(96);
    }

    @Test
    void gpuPacking_givesAtLeastFiftyPointsForGpusInUse() {
        Cluster used = cluster(node("a", 96_000, 8));
        for (int i = 0; i < 7; i++) {
            used = run(used, Spread.of(), share("x" + i, 1, 100));
        }
        GpuRequest sevenShares = new GpuRequest.Share(7, 200, GpuMemory.none(), 1, GpuSelector.ANY);
        assertThat(points(GpuPacking.of(), used, Pod.of("p", Resources.of(1, 1), sevenShares)))
                .as("100 - 7 * 90 / 10 is less")
                .isEqualTo(50);
    }

    @Test
    void gpuClustering_putsLikeToLike() {
        Cluster cluster = run(
                cluster(node("a", 96_000, 8), node("b", 96_000, 8), node("c", 96_000, 8)),
                FirstFit.of(),
                share("x", 1, 600),
                whole("y", 1, 8),
                whole("z", 1, 2));
        // a: a share and a pod of two GPUs; b: a pod of eight; c: nothing.
        assertThat(chosen(cluster, GpuClustering.of(), share("p", 1, 500))
                        .placement()
                        .node())
                .isEqualTo("a");
        assertThat(chosen(cluster, GpuClustering.of(), whole("q", 1, 2))
                        .placement()
                        .node())
                .isEqualTo("a");
        assertThat(chosen(cluster, GpuClustering.of(), whole("r", 1, 4))
                        .placement()
                        .node())
                .as("a node without GPU pods before one of other kinds")
                .isEqualTo("c");
    }

    @Test
    void gpuClustering_givesThePointsOfThePaper() {
        Cluster empty = cluster(node("a", 96_000, 8));
        assertThat(points(GpuClustering.of(), empty, whole("p", 1, 2))).isEqualTo(25);
        assertThat(points(GpuClustering.of(), empty, cpuOnly("c", 1))).isZero();
        Cluster twos = run(empty, FirstFit.of(), whole("x", 1, 2));
        assertThat(points(GpuClustering.of(), twos, whole("p", 1, 2)))
                .as("75 + 25 * 2 / 8")
                .isEqualTo(81);
        assertThat(points(GpuClustering.of(), twos, whole("p", 1, 4)))
                .as("25 * 2 / 8")
                .isEqualTo(6);
        Cluster mixed = run(twos, FirstFit.of(), whole("y", 1, 4));
        assertThat(points(GpuClustering.of(), mixed, whole("p", 1, 2)))
                .as("50 + 25 * 6 / 8")
                .isEqualTo(68);
    }

    @Test
    void gpuClustering_forgetsWhatHasGone() {
        Cluster before = cluster(node("a", 96_000, 8), node("b", 96_000, 8));
        Cluster used = run(before, FirstFit.of(), whole("x", 1, 4));
        Cluster left =
                used.without(chosen(before, FirstFit.of(), whole("x", 1, 4)).placement());
        assertThat(points(GpuClustering.of(), left, whole("p", 1, 4))).isEqualTo(25);
    }

    @Test
    void names_areThoseOfTheTables() {
        assertThat(List.of(DotProduct.of(), GpuPacking.of(), GpuClustering.of(), RandomFit.of(7)))
                .extracting(Object::toString)
                .containsExactly("dot-product", "gpu-packing", "gpu-clustering", "random(7)");
    }
}
