package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.group.GroupVocabulary;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that change while places on them are held for pods, on a real API server. */
class ChangedNodesOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static KubernetesClient kube;

    private final ClusterCalls calls = plane.calls();

    /** What may become of a node from one moment to the next. */
    enum Change {
        DELETED,
        WITHOUT_GPUS,
        CORDONED,
        TAINTED,
        UNREACHABLE;

        void to(String node) {
            switch (this) {
                case DELETED -> client.nodes().withName(node).delete();
                case WITHOUT_GPUS ->
                    status(
                            node,
                            builder -> builder.editStatus()
                                    .addToAllocatable(T9kDialect.GPU, new Quantity("0"))
                                    .endStatus());
                case CORDONED ->
                    edit(
                            node,
                            builder ->
                                    builder.editSpec().withUnschedulable(true).endSpec());
                case TAINTED -> taint(node, "example.com/down", "NoSchedule");
                case UNREACHABLE -> { // as the controller of nodes does, which does not run here
                    taint(node, "node.kubernetes.io/unreachable", "NoSchedule");
                    taint(node, "node.kubernetes.io/unreachable", "NoExecute");
                }
            }
        }

        private static void taint(String node, String key, String effect) {
            edit(
                    node,
                    builder -> builder.editSpec()
                            .addNewTaint()
                            .withKey(key)
                            .withEffect(effect)
                            .endTaint()
                            .endSpec());
        }

        private static void edit(String node, Consumer<NodeBuilder> change) {
            client.nodes().withName(node).edit(before -> changed(before, change));
        }

        private static void status(String node, Consumer<NodeBuilder> change) {
            client.nodes().withName(node).editStatus(before -> changed(before, change));
        }

        private static Node changed(Node before, Consumer<NodeBuilder> change) {
            NodeBuilder builder = new NodeBuilder(before);
            change.accept(builder);
            return builder.build();
        }
    }

    @BeforeAll
    static void install() throws IOException {
        client = plane.client();
        plane.install("namespace", "kube", "queues");
        Await.until("queues are served", () -> client.supports(QueueVocabulary.GPU_SCHED.apiVersion(), "Queue"));
        kube = plane.clientOf("gpu-sched-kube");
        client.scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("important")
                        .endMetadata()
                        .withValue(1_000)
                        .build())
                .create();
    }

    @AfterEach
    void clean() {
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
    }

    private static SchedulerSettings settings() {
        return TestPlane.settings("t9k")
                .withQueues(QueueSettings.of(QueueVocabulary.GPU_SCHED).verifying());
    }

    private static Pod important(Pod pod) {
        pod.getSpec().setPriorityClassName("important");
        return pod;
    }

    private static Pod member(String name, String group) {
        return new PodBuilder(important(pod(name, T9kDialect.GPU, "2")))
                .editSpec()
                .withNewSchedulingGroup(group)
                .endSpec()
                .build();
    }

    private static void createGang(String name) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion("scheduling.k8s.io/v1beta1");
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty(
                "spec",
                Map.of("schedulingPolicy", Map.of("gang", Map.of("minCount", 2)), "priorityClassName", "important"));
        client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    private void awaitNominated(String name, String node) {
        Await.until(
                name + " is nominated on " + node,
                () -> node.equals(
                        Objects.requireNonNullElse(calls.get(name).getStatus().getNominatedNodeName(), "")),
                () -> calls.whyPending(name));
    }

    private boolean isNominated(String name) {
        return calls.get(name).getStatus().getNominatedNodeName() != null;
    }

    /** Pods that hold a whole node each, and take their time to end. */
    private void fill(String... nodes) {
        for (String node : nodes) {
            Pod pod = pod("on-" + node, T9kDialect.GPU, "2");
            pod.getSpec().setNodeSelector(Map.of("kubernetes.io/hostname", node));
            pod.getSpec().setTerminationGracePeriodSeconds(600L);
            calls.create(pod);
            calls.awaitBound("on-" + node);
        }
    }

    private static Node twoGpus(String name) {
        return t9kNode(name, "xgn", 2, Map.of("kubernetes.io/hostname", name));
    }

    /** The other node is as it was, and free. */
    @ParameterizedTest
    @EnumSource
    void aGang_neverStartsInPart_whateverBecomesOfANodeThatIsHeldForOneOfItsPods(Change change) {
        plane.addNodes(twoGpus("n1"), twoGpus("n2"));
        plane.run(kube, settings());
        fill("n1", "n2");
        String gang = "gang-" + change.ordinal();
        createGang(gang);
        calls.create(member("m1", gang));
        calls.create(member("m2", gang));
        Await.until("both are nominated", () -> isNominated("m1") && isNominated("m2"), () -> calls.whyPending("m1"));

        change.to("n1");
        calls.delete("on-n1");
        calls.delete("on-n2");
        Await.pause(2_000);

        assertThat(calls.bound()).isEmpty();
        plane.addNodes(twoGpus("n3"));
        calls.awaitBound("m1", "m2");
        assertThat(calls.bound()).extracting(pod -> pod.getSpec().getNodeName()).containsExactlyInAnyOrder("n2", "n3");
    }

    @ParameterizedTest
    @EnumSource
    void aPod_isNotBoundToTheNodeThatIsHeldForIt_onceThatTakesNoneAnyMore_andGoesToAnother(Change change) {
        plane.addNodes(twoGpus("n1"));
        plane.run(kube, settings());
        fill("n1");
        calls.create(important(pod("first", T9kDialect.GPU, "2")));
        awaitNominated("first", "n1");

        change.to("n1");
        calls.delete("on-n1");
        Await.pause(2_000);

        assertThat(calls.nodeOf("first")).isEmpty();
        plane.addNodes(twoGpus("n2"));
        calls.awaitBound("first");
        assertThat(calls.nodeOf("first")).isEqualTo("n2");
    }

    @Test
    void aPodWhoseNodeIsCordonedOnlyForAWhile_isBoundThereInTheEnd() {
        plane.addNodes(twoGpus("n1"));
        plane.run(kube, settings());
        fill("n1");
        calls.create(important(pod("first", T9kDialect.GPU, "2")));
        awaitNominated("first", "n1");
        Change.CORDONED.to("n1");
        calls.delete("on-n1");
        Await.pause(500);

        Change.edit("n1", builder -> builder.editSpec().withUnschedulable(false).endSpec());

        calls.awaitBound("first");
    }
}
