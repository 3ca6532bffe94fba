package io.gpusched.kubernetes.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.Await;
import io.gpusched.kubernetes.Bookings;
import io.gpusched.kubernetes.ClusterCalls;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.kubernetes.process.LeaseSettings;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.group.GroupVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A faulty API server and the replicas that run against it. Of its pods, {@link #MEMBERS} of a group fit, and none of a group
 * that is too large; one share too many is asked for.
 */
final class FaultScene implements AutoCloseable {
    static final int SINGLES = 3;
    static final int SHARES = 3;
    static final int MEMBERS = 3;

    /** How long the Lease is good after it was renewed. */
    static final Duration LEASE = Duration.ofSeconds(2);

    /** How long a replica waits at least before it looks at the Lease again. */
    static final Duration RETRY = Duration.ofMillis(100);

    final FaultyApiServer server;
    final ClusterCalls calls;
    private final KubernetesClient client;
    private final List<KubernetesClient> clients = new ArrayList<>();
    private final List<SchedulerProcess> processes = new ArrayList<>();

    FaultScene(FaultyApiServer server) {
        this.server = server;
        this.client = server.client(WrittenBy.TEST);
        this.calls = new ClusterCalls(client);
        client.nodes()
                .resource(Manifests.t9kNode("whole", "xgn", SINGLES + MEMBERS))
                .create();
        client.nodes().resource(Manifests.t9kNode("shared", "sgn", 1)).create();
    }

    /** Starts a replica. */
    SchedulerProcess start(String name) {
        try {
            KubernetesClient own = server.client(name);
            clients.add(own);
            SchedulerProcess process = SchedulerProcess.start(own, settings(name));
            processes.add(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SchedulerSettings settings(String identity) {
        return SchedulerSettings.of(List.of(Dialects.find("t9k").orElseThrow()))
                .withBackoff(new Backoff(20, 200))
                .withStatusInterval(Duration.ofSeconds(5))
                .withLease(new LeaseSettings("default", "gpu-sched", identity, LEASE, Duration.ofMillis(1_500), RETRY));
    }

    void createPods() {
        createGroup("gang", MEMBERS);
        createGroup("large", 20);
        for (int i = 0; i < MEMBERS; i++) {
            calls.create(member("gang-" + i, "gang"));
            calls.create(member("large-" + i, "large"));
        }
        for (int i = 0; i < SINGLES; i++) {
            calls.create(Manifests.pod("single-" + i, T9kDialect.GPU, "1"));
        }
        for (int i = 0; i <= SHARES; i++) {
            calls.create(Manifests.pod("share-" + i, T9kDialect.GPU_PERCENT, "30"));
        }
    }

    private static Pod member(String name, String group) {
        return Manifests.labelled(Manifests.pod(name, T9kDialect.GPU, "1"), T9kDialect.GROUP_NAME, group);
    }

    private void createGroup(String name, int minimum) {
        GenericKubernetesResource group = new GenericKubernetesResource();
        group.setApiVersion(GroupVocabulary.T9K.apiVersion());
        group.setKind("PodGroup");
        group.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("default").build());
        group.setAdditionalProperty("spec", Map.of("minMember", minimum));
        client.genericKubernetesResources(GroupVocabulary.T9K.context())
                .inNamespace("default")
                .resource(group)
                .create();
    }

    long bound(String prefix) {
        return calls.bound().stream()
                .filter(pod -> pod.getMetadata().getName().startsWith(prefix))
                .count();
    }

    /** Waits until all that fits is bound. */
    void awaitAllBound() {
        Await.until(
                "all that fits is bound",
                () -> bound("") >= SINGLES + SHARES + MEMBERS,
                () -> calls.bound().stream()
                                .map(pod -> pod.getMetadata().getName())
                                .toList() + " are bound");
    }

    /** Checks what the API server holds. */
    void check() {
        assertThat(Bookings.overbooked(calls.pods())).isEmpty();
        assertThat(server.bound().bindings.values())
                .as("how often each pod was bound")
                .allMatch(times -> times == 1);
        assertThat(server.triedWithoutLease).as("tried without the Lease").isEmpty();
        assertThat(server.leases().takenEarly()).as("Lease taken early").isEmpty();
        assertThat(server.listsFromCache).as("lists that may be old").isEmpty();
        assertThat(bound("single")).isEqualTo(SINGLES);
        assertThat(bound("share")).isEqualTo(SHARES);
        assertThat(bound("gang")).isEqualTo(MEMBERS);
        assertThat(bound("large")).isZero();
    }

    /** Stops all at one time: those that were killed wait in vain for what they write. */
    @Override
    public void close() {
        ExecutorService closing = Executors.newCachedThreadPool();
        processes.forEach(process -> closing.execute(process::close));
        closing.shutdown();
        Await.until("all replicas have stopped", closing::isTerminated);
        clients.forEach(KubernetesClient::close);
        client.close();
        server.close();
    }
}
