package io.gpusched.examples.kubernetes.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.examples.dialect.Dialects;
import io.gpusched.examples.kubernetes.Manifests;
import io.gpusched.examples.kubernetes.grant.GrantRecord;
import io.gpusched.examples.manifest.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterBookTest {
    private final ClusterBook book = book("t9k");

    private static ClusterBook book(String... dialects) {
        return new ClusterBook(new DialectSet(List.of(dialects).stream()
                .map(name -> Dialects.find(name).orElseThrow())
                .toList()));
    }

    private static Pod bound(Pod pod, String node, String grant) {
        return new PodBuilder(pod)
                .editMetadata()
                .withUid("uid-" + pod.getMetadata().getName())
                .addToAnnotations("gpu-sched.io/grant", grant)
                .endMetadata()
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }

    private static String whole(String node, int... gpus) {
        StringBuilder ids = new StringBuilder();
        for (int gpu : gpus) {
            ids.append(ids.isEmpty() ? "" : ",")
                    .append('"')
                    .append(node)
                    .append("-gpu-")
                    .append(gpu)
                    .append('"');
        }
        return "{\"version\":1,\"node\":\"" + node + "\",\"containers\":{\"main\":{\"gpus\":[" + ids + "]}}}";
    }

    private NodeState node(String name) {
        return book.cluster().node(name).orElseThrow();
    }

    private void run(String pod, String node, String grant) {
        book.putPod(RunningPod.of(bound(Manifests.pod(pod, T9kDialect.GPU, "1"), node, grant)));
    }

    private Placement decide(String pod) {
        return ((Placed) DialectScheduler.of(T9kDialect.of())
                        .schedule(book.cluster(), ManifestReader.pod(Manifests.pod(pod, T9kDialect.GPU, "1"))))
                .placement();
    }

    @Test
    void aRunningPod_holdsTheGpusOfItsGrant() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        run("p", "n1", whole("n1", 2));
        assertThat(node("n1").isWhole(2)).isTrue();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
        assertThat(node("n1").freeCpuMillis()).isEqualTo(63_000);
        assertThat(book.troubles()).isEmpty();
    }

    @Test
    void aPod_mayBeKnownBeforeItsNode_andComesBackWithIt() {
        run("p", "n1", whole("n1", 0));
        assertThat(book.cluster().size()).isZero();
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        assertThat(node("n1").idleGpus()).isEqualTo(3);
        book.removeNode("n1");
        assertThat(book.cluster().size()).isZero();
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        assertThat(node("n1").idleGpus()).isEqualTo(3);
    }

    /** As one of a StatefulSet does, whose name stays. */
    @Test
    void aPodThatComesBackOnAnotherNode_whileBothNodesChange_isThereAlone() {
        for (String name : List.of("n1", "n2")) {
            book.putNode(Manifests.t9kNode(name, "xgn", 4));
        }
        run("p-0", "n2", whole("n2", 0));
        book.cluster();
        for (String name : List.of("n1", "n2")) {
            book.putNode(Manifests.t9kNode(name, "xgn", 4, Map.of("new", "label")));
        }
        run("p-0", "n1", whole("n1", 0));
        assertThat(node("n1").idleGpus()).isEqualTo(3);
        assertThat(node("n2").idleGpus()).isEqualTo(4);
    }

    /** As the garbage collector deletes them once the node is gone. */
    @Test
    void podsThatGoAfterTheirNode_areForgotten_boundOrAssumed() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Placement placement = decide("assumed");
        book.assume(placement);
        run("bound", "n1", whole("n1", 3));
        book.removeNode("n1");
        assertThat(book.cluster().size()).isZero();

        book.removePod(new PodId("default", "bound"));
        book.removePod(placement.pod());
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        assertThat(node("n1").isEmpty()).isTrue();
    }

    @Test
    void anAssumedPod_isConfirmedByWhatTheApiServerSays_withoutAChange() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Placement placement = decide("p");
        book.assume(placement);
        Cluster assumed = book.cluster();
        book.touched();

        run("p", "n1", GrantRecord.write(placement, node("n1").node()));

        assertThat(book.cluster()).isEqualTo(assumed);
        assertThat(book.touched()).isEmpty();
        assertThat(book.running(PodId.of("p"))).isPresent();
    }

    @Test
    void anotherPlaceThanAssumed_isTakenFromTheApiServer() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        book.assume(decide("p"));
        run("p", "n1", whole("n1", 3));
        assertThat(node("n1").isWhole(3)).isTrue();
        assertThat(node("n1").isIdle(0)).isTrue();
    }

    @Test
    void anAssumptionThatFails_isTakenBack_andTheNodeIsTouched() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Cluster before = book.cluster();
        book.assume(decide("p"));
        book.touched();
        book.removePod(PodId.of("p"));
        assertThat(book.cluster()).isEqualTo(before);
        assertThat(book.touched()).containsExactly("n1");
    }

    @Test
    void whereOneGpuIsGrantedTwice_theNodeGivesOutNoGpus_untilOneOfThemIsGone() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        run("a", "n1", whole("n1", 1));
        run("b", "n1", whole("n1", 1));
        assertThat(node("n1").isHealthy(0)).isFalse();
        assertThat(node("n1").isHealthy(3)).isFalse();
        assertThat(node("n1").freeCpuMillis()).isEqualTo(62_000);
        assertThat(book.troubles()).extracting(Trouble::reason).containsExactly("GrantConflict");

        book.removePod(PodId.of("a"));

        assertThat(node("n1").isHealthy()).isTrue();
        assertThat(node("n1").isWhole(1)).isTrue();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
    }

    @Test
    void aPodThatHoldsGpusNobodyCanName_closesItsNode() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod pod = Manifests.pod("p", T9kDialect.GPU, "1");
        pod.getSpec().setNodeName("n1");
        pod.getMetadata().setUid("u");
        book.putPod(RunningPod.of(pod));
        assertThat(node("n1").isHealthy(0)).isFalse();
        assertThat(book.troubles())
                .extracting(Trouble::message)
                .singleElement()
                .asString()
                .contains("no annotation says which GPUs the pod holds");
    }

    @Test
    void devicesHeldUnderAnotherSystemsName_closeTheNode() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod pod = Manifests.pod("p", "nano-gpu/gpu-percent", "30");
        pod.getSpec().setNodeName("n1");
        pod.getMetadata().setUid("u");
        book.putPod(RunningPod.of(pod));
        assertThat(node("n1").isHealthy(0)).isFalse();
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

    @Test
    void aPodWithoutAGrant_isReadByItsDialectsAnnotations() {
        ClusterBook nano = book("nano-gpu");
        nano.putNode(Manifests.node("n1", Map.of(), Map.of("nano-gpu/gpu-percent", "300")));
        Pod pod = new PodBuilder(Manifests.pod("p", "nano-gpu/gpu-percent", "30"))
                .editMetadata()
                .withUid("u")
                .addToAnnotations("nano-gpu/container-main", "2")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
        nano.putPod(RunningPod.of(pod));
        assertThat(nano.cluster().node("n1").orElseThrow().freeComputeMillis(2)).isEqualTo(700);
        assertThat(nano.troubles()).isEmpty();
    }

    @Test
    void aNodeThatCannotBeRead_takesNoPods_andSaysWhy() {
        book.putNode(Manifests.t9kNode("n1", "other", 4));
        assertThat(book.cluster().size()).isZero();
        assertThat(book.troubles()).extracting(Trouble::reason).containsExactly("NodeUnreadable");
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        assertThat(book.cluster().size()).isEqualTo(1);
    }

    @Test
    void aCordonedNode_isTaintedAsKubernetesTaintsIt() {
        var node = Manifests.t9kNode("n1", "xgn", 4);
        node.getSpec().setUnschedulable(true);
        book.putNode(node);
        assertThat(node("n1").node().taints())
                .extracting(Object::toString)
                .anyMatch(text -> text.contains("node.kubernetes.io/unschedulable"));
        assertThat(node("n1").isCordoned()).isFalse();
    }

    @Test
    void aTopologyKey_becomesALevel_ofNodesThatAreThereAndThatCome() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4, Map.of("rack", "r1")));
        run("p", "n1", whole("n1", 0));
        assertThat(book.cluster("rack").domains("rack")).hasSize(1);
        book.putNode(Manifests.t9kNode("n2", "xgn", 4, Map.of("rack", "r2")));
        assertThat(book.cluster("rack").domains("rack")).hasSize(2);
        assertThat(node("n1").idleGpus()).isEqualTo(3);
    }

    @Test
    void aHeartbeat_changesNothing() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Cluster before = book.cluster();
        book.touched();
        var same = Manifests.t9kNode("n1", "xgn", 4);
        same.getStatus().getConditions().get(0).setLastHeartbeatTime("2026-01-01T00:00:00Z");
        book.putNode(same);
        assertThat(book.touched()).isEmpty();
        assertThat(book.cluster()).isEqualTo(before);
    }

    @Test
    void twoDialectsOfOneName_areRefused() {
        assertThatThrownBy(() -> book("nano-gpu", "nano-gpu:spread"))
                .hasMessageContaining("\"nano-gpu\" is named twice");
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

    private static Namespace namespace(String name, Map<String, String> labels) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    @Test
    void labelsOfNamespaces_areInEverySnapshot_alsoInThoseOfALevel() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4, Map.of("row", "r1")));
        book.putNamespace(namespace("red", Map.of("team", "red")));
        assertThat(book.cluster("row").namespaces())
                .isEqualTo(Map.of("red", Map.of("team", "red", "kubernetes.io/metadata.name", "red")));

        book.putNamespace(namespace("red", Map.of()));
        book.putNamespace(namespace("gone", Map.of()));
        book.removeNamespace("gone");

        assertThat(book.cluster("row").namespaces())
                .isEqualTo(Map.of("red", Map.of("kubernetes.io/metadata.name", "red")))
                .isEqualTo(book.cluster().namespaces());
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

    @Test
    void aPodThatGotOtherLabelsBeforeItWasToldOfAsBound_hasThese() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Placement placement = decide("p");
        book.assume(placement);
        Pod relabelled = Manifests.labelled(Manifests.pod("p", T9kDialect.GPU, "1"), "app", "web");
        book.putPod(RunningPod.of(bound(relabelled, "n1", whole("n1", 0))));

        Placement running = node("n1").placements().get(0);

        assertThat(running.shape())
                .isInstanceOfSatisfying(
                        PodSpec.class, spec -> assertThat(spec.rules().labels()).isEqualTo(Map.of("app", "web")));
    }
}
