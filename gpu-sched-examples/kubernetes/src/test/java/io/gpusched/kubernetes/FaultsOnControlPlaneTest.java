package io.gpusched.kubernetes;

import static io.gpusched.kubernetes.Manifests.pod;
import static io.gpusched.kubernetes.Manifests.t9kNode;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.process.LeaseSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A real API server that is slow, refuses, loses answers and goes away. */
class FaultsOnControlPlaneTest {
    private static final String LEASES = "/leases/";

    @RegisterExtension
    static final TestPlane plane = TestPlane.shared();

    private final ClusterCalls calls = plane.calls();
    private final KubernetesClient client = plane.client();
    private FaultyProxy proxy;

    @BeforeEach
    void start() throws IOException {
        proxy = plane.startProxy();
        plane.addNodes(t9kNode("n1", "xgn", 8));
    }

    @AfterEach
    void deleteLease() {
        lease().delete();
    }

    private Resource<Lease> lease() {
        return client.leases().inNamespace("default").withName("gpu-sched");
    }

    private static SchedulerSettings replica(String identity, int leaseSeconds) {
        Duration lease = Duration.ofSeconds(leaseSeconds);
        return TestPlane.settings("t9k")
                .withLease(new LeaseSettings(
                        "default", "gpu-sched", identity, lease, lease.dividedBy(2), Duration.ofMillis(300)));
    }

    private void awaitEightPods() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            names.add("p" + i);
            calls.create(pod("p" + i, T9kDialect.GPU, "1"));
        }
        calls.awaitBound(names.toArray(new String[0]));
        assertThat(Bookings.overbooked(client)).isEmpty();
    }

    @Test
    void whateverBecomesOfBindings_eachPodIsBound_andNoGpuTwice() {
        SchedulerProcess kube = plane.run(proxy.client(), TestPlane.settings("t9k"));
        Await.until("it is ready", kube::isReady);
        proxy.on(FaultyProxy.anyFault(one -> one.path().endsWith("/binding")));

        awaitEightPods();
        Await.until("it knows of all", () -> kube.view().binding() == 0);
    }

    /** As of pods of a namespace that is being deleted, or that a policy keeps from nodes: they are older, and each would take all GPUs. */
    @Test
    void podsWhoseBindingsTheServerAlwaysRefuses_keepNoOtherFromStarting() {
        proxy.on(one -> one.path().endsWith("/binding") && one.path().contains("/pods/refused-")
                ? FaultyProxy.refused(403, "")
                : FaultyProxy.PASS);
        for (int i = 0; i < 12; i++) {
            calls.create(pod("refused-" + i, T9kDialect.GPU, "8"));
        }
        Await.pause(1_100); // times of creation have seconds
        calls.create(pod("other", T9kDialect.GPU, "8"));
        plane.run(proxy.client(), TestPlane.settings("t9k"));

        calls.awaitBound("other");
        assertThat(calls.bound()).hasSize(1);
    }

    @Test
    void whatHappensWhileTheServerIsAway_isKnownOnceItIsBack() {
        plane.run(proxy.client(), TestPlane.settings("t9k"));
        calls.create(pod("before", T9kDialect.GPU, "1"));
        calls.awaitBound("before");
        proxy.on(one -> FaultyProxy.DOWN);
        proxy.cut();
        calls.delete("before");
        calls.create(pod("meanwhile", T9kDialect.GPU, "8"));
        Await.pause(3_000);
        AtomicInteger watches = new AtomicInteger();
        proxy.on(one ->
                one.isWatch() && watches.incrementAndGet() < 40 ? FaultyProxy.refused(410, "") : FaultyProxy.PASS);

        calls.awaitBound("meanwhile");
    }

    @Test
    void aServerThatFailsEveryThirdRequest_letsASchedulerBegin() {
        AtomicInteger requests = new AtomicInteger();
        proxy.on(one -> requests.incrementAndGet() % 3 == 0 ? FaultyProxy.refused(500, "") : FaultyProxy.PASS);
        plane.run(proxy.client(), replica("one", 3));

        awaitEightPods();
    }

    /** Else it would be taken by another that begins as slowly, and so on. */
    @Test
    void aReplicaThatTakesLongerToBeginThanItsLeaseLasts_keepsIt() {
        proxy.on(one -> {
            Await.pause(one.path().contains(LEASES) || one.isWatch() ? 0 : 150);
            return FaultyProxy.PASS;
        });
        SchedulerProcess first = plane.run(proxy.client(), replica("one", 2));
        Await.until("the first holds the Lease", () -> lease().get() != null);
        plane.run(replica("two", 2));

        Await.until("the first leads", first::isLeading);
        assertThat(lease().get().getSpec().getHolderIdentity()).isEqualTo("one");
    }

    @Test
    void aLeaseInWhichNothingIsSaid_isTaken() {
        client.leases()
                .inNamespace("default")
                .resource(new LeaseBuilder()
                        .withNewMetadata()
                        .withName("gpu-sched")
                        .endMetadata()
                        .build())
                .create();
        plane.run(replica("one", 3));

        awaitEightPods();
    }

    /** Its holder binds until it knows. */
    @Test
    void aLeaseThatIsDeleted_isTakenByNoOtherWhileItsHolderLeads() {
        SchedulerProcess first = plane.run(proxy.client(), replica("one", 6));
        Await.until("the first leads", first::isLeading);
        SchedulerProcess second = plane.run(replica("two", 6));
        Await.pause(2_000);
        proxy.on(one -> one.path().contains(LEASES) ? FaultyProxy.DOWN : FaultyProxy.PASS);
        lease().delete();

        Await.until("the second leads", second::isLeading);
        assertThat(first.isLeading()).isFalse();
        awaitEightPods();
    }
}
