package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.labelled;
import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who gets what is freed, and what is given out at all, on a real API server. */
class PriorityOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    private static Pod important(Pod pod) {
        pod.getSpec().setPriorityClassName("important");
        return pod;
    }

    private static void createClass(String name, int priority) {
        plane.client()
                .scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .endMetadata()
                        .withValue(priority)
                        .build())
                .create();
    }

    @Test
    void aPodThatWaits_getsWhatIsFreed_beforeNewcomersOfLowerPriority() {
        createClass("important", 1_000);
        plane.addNodes(t9kNode("n1", "xgn", 1));
        calls.create(labelled(pod("holder", T9kDialect.GPU, "1"), QueueVocabulary.PREEMPTIBLE, "false"));
        plane.run(TestPlane.settings("t9k"));
        calls.awaitBound("holder");
        calls.create(important(pod("waits", T9kDialect.GPU, "1")));
        calls.awaitPendingBecause("waits", "no room now");

        calls.delete("holder");
        calls.create(pod("newcomer", T9kDialect.GPU, "1"));

        calls.awaitBound("waits");
        assertThat(calls.nodeOf("newcomer")).isEmpty();
    }

    @Test
    void aPodOfLowerPriority_isEvicted_unlessItSaysThatItIsNot() {
        createClass("urgent", 2_000);
        plane.addNodes(t9kNode("n1", "xgn", 1), t9kNode("n2", "xgn", 1));
        plane.run(TestPlane.settings("t9k"));
        calls.create(labelled(pod("stays", T9kDialect.GPU, "1"), QueueVocabulary.PREEMPTIBLE, "false"));
        calls.create(pod("leaves", T9kDialect.GPU, "1"));
        calls.awaitBound("stays", "leaves");
        String node = calls.nodeOf("leaves");
        Pod urgent = pod("urgent", T9kDialect.GPU, "1");
        urgent.getSpec().setPriorityClassName("urgent");
        calls.create(urgent);
        calls.awaitPendingBecause("urgent", "waits for pods to end on " + node);
        calls.delete("leaves");
        calls.awaitBound("urgent");
        assertThat(calls.nodeOf("urgent")).isEqualTo(node);
    }

    /** Half a GPU each, one after the other, while the victims of the earlier ones still end. */
    @Test
    void podsThatComeOneAfterTheOther_shareTheRoomOfVictims_andEvictNoMoreThanTheyNeedTogether() {
        createClass("pressing", 3_000);
        for (int i = 0; i < 6; i++) {
            plane.addNodes(t9kNode("n" + i, "sgn", 1));
            Pod victim = pod("victim-" + i, T9kDialect.GPU_PERCENT, "100");
            victim.getSpec().setTerminationGracePeriodSeconds(600L);
            calls.create(victim);
        }
        plane.run(TestPlane.settings("t9k"));
        Await.until("all run", () -> calls.bound().size() == 6);
        for (int i = 0; i < 6; i++) {
            Pod half = pod("half-" + i, T9kDialect.GPU_PERCENT, "50");
            half.getSpec().setPriorityClassName("pressing");
            calls.create(half);
            calls.awaitPendingBecause("half-" + i, "waits for pods to end");
        }
        List<Pod> ending = calls.pods().stream()
                .filter(one -> one.getMetadata().getDeletionTimestamp() != null)
                .toList();
        assertThat(ending).hasSize(3);
        ending.forEach(one -> calls.delete(one.getMetadata().getName()));
        calls.awaitBound("half-0", "half-1", "half-2", "half-3", "half-4", "half-5");
    }

    @Test
    void whatTheKubeletDoesNotGiveOut_isNotGiven() {
        Node node = t9kNode("n1", "xgn", 8);
        node.getStatus().getAllocatable().put(T9kDialect.GPU, new Quantity("2"));
        plane.addNodes(node);
        plane.run(TestPlane.settings("t9k"));
        calls.create(pod("three", T9kDialect.GPU, "3"));
        calls.awaitPendingBecause("three", "no room now");
        calls.create(pod("two", T9kDialect.GPU, "2"));
        calls.awaitBound("two");
        calls.create(pod("one", T9kDialect.GPU, "1"));
        calls.awaitPendingBecause("one", "no room now");
    }
}
