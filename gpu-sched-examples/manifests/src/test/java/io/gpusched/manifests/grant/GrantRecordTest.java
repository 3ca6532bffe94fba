package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class GrantRecordTest {
    private static final Node NODE = node(0, 1, 2, 3);

    private static final PodManifest POD = PodManifest.of(
            "p",
            List.of(
                    new ContainerManifest("setup", ContainerKind.INIT, Map.of(), Map.of()),
                    ContainerManifest.limits("main", Map.of()),
                    ContainerManifest.limits("side", Map.of())));

    /** A node whose GPUs stand in this order. */
    private static Node node(int... order) {
        Node.Builder node = Node.builder("n1");
        for (int i = 0; i < order.length; i++) {
            node.gpu(Gpu.of(i, "GPU-" + order[i], GpuModel.of("nvidia", "A10", 24_576)));
        }
        return node.build();
    }

    private static Placement placement(GpuGrant setup, GpuGrant main, GpuGrant side) {
        return new Placement(
                PodId.of("p"),
                "n1",
                Resources.NONE,
                List.of(
                        new ContainerGrant("setup", ContainerKind.INIT, setup),
                        new ContainerGrant("main", ContainerKind.ORDINARY, main),
                        new ContainerGrant("side", ContainerKind.ORDINARY, side)));
    }

    @Test
    void aGrant_isWrittenAsTheDocumentsSay() {
        Placement placement = placement(
                GpuGrant.none(),
                new GpuGrant.Whole(List.of(0, 1)),
                new GpuGrant.Shared(List.of(new GpuShare(2, 300, 4_608, 1))));
        assertThat(GrantRecord.write(placement, NODE))
                .isEqualTo(
                        "{\"version\":1,\"node\":\"n1\",\"containers\":{"
                                + "\"main\":{\"gpus\":[\"GPU-0\",\"GPU-1\"]},"
                                + "\"side\":{\"shares\":[{\"gpu\":\"GPU-2\",\"computeMillis\":300,\"memoryMib\":4608,\"slots\":1}]}}}");
    }

    @Test
    void gpus_areFoundByTheirIdentity_whateverTheirOrder() {
        String text =
                GrantRecord.write(placement(GpuGrant.none(), new GpuGrant.Whole(List.of(0, 3)), GpuGrant.none()), NODE);
        assertThat(GrantRecord.read(text, POD, node(3, 2, 1, 0)).get(1).gpus())
                .isEqualTo(new GpuGrant.Whole(List.of(0, 3)));
        assertThat(GrantRecord.read(text, POD, node(1, 0, 3, 2)).get(1).gpus())
                .isEqualTo(new GpuGrant.Whole(List.of(1, 2)));
    }

    @Property
    void whatIsWritten_isReadBack(@ForAll("grants") GpuGrant setup, @ForAll("grants") GpuGrant main) {
        Placement placement = placement(setup, main, GpuGrant.none());
        assertThat(GrantRecord.read(GrantRecord.write(placement, NODE), POD, NODE))
                .isEqualTo(placement.containers());
    }

    @Provide
    Arbitrary<GpuGrant> grants() {
        Arbitrary<List<Integer>> gpus = Arbitraries.integers()
                .between(0, 3)
                .set()
                .ofMinSize(1)
                .map(set -> set.stream().sorted().toList());
        Arbitrary<GpuShare> share = Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.integers().between(0, 1_000),
                        Arbitraries.longs().between(0, 24_576),
                        Arbitraries.integers().between(1, 9))
                .as(GpuShare::new);
        Arbitrary<GpuGrant> shares =
                share.list().ofMinSize(1).uniqueElements(GpuShare::gpu).map(list -> new GpuGrant.Shared(sorted(list)));
        Arbitrary<GpuGrant> partitions = Combinators.combine(
                        Arbitraries.integers().between(0, 3),
                        Arbitraries.of("1g.10gb", "3g.40gb"),
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.of("", "cpx"))
                .as(GpuPartition::new)
                .list()
                .ofMinSize(1)
                .map(list -> new GpuGrant.Partitions(list.stream().sorted().toList()));
        return Arbitraries.oneOf(Arbitraries.just(GpuGrant.none()), gpus.map(GpuGrant.Whole::new), shares, partitions);
    }

    private static List<GpuShare> sorted(List<GpuShare> shares) {
        List<GpuShare> sorted = new ArrayList<>(shares);
        sorted.sort(Comparator.comparingInt(GpuShare::gpu));
        return sorted;
    }

    @Test
    void aWholeNode_isReadBack() {
        Placement placement = placement(GpuGrant.none(), new GpuGrant.WholeNode(4), GpuGrant.none());
        assertThat(GrantRecord.read(GrantRecord.write(placement, NODE), POD, NODE)
                        .get(1)
                        .gpus())
                .isEqualTo(new GpuGrant.WholeNode(4));
    }

    @Test
    void whatIsNoGrantOfThisPod_isRefusedByName() {
        refused("{", "must be JSON");
        refused("[]", "the grant must be an object");
        refused("{\"version\":2,\"node\":\"n1\",\"containers\":{}}", "version must be 1, got 2");
        refused("{\"version\":1,\"node\":\"n2\",\"containers\":{}}", "node must be the pod's own");
        refused("{\"version\":1,\"node\":\"n1\"}", "containers must be an object");
        refused("{\"version\":1,\"node\":\"n1\",\"containers\":{},\"x\":1}", "unknown field \"x\"");
        refused("{\"version\":1,\"version\":1,\"node\":\"n1\",\"containers\":{}}", "Duplicate field");
        inMain("{\"gpus\":[\"GPU-9\"]}", "has no gpu \"GPU-9\"");
        inMain("{\"gpus\":[]}", "at least one gpu");
        inMain("{\"gpus\":[\"GPU-1\",\"GPU-1\"]}", "must ascend");
        inMain("{\"wholeNode\":0}", "gpuCount must be in 1..64");
        inMain("{\"wholeNode\":4,\"gpus\":[]}", "unknown field");
        inMain(
                "{\"shares\":[{\"gpu\":\"GPU-1\",\"computeMillis\":1,\"memoryMib\":1}]}",
                "slots must be a whole number");
        inMain(
                "{\"shares\":[{\"gpu\":\"GPU-1\",\"computeMillis\":-1,\"memoryMib\":1,\"slots\":1}]}",
                "computeMillis must be in");
        refused(
                "{\"version\":1,\"node\":\"n1\",\"containers\":{\"other\":{\"gpus\":[\"GPU-1\"]}}}",
                "no container [other]");
    }

    private static void inMain(String grant, String problem) {
        refused("{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":" + grant + "}}", problem);
    }

    private static void refused(String text, String problem) {
        assertThatThrownBy(() -> GrantRecord.read(text, POD, NODE))
                .isInstanceOf(GrantException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void annotations_holdTheGrant_theEnvironment_andWhatTheDialectWrites() {
        Placement placement = placement(GpuGrant.none(), new GpuGrant.Whole(List.of(0)), GpuGrant.none());
        BindingMetadata metadata = new BindingMetadata(
                Map.of("main", Map.of("NVIDIA_VISIBLE_DEVICES", "0")), Map.of("example.com/a", "b"), Map.of());
        assertThat(GrantAnnotations.of(placement, NODE, metadata))
                .containsOnlyKeys(
                        GrantAnnotations.GRANT, "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES", "example.com/a");
        assertThat(GrantAnnotations.of(
                        placement(GpuGrant.none(), GpuGrant.none(), GpuGrant.none()), NODE, BindingMetadata.NOTHING))
                .isEmpty();
    }
}
