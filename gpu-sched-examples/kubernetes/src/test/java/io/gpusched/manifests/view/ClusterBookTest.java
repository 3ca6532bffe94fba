package io.gpusched.manifests.view;

import static io.gpusched.manifests.view.BookObjects.book;
import static io.gpusched.manifests.view.BookObjects.bound;
import static io.gpusched.manifests.view.BookObjects.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.grant.GrantRecord;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.PodSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterBookTest {
    private final ClusterBook book = book("t9k");

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
    void whereOneGpuIsGrantedTwice_itIsNotGivenOut_andTheOthersAre() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        run("a", "n1", whole("n1", 1));
        run("b", "n1", whole("n1", 1));
        assertThat(node("n1").isHealthy()).isTrue();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
        assertThat(node("n1").isWhole(1)).isTrue();
        assertThat(node("n1").freeCpuMillis()).isEqualTo(62_000);
        assertThat(book.troubles()).extracting(Trouble::reason).containsExactly("GrantConflict");

        book.removePod(PodId.of("a"));

        assertThat(node("n1").isHealthy()).isTrue();
        assertThat(node("n1").isWhole(1)).isTrue();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
    }

    @Test
    void aPodThatHoldsGpusNobodyCanName_keepsAsManyFromOthersAsItAsksFor() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod pod = Manifests.pod("p", T9kDialect.GPU, "1");
        pod.getSpec().setNodeName("n1");
        pod.getMetadata().setUid("u");
        book.putPod(RunningPod.of(pod));
        assertThat(node("n1").isHealthy()).isTrue();
        assertThat(node("n1").idleGpus()).isEqualTo(3);
        assertThat(SetAside.words(book.setAside()))
                .isEqualTo("1 GPU is held by pods without a readable grant: default/p");
        assertThat(book.troubles())
                .extracting(Trouble::message)
                .singleElement()
                .asString()
                .contains("no annotation says which GPUs the pod holds");
    }

    @Test
    void devicesHeldUnderAnotherSystemsName_areCountedByWhatItAsks() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Pod pod = Manifests.pod("p", "nano-gpu/gpu-percent", "30");
        pod.getSpec().setNodeName("n1");
        pod.getMetadata().setUid("u");
        book.putPod(RunningPod.of(pod));
        assertThat(node("n1").idleGpus()).isEqualTo(3);
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
    void aLabel_isKnown_asLongAsANodeHasIt() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4, Map.of("rack", "r1")));
        book.putNode(Manifests.t9kNode("n2", "xgn", 4, Map.of("rack", "r2")));
        assertThat(book.isLabelled("rack")).isTrue();
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        assertThat(book.isLabelled("rack")).isTrue();
        book.removeNode("n2");
        assertThat(book.isLabelled("rack")).isFalse();
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

    private static Namespace namespace(String name, Map<String, String> labels) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .build();
    }

    @Test
    void labelsOfNamespaces_areInEverySnapshot() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4, Map.of("row", "r1")));
        book.putNamespace(namespace("red", Map.of("team", "red")));
        assertThat(book.cluster().namespaces())
                .isEqualTo(Map.of("red", Map.of("team", "red", "kubernetes.io/metadata.name", "red")));

        book.putNamespace(namespace("red", Map.of()));
        book.putNamespace(namespace("gone", Map.of()));
        book.removeNamespace("gone");

        assertThat(book.cluster().namespaces()).isEqualTo(Map.of("red", Map.of("kubernetes.io/metadata.name", "red")));
    }

    @Test
    void aPodThatGotOtherLabelsBeforeItWasToldOfAsBound_hasThese() {
        book.putNode(Manifests.t9kNode("n1", "xgn", 4));
        Placement placement = decide("p");
        book.assume(placement);
        Pod relabelled = Manifests.labelled(Manifests.pod("p", T9kDialect.GPU, "1"), "app", "web");
        book.putPod(RunningPod.of(bound(relabelled, "n1", whole("n1", 0))));

        Placement running = node("n1").placements().get(0);

        assertThat(running.spec().orElseThrow())
                .isInstanceOfSatisfying(
                        PodSpec.class, spec -> assertThat(spec.rules().labels()).isEqualTo(Map.of("app", "web")));
    }
}
