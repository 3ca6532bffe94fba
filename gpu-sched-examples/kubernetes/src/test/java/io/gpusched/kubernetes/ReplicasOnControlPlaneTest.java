package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.process.LeaseSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** One scheduler after another, and two at a time, on a real API server. */
class ReplicasOnControlPlaneTest {
    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();

    @Test
    void aRestart_losesNothing_andBooksNothingTwice() {
        plane.addNodes(t9kNode("n1", "sgn", 4), t9kNode("n2", "xgn", 4));
        SchedulerProcess first = plane.run(TestPlane.settings("t9k"));
        for (int i = 0; i < 12; i++) {
            calls.create(pod("share-" + i, T9kDialect.GPU_PERCENT, "30"));
        }
        calls.awaitBound("share-3");
        first.close();
        for (int i = 0; i < 4; i++) {
            calls.create(pod("whole-" + i, T9kDialect.GPU, "1"));
        }

        plane.run(TestPlane.settings("t9k"));

        for (int i = 0; i < 12; i++) {
            calls.awaitBound("share-" + i);
        }
        calls.awaitBound("whole-0", "whole-1", "whole-2", "whole-3");
        assertThat(Bookings.overbooked(plane.client())).isEmpty();
        calls.create(pod("one-more", T9kDialect.GPU, "1"));
        calls.awaitPendingBecause("one-more", "no room now");
    }

    @Test
    void ofTwoReplicas_oneSchedules_andTheOtherTakesOver() {
        plane.addNodes(t9kNode("n1", "xgn", 4));
        SchedulerProcess first = plane.run(TestPlane.settings("t9k").withLease(lease("one")));
        Await.until("the first leads", first::isLeading);
        SchedulerProcess second = plane.run(TestPlane.settings("t9k").withLease(lease("two")));
        calls.create(pod("p1", T9kDialect.GPU, "2"));
        calls.awaitBound("p1");
        assertThat(second.isLeading()).isFalse();
        assertThat(second.isReady()).isTrue();

        first.close();

        Await.until("the second leads", second::isLeading);
        calls.create(pod("p2", T9kDialect.GPU, "2"));
        calls.awaitBound("p2");
        assertThat(Bookings.overbooked(plane.client())).isEmpty();
    }

    /** Lasts so long that none runs out: the second leads because the first gives it back. */
    private static LeaseSettings lease(String identity) {
        return new LeaseSettings(
                "default", "gpu-sched", identity, Duration.ofHours(2), Duration.ofHours(1), Duration.ofMillis(300));
    }
}
