package io.gpusched.kubernetes;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import io.gpusched.kubernetes.process.SchedulerProcess;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.group.GroupVocabulary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real API server for the tests of a class, which are skipped where its programs were not built. {@link #shared()} is the
 * one of several classes: after each test everything that runs is stopped, and pods, nodes and groups are removed;
 * {@link #own()} belongs to the class alone and is left as it is between tests.
 */
final class TestPlane implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
    private final boolean shared;
    private final Deque<AutoCloseable> ofClass = new ArrayDeque<>();
    private final Deque<AutoCloseable> ofTest = new ArrayDeque<>();
    private @Nullable Running running;

    private TestPlane(boolean shared) {
        this.shared = shared;
    }

    /** A control plane and a client with every right. */
    private record Running(ControlPlane plane, KubernetesClient client) implements AutoCloseable {
        static Running start() {
            Path programs = ControlPlane.programs().orElse(null);
            Assumptions.assumeTrue(
                    programs != null,
                    "no API server: gpu-sched-examples/control-plane/build makes one; .ci/run sets where it is");
            try {
                ControlPlane plane = ControlPlane.start(programs);
                return new Running(plane, plane.client());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() throws IOException {
            client.close();
            plane.close();
        }
    }

    static TestPlane shared() {
        return new TestPlane(true);
    }

    static TestPlane own() {
        return new TestPlane(false);
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running = shared
                ? context.getRoot()
                        .getStore(ExtensionContext.Namespace.create(TestPlane.class))
                        .computeIfAbsent(Running.class, any -> Running.start(), Running.class)
                : Running.start();
        if (!shared) {
            ofClass.push(running);
        }
    }

    ControlPlane plane() {
        return Objects.requireNonNull(running).plane();
    }

    KubernetesClient client() {
        return Objects.requireNonNull(running).client();
    }

    ClusterCalls calls() {
        return new ClusterCalls(client());
    }

    /** Returns a client with the rights of a service account of namespace {@code gpu-sched}, closed after all tests. */
    KubernetesClient clientOf(String serviceAccount) {
        return closing(plane().clientOf("gpu-sched", serviceAccount));
    }

    /** Applies parts of {@code deploy/}, but for what runs. */
    void install(String... parts) throws IOException {
        for (String part : parts) {
            DeployFiles.apply(client(), part, object -> !object.getKind().equals("Deployment"));
        }
    }

    /** Closes something after all tests of the class, the last one first. */
    <T extends AutoCloseable> T closing(T resource) {
        ofClass.push(resource);
        return resource;
    }

    /** Starts a proxy to the API server that ends after the test, once all that runs has stopped. */
    FaultyProxy startProxy() throws IOException {
        FaultyProxy proxy = new FaultyProxy(client());
        ofTest.push(proxy);
        return proxy;
    }

    void addNodes(Node... nodes) {
        Stream.of(nodes).forEach(node -> ControlPlane.addReady(client(), node));
    }

    /** Returns settings for tests: one replica that tries again soon. */
    static SchedulerSettings settings(String... dialects) {
        return SchedulerSettings.of(Stream.of(dialects).map(TestPlane::dialect).toList())
                .withBackoff(new Backoff(100, 1_000))
                .withStatusInterval(Duration.ofMillis(200));
    }

    static NamedDialect dialect(String name) {
        return Dialects.find(name).orElseThrow();
    }

    /** Starts a scheduler with every right that stops after the test. */
    SchedulerProcess run(SchedulerSettings settings) {
        return run(client(), settings);
    }

    SchedulerProcess run(KubernetesClient with, SchedulerSettings settings) {
        try {
            SchedulerProcess process = SchedulerProcess.start(with, settings);
            ofTest.push(process);
            return process;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts {@code kube} as a process of its own, with every right; it logs into a folder. */
    Process startKube(Path folder, String... options) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                KubernetesCommands.class.getName(),
                "kube",
                "--no-leader-elect",
                "--health-port=-1"));
        command.addAll(List.of(options));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().put("KUBECONFIG", plane().kubeconfig().toString());
        return builder.redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        folder.resolve("kube.log").toFile()))
                .start();
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        close(ofTest);
        if (shared) {
            clean(client());
        }
    }

    private static void clean(KubernetesClient client) {
        client.pods().inNamespace("default").withGracePeriod(0).delete();
        client.nodes().delete();
        client.genericKubernetesResources(GroupVocabulary.KUBERNETES.context())
                .inNamespace("default")
                .delete();
        Await.until(
                "all is deleted",
                () -> client.pods().list().getItems().isEmpty()
                        && client.nodes().list().getItems().isEmpty());
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        close(ofClass);
    }

    private static void close(Deque<AutoCloseable> resources) throws Exception {
        while (!resources.isEmpty()) {
            resources.pop().close();
        }
    }
}
