package io.gpusched.manifests.view;

import static io.gpusched.manifests.view.BookObjects.book;
import static io.gpusched.manifests.view.BookObjects.bound;
import static io.gpusched.manifests.view.BookObjects.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.grant.GrantRecord;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What nodes have left on which more runs than they have room for, or more than one scheduler put. */
class FullNodesTest {
    private final ClusterBook book = book("t9k");

    private NodeState node(String name) {
        return book.cluster().node(name).orElseThrow();
    }

    private void run(String pod, String node, String grant) {
        book.putPod(RunningPod.of(bound(Manifests.pod(pod, T9kDialect.GPU, "1"), node, grant)));
    }

    @Test
    void whatRunsOnANodeThatHasTooLittleByNow_holdsWhatIsLeft_andGrowsBack() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        run("a", "n1", whole("n1", 0));
        run("b", "n1", whole("n1", 1));
        var small = Manifests.t9kNode("n1", "xgn", 4);
        small.getStatus().getAllocatable().put("cpu", new Quantity("1500m"));
        book.putNode(small);
        assertThat(node("n1").freeCpuMillis()).isZero();
        assertThat(node("n1").isWhole(1)).isTrue();
        book.removePod(PodId.of("a"));
        assertThat(node("n1").freeCpuMillis()).isEqualTo(500);
        assertThat(node("n1").placements()).hasSize(1);
    }

    /** As after a resize, or where the kubelet runs pods of its own: kube-scheduler still gives out what GPUs are left. */
    @Test
    void whereCpuIsOvercommitted_devicesAreStillCounted_andTheOthersGoToPodsThatAskNoCpu() {
        for (Map<String, Quantity> little : List.of(
                Map.of("cpu", new Quantity("1500m")),
                Map.of("memory", new Quantity("1Gi")),
                Map.of("cpu", new Quantity("500m")))) {
            ClusterBook plugin = book("device-plugin");
            Node node = Manifests.node("n1", Map.of(), Map.of("nvidia.com/gpu", "4"));
            plugin.putNode(node);
            plugin.putPod(RunningPod.of(withDevice("a", "n1")));
            plugin.putPod(RunningPod.of(withDevice("b", "n1")));
            assertThat(plugin.cluster().node("n1").orElseThrow().idleGpus()).isEqualTo(2);

            Node small = new NodeBuilder(node).build();
            small.getStatus().setAllocatable(new HashMap<>(node.getStatus().getAllocatable()));
            small.getStatus().getAllocatable().putAll(little);
            plugin.putNode(small);
            plugin.putPod(RunningPod.of(withDevice("c", "n1")));

            NodeState state = plugin.cluster().node("n1").orElseThrow();
            assertThat(plugin.troubles()).isEmpty();
            assertThat(state.isHealthy()).isTrue();
            assertThat(state.idleGpus()).isEqualTo(1);
            assertThat(fits(plugin, "100m", "16Mi")).isFalse();
            assertThat(fits(plugin, "0", "0")).isTrue();
        }
    }

    /** One was placed by this scheduler, the other came past it afterwards; then the node is read again. */
    @Test
    void aPodOfWhichOnlyTheNumberOfItsDevicesIsKnown_isCountedOnOthersThanThoseThatWereGranted() {
        ClusterBook plugin = book("device-plugin");
        plugin.putNode(Manifests.node("n1", Map.of(), Map.of("nvidia.com/gpu", "4")));
        NodeState empty = plugin.cluster().node("n1").orElseThrow();
        Pod granted = withDevice("z-granted", "n1");
        Placement placement = ((Placed) DialectScheduler.of(
                                Dialects.find("device-plugin").orElseThrow().dialect())
                        .schedule(
                                plugin.cluster(),
                                ManifestReader.pod(Manifests.pod("z-granted", "nvidia.com/gpu", "1"))))
                .placement();
        plugin.putPod(RunningPod.of(bound(granted, "n1", GrantRecord.write(placement, empty.node()))));
        plugin.putPod(RunningPod.of(withDevice("a-other", "n1")));
        plugin.cluster();

        plugin.putNode(Manifests.node("n1", Map.of("new", "label"), Map.of("nvidia.com/gpu", "4")));

        NodeState state = plugin.cluster().node("n1").orElseThrow();
        assertThat(plugin.troubles()).isEmpty();
        assertThat(state.isHealthy()).isTrue();
        assertThat(state.idleGpus()).isEqualTo(2);
    }

    private static boolean fits(ClusterBook plugin, String cpu, String memory) {
        Pod asks = Manifests.pod("d", Map.of("nvidia.com/gpu", "1", "cpu", cpu, "memory", memory));
        return DialectScheduler.of(Dialects.find("device-plugin").orElseThrow().dialect())
                        .schedule(plugin.cluster(), ManifestReader.pod(asks))
                instanceof Placed;
    }

    private static Pod withDevice(String name, String node) {
        return new PodBuilder(Manifests.pod(name, "nvidia.com/gpu", "1"))
                .editMetadata()
                .withUid("uid-" + name)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    /** Such as one of a DaemonSet, which no scheduler of ours places. */
    @Test
    void aPodThatComesToANodeThatIsHeldWhole_isCounted_andTheHolderKeepsAllGpus() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        book.putPod(RunningPod.of(bound(
                Manifests.pod("all", T9kDialect.GPU_NODE, "1"),
                "n1",
                "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"wholeNode\":4}}}")));
        assertThat(node("n1").isHeldWhole()).isTrue();

        Pod exporter = Manifests.pod("exporter", Map.of());
        exporter.getMetadata().setUid("uid-exporter");
        exporter.getSpec().setNodeName("n1");
        book.putPod(RunningPod.of(exporter));

        assertThat(node("n1").placements()).hasSize(2);
        assertThat(node("n1").idleGpus()).isZero();
        assertThat(node("n1").freeCpuMillis()).isZero();
        assertThat(book.troubles()).isEmpty();

        book.removePod(new PodId("default", "exporter"));
        assertThat(node("n1").isHeldWhole()).isTrue();
        book.cluster().validate();
    }

    private static Pod ofDaemonSet(String name, String node) {
        Pod pod = Manifests.ofDaemonSet(Manifests.pod(name, Map.of()));
        pod.getMetadata().setUid("uid-" + name);
        pod.getSpec().setNodeName(node);
        return pod;
    }

    @Test
    void podsOfDaemonSets_takeTheirPart_butLeaveTheNodeToWhoeverWantsItWhole() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        book.putPod(RunningPod.of(ofDaemonSet("exporter", "n1")));
        assertThat(node("n1").isEmpty()).isTrue();
        assertThat(node("n1").freeCpuMillis()).isEqualTo(63_000);
        assertThat(node("n1").node().maxPods()).isEqualTo(109);

        book.putPod(RunningPod.of(bound(
                Manifests.pod("all", T9kDialect.GPU_NODE, "1"),
                "n1",
                "{\"version\":1,\"node\":\"n1\",\"containers\":{\"main\":{\"wholeNode\":4}}}")));
        assertThat(node("n1").isHeldWhole()).isTrue();
        book.putPod(RunningPod.of(ofDaemonSet("late", "n1")));
        assertThat(node("n1").isHeldWhole()).isTrue();
        assertThat(node("n1").node().residents()).hasSize(2);
        assertThat(book.troubles()).isEmpty();

        book.removePod(new PodId("default", "late"));
        book.removePod(new PodId("default", "all"));
        book.removePod(new PodId("default", "exporter"));
        assertThat(node("n1").freeCpuMillis()).isEqualTo(64_000);
        assertThat(node("n1").node().residents()).isEmpty();
        book.cluster().validate();
    }

    @Test
    void aPodOfADaemonSet_thatHoldsGpus_isATenant() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod trainer = bound(ofDaemonSet("trainer", "n1"), "n1", whole("n1", 0));
        trainer.getSpec().getContainers().get(0).getResources().getLimits().put(T9kDialect.GPU, new Quantity("1"));
        book.putPod(RunningPod.of(trainer));
        assertThat(node("n1").isEmpty()).isFalse();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
    }

    @Test
    void aNodeThatHasNotSaidHowManyPodsItTakes_takesNone() {
        Node node = Manifests.t9kNode("n1", "xgn", 4);
        node.getStatus().getAllocatable().remove("pods");
        book.putNode(node);
        assertThat(node("n1").node().maxPods()).isZero();
    }

    private int freeSlots(String name) {
        return node(name).node().maxPods() - node(name).placements().size();
    }

    @Test
    void whereMorePodsRunThanTheNodeTakes_noneMayCome_untilEnoughAreGone() {
        Node node = Manifests.t9kNode("n1", "xgn", 4);
        node.getStatus().getAllocatable().put("pods", new Quantity("1"));
        book.putNode(node);
        for (String pod : List.of("a", "b", "c")) {
            book.putPod(RunningPod.of(new PodBuilder(Manifests.pod(pod, Map.of()))
                    .editSpec()
                    .withNodeName("n1")
                    .endSpec()
                    .build()));
        }
        assertThat(freeSlots("n1")).isZero();
        book.removePod(PodId.of("a"));
        assertThat(freeSlots("n1")).isZero();
        book.removePod(PodId.of("b"));
        assertThat(freeSlots("n1")).isZero();
        book.removePod(PodId.of("c"));
        assertThat(freeSlots("n1")).isEqualTo(1);
    }
}
