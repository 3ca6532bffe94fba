package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.queue.Backoff;
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

    /** Its delay is longer than the test waits for anything. */
    @Test
    void aParkedPod_getsWhatIsFreed_beforeNewcomersOfLowerPriority() {
        plane.client()
                .scheduling()
                .v1()
                .priorityClasses()
                .resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName("important")
                        .endMetadata()
                        .withValue(1_000)
                        .build())
                .create();
        plane.addNodes(t9kNode("n1", "xgn", 1));
        calls.create(pod("holder", T9kDialect.GPU, "1"));
        plane.run(TestPlane.settings("t9k").withBackoff(new Backoff(600_000, 600_000)));
        calls.awaitBound("holder");
        calls.create(important(pod("parked", T9kDialect.GPU, "1")));
        calls.awaitPendingBecause("parked", "no room now");

        calls.delete("holder");
        calls.create(pod("newcomer", T9kDialect.GPU, "1"));

        calls.awaitBound("parked");
        assertThat(calls.nodeOf("newcomer")).isEmpty();
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
