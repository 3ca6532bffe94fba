package io.gpusched.dialect.nvidia;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeMode;
import io.gpusched.model.PodId;
import io.gpusched.workload.NodeSelector;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GpuOperatorDialectTest {
    private static final GpuOperatorDialect DIALECT = GpuOperatorDialect.of();
    private static final String GPU = NvidiaSharing.RESOURCE;
    private static final String MIG = "nvidia.com/mig-1g.5gb";

    private static final NodeManifest WHOLE =
            NodeManifest.of("whole", Map.of("kind", "whole", "nvidia.com/gpu.replicas", "1"), Map.of(GPU, "2"));
    private static final NodeManifest SLICED = shared("sliced", "time-slicing", Map.of(GPU, "8"));
    private static final NodeManifest MPS = shared("mps", "mps", Map.of(GPU, "8"));
    private static final NodeManifest RENAMED =
            shared("renamed", "time-slicing", Map.of(GPU, "0", GpuOperatorDialect.SHARED, "8"));
    private static final NodeManifest CUT =
            NodeManifest.of("cut", Map.of("kind", "cut", "nvidia.com/gpu.replicas", "1"), Map.of(GPU, "0", MIG, "7"));

    private static NodeManifest shared(String name, String strategy, Map<String, String> allocatable) {
        Map<String, String> labels = Map.of(
                "kind",
                name,
                "nvidia.com/gpu.count",
                "2",
                "nvidia.com/gpu.replicas",
                "4",
                "nvidia.com/gpu.sharing-strategy",
                strategy);
        return NodeManifest.of(name, labels, allocatable);
    }

    private static Cluster cluster(NodeManifest... nodes) {
        return Cluster.of(Stream.of(nodes).map(DIALECT::node).toList());
    }

    private static PodManifest pod(String resource, int count) {
        return PodManifest.of("p", List.of(ContainerManifest.limits("main", Map.of(resource, "" + count))));
    }

    private static PodManifest on(String kind, PodManifest pod) {
        return pod.onNodes(NodeSelector.labels(Map.of("kind", kind)));
    }

    private static Decision decide(Cluster cluster, PodManifest pod) {
        return DialectScheduler.of(DIALECT).schedule(cluster, pod);
    }

    private static Placed placed(Cluster cluster, PodManifest pod) {
        Decision decision = decide(cluster, pod);
        assertThat(decision).isInstanceOf(Placed.class);
        return (Placed) decision;
    }

    @Test
    void eachNode_isReadByItsOwnLabels() {
        assertThat(DIALECT.node(WHOLE).mode()).isEqualTo(NodeMode.EXCLUSIVE);
        assertThat(DIALECT.node(SLICED).mode()).isEqualTo(NodeMode.SHARED);
        assertThat(DIALECT.node(SLICED).gpus()).hasSize(2).allMatch(gpu -> gpu.slots() == 4);
        assertThat(DIALECT.node(CUT).gpus())
                .singleElement()
                .matches(gpu -> gpu.partitions().names().contains("1g.5gb"));
    }

    @ParameterizedTest
    @CsvSource({
        "nvidia.com/gpu,        1, whole,   whole",
        "nvidia.com/gpu,        2, whole,   whole",
        "nvidia.com/gpu,        1, sliced,  sliced",
        "nvidia.com/gpu,        3, sliced,  sliced",
        "nvidia.com/gpu,        1, mps,     mps",
        "nvidia.com/gpu.shared, 2, renamed, renamed",
        "nvidia.com/mig-1g.5gb, 2, cut,     cut",
        "nvidia.com/gpu,        2, mps,     ''",
        "nvidia.com/gpu,        1, renamed, ''",
        "nvidia.com/gpu,        1, cut,     ''",
        "nvidia.com/gpu.shared, 1, sliced,  ''",
        "nvidia.com/mig-1g.5gb, 1, whole,   ''",
    })
    void aPod_isServedByTheNodesThatOfferWhatItAsks(String resource, int count, String kind, String node) {
        Decision decision = decide(cluster(WHOLE, SLICED, MPS, RENAMED, CUT), on(kind, pod(resource, count)));

        assertThat(decision instanceof Placed placed ? placed.placement().node() : "")
                .isEqualTo(node);
    }

    @Test
    void aWholeGpu_isTakenBeforeAReplica_andAReplicaWhereNoneIsLeft() {
        Cluster cluster = cluster(SLICED, WHOLE);

        Placed two = placed(cluster, pod(GPU, 2));
        assertThat(two.placement().node()).isEqualTo("whole");
        PodManifest next = PodManifest.of("q", pod(GPU, 1).containers());
        assertThat(placed(cluster.with(two.placement()), next).placement().node())
                .isEqualTo("sliced");
    }

    @Test
    void replicas_goToTheGpuWithTheFewest_andAreNamedByTheirIndex() {
        Cluster cluster = cluster(SLICED, CUT);
        Cluster full = cluster.with(placed(cluster, pod(GPU, 1)).placement());
        PodManifest next = PodManifest.of("q", pod(GPU, 1).containers());

        Placed placed = placed(full, next);

        assertThat(placed.placement().gpus()).containsExactly(1);
        assertThat(DIALECT.write(next, DIALECT.node(SLICED), placed.placement()).environment())
                .isEqualTo(Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "1")));
    }

    @Test
    void aNode_refusesInKubeSchedulersWords() {
        Cluster cluster = cluster(WHOLE, SLICED, RENAMED, CUT);

        PodManifest many = new PodManifest(
                PodId.of("p"), Map.of(), Map.of(), pod(GPU, 9).containers(), NodeSelector.ANY, List.of());
        assertThat(cluster.nodes())
                .allSatisfy(node -> assertThat(DIALECT.refusal(node, many)).isEqualTo("Insufficient nvidia.com/gpu"));
        assertThat(DIALECT.refusal(cluster.node("sliced").orElseThrow(), pod(GPU, 8)))
                .isEmpty();
        assertThat(DIALECT.refusal(cluster.node("renamed").orElseThrow(), pod(GPU, 1)))
                .isEqualTo("Insufficient nvidia.com/gpu");
        assertThat(DIALECT.refusal(cluster.node("cut").orElseThrow(), pod(MIG, 8)))
                .isEqualTo("Insufficient " + MIG);
    }

    @Test
    void aWholeGpuOnANodeOfMigDevices_isRefusedWithoutTheSumOfItsDevices() {
        Decision no = decide(cluster(CUT), pod(GPU, 1));

        assertThat(((Unschedulable) no).diagnosis().toString())
                .contains("cut into partitions for good")
                .doesNotContain("on one GPU");
    }

    /** MIG devices may stand beside shared GPUs: those that are not cut. */
    @Test
    void aNodeOfSharedGpusAndMigDevices_servesBoth() {
        Cluster cluster = cluster(shared("both", "time-slicing", Map.of(GPU, "4", MIG, "7")));

        assertThat(placed(cluster, pod(GPU, 1)).placement().gpus()).containsExactly(0);
        assertThat(placed(cluster, pod(MIG, 1)).placement().gpus()).containsExactly(2);
    }

    /** 1g.10gb is a seventh of an A100 of 80 GB, and a quarter of one of 40 GB; a replica of a slice is a part of it. */
    @ParameterizedTest
    @CsvSource({
        "NVIDIA-A100-SXM4-80GB-MIG-1g.10gb, 1, 56, 56, 8, 7",
        "NVIDIA-A100-SXM4-40GB-MIG-1g.10gb, 1, 32,  8, 8, 4",
        "NVIDIA-A30-MIG-2g.12gb,            1,  4,  4, 2, 2",
        "NVIDIA-H100-80GB-HBM3-MIG-1g.10gb-SHARED, 2, 28, 14, 2, 14",
        "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb, 1, 13, 14, 7, 2",
        "NVIDIA-NEXT-MIG-3g.99gb,           1,  4,  4, 2, 2",
    })
    void slicesOfferedAsGpus_areSlotsOfAsManyGpusAsTheyAreCutFrom(
            String product, int replicas, int offered, int counted, int gpus, int slots) {
        Map<String, String> labels = Map.of(
                "nvidia.com/gpu.product",
                product,
                "nvidia.com/mig.strategy",
                "single",
                "nvidia.com/gpu.count",
                "" + counted,
                "nvidia.com/gpu.replicas",
                "" + replicas);
        NodeManifest manifest = NodeManifest.of("n", labels, Map.of(GPU, "" + offered));

        assertThat(GpuOperatorDialect.isShared(manifest)).isTrue();
        assertThat(DIALECT.node(manifest).gpus()).hasSize(gpus);
        assertThat(DIALECT.node(manifest).gpus().get(0).slots()).isEqualTo(slots);
        assertThat(DIALECT.node(manifest).gpus().stream()
                        .mapToInt(gpu -> gpu.slots())
                        .sum())
                .isEqualTo(offered);
    }

    @Test
    void severalSlices_mayLieOnAnyGpus_whereThePodSelectsNodesThatHaveThemAlone() {
        Map<String, String> labels =
                Map.of("kind", "slices", "nvidia.com/gpu.product", "NVIDIA-A100-SXM4-80GB-MIG-3g.40gb");
        Cluster cluster = cluster(
                NodeManifest.of("whole", Map.of(), Map.of(GPU, "8")),
                NodeManifest.of("slices", labels, Map.of(GPU, "3")));

        assertThat(placed(cluster, on("slices", pod(GPU, 3))).placement().node())
                .isEqualTo("slices");
    }
}
