package io.gpusched.dialect.nanogpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.decision.Placed;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which GPUs and nodes nano-gpu prefers, by numbers worked out by hand. */
class NanoGpuPolicyTest {
    private static final NanoGpuDialect BINPACK = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
    private static final NanoGpuDialect SPREAD = NanoGpuDialect.of(NanoGpuPolicy.SPREAD);

    private static Node node(String name, int gpus) {
        return BINPACK.node(NodeManifest.of(name, Map.of(), Map.of(NanoGpuDialect.PERCENT, "" + 100 * gpus)));
    }

    private static PodManifest pod(String name, int... percents) {
        List<ContainerManifest> containers = new ArrayList<>();
        for (int percent : percents) {
            containers.add(ContainerManifest.limits(
                    "c" + containers.size(), Map.of(NanoGpuDialect.PERCENT, Integer.toString(percent))));
        }
        return PodManifest.of(name, containers);
    }

    private static Placement placed(NanoGpuDialect dialect, Cluster cluster, PodManifest pod) {
        return ((Placed) DialectScheduler.of(dialect).schedule(cluster, pod)).placement();
    }

    private static Cluster with(Cluster cluster, PodManifest pod) {
        return cluster.with(placed(BINPACK, cluster, pod));
    }

    private static long score(NanoGpuPolicy policy, NodeState node) {
        return policy.score(
                node, node, Pod.of("any", io.gpusched.model.Resources.NONE, io.gpusched.workload.GpuRequest.none()));
    }

    @Test
    void node_hasAGpuForEachHundredPercent_andNoneForTheRest() {
        Node node = BINPACK.node(NodeManifest.of("n", Map.of(), Map.of(NanoGpuDialect.PERCENT, "250")));

        assertThat(node.gpus()).hasSize(2);
    }

    @Test
    void binpackScore_isTheUsedPercentageLessTheNumberOfGpus() {
        Cluster cluster = with(Cluster.of(List.of(node("n", 4))), pod("a", 60));

        assertThat(score(NanoGpuPolicy.BINPACK, cluster.node(0))).isEqualTo(60 / 4 - 4);
    }

    @Test
    void spreadScore_isAHundredForEachIdleGpu_aTenthOfWhatIsFree_lessTheNumberOfGpus() {
        Cluster cluster = with(Cluster.of(List.of(node("n", 4))), pod("a", 60));

        assertThat(score(NanoGpuPolicy.SPREAD, cluster.node(0))).isEqualTo(300 + 340 / 10 - 4);
    }

    @Test
    void aNodeWithoutGpus_scoresNothing() {
        NodeState bare = Cluster.of(List.of(node("n", 0))).node(0);

        assertThat(score(NanoGpuPolicy.BINPACK, bare)).isZero();
        assertThat(score(NanoGpuPolicy.SPREAD, bare)).isZero();
    }

    @Test
    void binpack_takesTheFullerNodeAndGpu_spreadTheEmptier() {
        Cluster cluster = Cluster.of(List.of(node("a", 2), node("b", 2)));
        cluster = cluster.with(placed(BINPACK, Cluster.of(List.of(node("b", 2))), pod("old", 50)));

        Placement packed = placed(BINPACK, cluster, pod("p", 20));
        Placement spread = placed(SPREAD, cluster, pod("p", 20));

        assertThat(packed.node()).isEqualTo("b");
        assertThat(packed.gpus()).containsExactly(0);
        assertThat(spread.node()).isEqualTo("a");
        assertThat(spread.gpus()).containsExactly(1);
    }

    @Test
    void theLargestDemandChoosesFirst_ofEqualOnesTheLastContainer() {
        Cluster cluster = Cluster.of(List.of(node("n", 2)));

        Placement placement = placed(BINPACK, cluster, pod("p", 40, 70, 40));

        assertThat(placement.containers().get(1).gpus().indexes()).containsExactly(0);
        assertThat(placement.containers().get(2).gpus().indexes()).containsExactly(1);
        assertThat(placement.containers().get(0).gpus().indexes()).containsExactly(1);
    }

    @Test
    void gpusThatBecomeEqual_keepTheOrderThatTheyHadBefore() {
        Cluster cluster = Cluster.of(List.of(node("n", 2)));
        cluster = with(with(cluster, pod("a", 90)), pod("b", 40)); // GPU 0 has 10 free, GPU 1 has 60
        cluster = cluster.without(PodId.of("a")); // GPU 0 has 100

        Placement placement = placed(SPREAD, cluster, pod("p", 10, 40));

        // 40 on GPU 0 leaves both with 60; GPU 0 stood last, so it is again the first choice of spread
        assertThat(gpuOf(placement, 1)).isZero();
        assertThat(gpuOf(placement, 0)).isZero();
    }

    @Test
    void aGpuThatWasFuller_staysBeforeAnEqualOneOfLowerIndex() {
        Cluster cluster = Cluster.of(List.of(node("n", 2)));
        cluster = with(with(cluster, pod("a", 90)), pod("b", 60)); // GPU 0 has 10 free, GPU 1 has 40
        cluster = cluster.without(PodId.of("a")); // GPU 0 has 100

        Placement placement = placed(BINPACK, cluster, pod("p", 10, 60));

        // 60 on GPU 0 leaves both with 40; GPU 1 stood first, so it takes the other container
        assertThat(gpuOf(placement, 1)).isZero();
        assertThat(gpuOf(placement, 0)).isEqualTo(1);
    }

    private static int gpuOf(Placement placement, int container) {
        return placement.containers().get(container).gpus().indexes().get(0);
    }

    @Test
    void binpackScore_isCutAsNanoGpusFractionIs() {
        Cluster cluster = with(Cluster.of(List.of(node("n", 1))), pod("a", 58));

        assertThat(score(NanoGpuPolicy.BINPACK, cluster.node(0))).isEqualTo(57 - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {101, 1_000})
    void moreThanOneGpu_isRefusedWithTheRange(int percent) {
        assertThatThrownBy(() -> BINPACK.pod(pod("p", percent)))
                .isInstanceOf(RefusedException.class)
                .hasMessageContaining("container \"c0\"")
                .hasMessageContaining(NanoGpuDialect.PERCENT + " must be in 1..100, got " + percent);
    }

    @ParameterizedTest
    @CsvSource({"1, 10", "50, 500", "100, 1000"})
    void aPercent_isTenMilliOfCompute(int percent, int millis) {
        Pod pod = BINPACK.pod(pod("p", percent));

        GpuRequest.Share share = (GpuRequest.Share) pod.containers().get(0).gpu();
        assertThat(share.computeMillis()).isEqualTo(millis);
    }

    @Test
    void aRequestAlone_countsForNothing_onlyTheLimitDoes() {
        ContainerManifest container = new ContainerManifest(
                "c", io.gpusched.model.ContainerKind.ORDINARY, Map.of(NanoGpuDialect.PERCENT, "40"), Map.of());

        assertThat(BINPACK.pod(PodManifest.of("p", List.of(container)))
                        .containers()
                        .get(0)
                        .gpu()
                        .isNone())
                .isTrue();
    }

    @Test
    void refusal_usesTheSystemsWords() {
        assertThat(BINPACK.refusal(Cluster.of(List.of(node("n", 1))).node(0), pod("p", 10)))
                .isEqualTo("no assignment of containers to single GPUs");
    }
}
