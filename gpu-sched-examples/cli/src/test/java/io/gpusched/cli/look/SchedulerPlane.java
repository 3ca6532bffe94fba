package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A real API server and the real kube-scheduler for the tests of a class, which are skipped where these were not built. */
final class SchedulerPlane implements BeforeAllCallback, AfterAllCallback {
    private static final String CONFIGURATION = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        """;

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private @Nullable KubernetesClient client;
    private String kubeconfig = "";

    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
        Path programs = ControlPlane.programs().orElse(null);
        Assumptions.assumeTrue(
                programs != null,
                "no API server: gpu-sched-examples/control-plane/build makes one; .ci/run sets where it is");
        ControlPlane plane = ControlPlane.start(programs);
        running.push(plane);
        client = plane.client();
        running.push(client);
        kubeconfig = plane.kubeconfig().toString();
        plane.startScheduler(CONFIGURATION);
    }

    @Override
    public void afterAll(ExtensionContext context) throws Exception {
        while (!running.isEmpty()) {
            running.pop().close();
        }
    }

    KubernetesClient client() {
        return Objects.requireNonNull(client);
    }

    String kubeconfig() {
        return kubeconfig;
    }

    static Node node(String name, int gpus) {
        Map<String, Quantity> amounts = Map.of(
                "cpu", new Quantity("64"),
                "memory", new Quantity("256Gi"),
                "pods", new Quantity("110"),
                "nvidia.com/gpu", new Quantity(String.valueOf(gpus)));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels("nvidia.com/gpu.product", "A100")
                .endMetadata()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build();
    }

    static Pod pod(String name, int gpus, int cores, int gib) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToLimits("cpu", new Quantity(String.valueOf(cores)))
                .addToLimits("memory", new Quantity(gib + "Gi"))
                .addToLimits("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Creates a pod and waits until kube-scheduler has bound it, or said that it cannot. */
    void create(Pod pod) throws InterruptedException {
        client().pods().inNamespace("default").resource(pod).create();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isDecided(pod.getMetadata().getName())) {
            assertThat(System.nanoTime()).as("kube-scheduler decides").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private boolean isDecided(String name) {
        Pod now = client().pods().inNamespace("default").withName(name).get();
        return now.getSpec().getNodeName() != null || WhyCommand.condition(now).isPresent();
    }
}
