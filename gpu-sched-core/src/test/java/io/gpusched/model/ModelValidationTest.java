package io.gpusched.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.gpusched.testkit.BadInput;
import io.gpusched.testkit.Nodes;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each bad input gives one message that names the thing, the field, the value and the legal range. */
class ModelValidationTest {
    private static Gpu gpu(int index, String uuid) {
        return Gpu.of(index, uuid, Nodes.BIG);
    }

    private static Node.Builder node() {
        return Node.builder("n1");
    }

    private static GpuShare share(int gpu) {
        return new GpuShare(gpu, 10, 10, 1);
    }

    static Stream<BadInput> amounts() {
        return Stream.of(
                new BadInput(
                        "resources: cpuMillis must be in 0..4611686018427387904, got -1", () -> Resources.of(-1, 0)),
                new BadInput(
                        "resources: memoryMib must be in 0..4611686018427387904, got 4611686018427387905",
                        () -> Resources.of(0, Resources.MAX_SUM + 1)),
                new BadInput(
                        "resources: cpuMillis must be in 0..4611686018427387904, got 4611686018427387905",
                        () -> Resources.of(Resources.MAX_SUM, 0).plus(Resources.of(1, 0))),
                new BadInput("gpu model: vendor must not be blank, got \" \"", () -> GpuModel.of(" ", "A100", 1)),
                new BadInput("gpu model: name must not be blank, got \"\"", () -> GpuModel.of("nvidia", "", 1)),
                new BadInput(
                        "gpu model \"A100\": memoryMib must be in 0..268435455, got -1",
                        () -> GpuModel.of("nvidia", "A100", -1)),
                new BadInput(
                        "gpu model \"A100\": memoryMib must be in 0..268435455, got 268435456",
                        () -> GpuModel.of("nvidia", "A100", GpuModel.MAX_MEMORY_MIB + 1)));
    }

    static Stream<BadInput> gpus() {
        return Stream.of(
                new BadInput("gpu -1: index must be in 0..63, got -1", () -> gpu(-1, "u")),
                new BadInput("gpu 64: index must be in 0..63, got 64", () -> gpu(64, "u")),
                new BadInput("gpu 3: uuid must not be blank, got \"\"", () -> gpu(3, "")),
                new BadInput(
                        "gpu 3: computeMillis must be in 1..65535, got 0",
                        () -> gpu(3, "u").withComputeMillis(0)),
                new BadInput(
                        "gpu 3: computeMillis must be in 1..65535, got 65536",
                        () -> gpu(3, "u").withComputeMillis(65_536)),
                new BadInput(
                        "gpu 3: memoryMib must be in 0..268435455, got -5",
                        () -> gpu(3, "u").withMemoryMib(-5)),
                new BadInput(
                        "gpu 3: slots must be in 1..262143, got 0",
                        () -> gpu(3, "u").withSlots(0)),
                new BadInput(
                        "gpu 3: slots must be in 1..262143, got 262144",
                        () -> gpu(3, "u").withSlots(1 << 18)),
                new BadInput(
                        "gpu 3: numaNode must be in -1..1023, got -2",
                        () -> gpu(3, "u").withNumaNode(-2)));
    }

    static Stream<BadInput> nodes() {
        return Stream.of(
                new BadInput("node: name must not be blank, got \"\"", () -> Node.builder("")),
                new BadInput(
                        "node \"n1\": maxPods must be in 0..1000000, got -1",
                        () -> node().maxPods(-1).build()),
                new BadInput(
                        "node \"n1\": maxPods must be in 0..1000000, got 1000001",
                        () -> node().maxPods(1_000_001).build()),
                new BadInput("node \"n1\": label key must not be blank, got \"\"", () -> node().label("", "x")),
                new BadInput("node \"n1\": number of gpus must be in 0..64, got 65", () -> node().gpus(65, Nodes.BIG)),
                new BadInput(
                        "node \"n1\": number of gpus must be in 0..64, got 70",
                        () -> node().gpus(35, Nodes.BIG).gpus(35, Nodes.BIG).build()),
                new BadInput(
                        "node \"n1\": gpu at position 1 must have index 1, got 2",
                        () -> node().gpu(gpu(0, "a")).gpu(gpu(2, "b")).build()),
                new BadInput(
                        "node \"n1\": gpus 0 and 2 have the same uuid \"a\"",
                        () -> node().gpu(gpu(0, "a"))
                                .gpu(gpu(1, "b"))
                                .gpu(gpu(2, "a"))
                                .build()),
                new BadInput(
                        "node \"n1\": gpu index must be in 0..1, got 2",
                        () -> node().gpus(2, Nodes.BIG).build().withGpuHealth(2, false)),
                new BadInput("node \"n1\": number of gpus must be in 0..64, got -1", () -> node().gpus(-1, Nodes.BIG)),
                new BadInput(
                        "node \"n1\": cpuMillis must be in 0..1000000000000, got 1000000000001",
                        () -> node().capacity(Resources.MAX + 1, 0).build()),
                new BadInput(
                        "node \"n1\": memoryMib must be in 0..1000000000000, got 1000000000001",
                        () -> node().capacity(0, Resources.MAX + 1).build()),
                new BadInput("taint: key must not be blank, got \" \"", () -> Taint.noSchedule(" ", "x")),
                new BadInput(
                        "cluster: two nodes have the name \"n1\"",
                        () -> Cluster.of(List.of(
                                node().build(),
                                node().topology(Topology.of("zone", "z")).build()))));
    }

    static Stream<BadInput> names() {
        return Stream.of(
                new BadInput(
                        "topology: expected pairs of level and name, got 3 texts",
                        () -> Topology.of("zone", "z1", "rack")),
                new BadInput("topology: level must not be blank, got \"\"", () -> Topology.of("", "z1")),
                new BadInput("topology: name must not be blank, got \" \"", () -> Topology.of("zone", " ")),
                new BadInput(
                        "topology: a level occurs twice in [Domain[level=zone, name=a], Domain[level=zone, name=b]]",
                        () -> Topology.of("zone", "a", "zone", "b")),
                new BadInput("pod: name must not be blank, got \"\"", () -> PodId.of("ns/")),
                new BadInput("pod: namespace must not be blank, got \"\"", () -> PodId.of("/name")),
                new BadInput(
                        "pod: neither namespace nor name may hold a slash, got \"a\" and \"b/c\"",
                        () -> PodId.of("a/b/c")),
                new BadInput(
                        "pod: neither namespace nor name may hold a slash, got \"a/b\" and \"c\"",
                        () -> new PodId("a/b", "c")));
    }

    static Stream<BadInput> grants() {
        return Stream.of(
                new BadInput("gpu grant: at least one gpu expected, got none", () -> new GpuGrant.Whole(List.of())),
                new BadInput(
                        "gpu grant: gpu indexes must ascend within 0..63, got [1, 1]",
                        () -> new GpuGrant.Whole(List.of(1, 1))),
                new BadInput(
                        "gpu grant: gpu indexes must ascend within 0..63, got [0, 64]",
                        () -> new GpuGrant.Whole(List.of(0, 64))),
                new BadInput(
                        "gpu grant: gpu indexes must ascend within 0..63, got [-1]",
                        () -> new GpuGrant.Whole(List.of(-1))),
                new BadInput("gpu grant: at least one gpu expected, got none", () -> new GpuGrant.Shared(List.of())),
                new BadInput(
                        "gpu grant: gpu indexes must ascend, got [GPU 2 (1 %, 10 MiB), GPU 1 (1 %, 10 MiB)]",
                        () -> new GpuGrant.Shared(List.of(share(2), share(1)))),
                new BadInput("whole node: gpuCount must be in 1..64, got 0", () -> new GpuGrant.WholeNode(0)),
                new BadInput("gpu share: gpu must be in 0..63, got 64", () -> new GpuShare(64, 0, 0, 1)),
                new BadInput("gpu share: computeMillis must be in 0..65535, got -1", () -> new GpuShare(0, -1, 0, 1)),
                new BadInput("gpu share: memoryMib must be in 0..268435455, got -1", () -> new GpuShare(0, 0, -1, 1)),
                new BadInput("gpu share: slots must be in 1..262143, got 0", () -> new GpuShare(0, 0, 0, 0)),
                new BadInput(
                        "container grant: container must not be blank, got \"\"",
                        () -> ContainerGrant.of("", GpuGrant.none())),
                new BadInput(
                        "pod \"p\": node must not be blank, got \"\"",
                        () -> new Placement(PodId.of("p"), "", Resources.NONE, List.of())),
                new BadInput(
                        "pod \"p\": at most one container may hold the whole node, got 2",
                        () -> new Placement(
                                PodId.of("p"),
                                "n",
                                Resources.NONE,
                                List.of(
                                        ContainerGrant.of("a", new GpuGrant.WholeNode(1)),
                                        new ContainerGrant("b", ContainerKind.INIT, new GpuGrant.WholeNode(1))))));
    }

    @ParameterizedTest
    @MethodSource({"amounts", "gpus", "nodes", "names", "grants"})
    void badInput_isRefusedWithOneClearMessage(BadInput input) {
        input.check();
    }

    @Test
    void greatestLegalValues_areTaken() {
        Gpu gpu = new Gpu(63, "u", GpuModel.of("v", "m", GpuModel.MAX_MEMORY_MIB), 65_535, 0, 262_143, 1_023, true);
        assertThat(gpu.withMemoryMib(GpuModel.MAX_MEMORY_MIB).memoryMib()).isEqualTo(268_435_455L);
        Node node = Node.builder("n")
                .capacity(Resources.MAX, Resources.MAX)
                .maxPods(1_000_000)
                .gpus(64, Nodes.BIG)
                .build();
        Cluster.of(List.of(node)).validate();
    }

    @Test
    void null_isRefused() {
        assertThatNullPointerException().isThrownBy(() -> new Gpu(0, "u", null, 1, 0, 1, 0, true));
        assertThatNullPointerException().isThrownBy(() -> new Taint("k", null, Taint.Effect.NO_EXECUTE));
        assertThatNullPointerException().isThrownBy(() -> new Taint("k", "v", null));
        assertThatNullPointerException().isThrownBy(() -> ContainerGrant.of("c", null));
        assertThatNullPointerException().isThrownBy(() -> new Placement(PodId.of("p"), "n", null, List.of()));
        assertThatNullPointerException()
                .isThrownBy(() -> new Node(
                        "n",
                        null,
                        Resources.NONE,
                        1,
                        Map.of(),
                        List.of(),
                        Topology.NONE,
                        List.of(),
                        GpuLinks.NONE,
                        false,
                        List.of()));
        assertThatNullPointerException()
                .isThrownBy(() -> node().capacity(1, 1).mode(null).build());
        assertThatNullPointerException().isThrownBy(() -> node().topology(null).build());
    }
}
