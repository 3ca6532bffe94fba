package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at a cluster, on a real API server where the real kube-scheduler has placed what runs. */
class LookOnControlPlaneTest {
    private static final String SCHEDULER = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        """;

    @TempDir
    private static Path folder;

    private static final Deque<AutoCloseable> RUNNING = new ArrayDeque<>();
    private static String kubeconfig = "";

    @BeforeAll
    static void start() throws Exception {
        Path programs = ControlPlane.programs().orElse(null);
        Assumptions.assumeTrue(
                programs != null,
                "no API server: gpu-sched-examples/control-plane/build makes one; .ci/run sets where it is");
        ControlPlane plane = ControlPlane.start(programs);
        RUNNING.push(plane);
        KubernetesClient client = plane.client();
        RUNNING.push(client);
        kubeconfig = plane.kubeconfig().toString();
        ControlPlane.addReady(client, node("n1"));
        ControlPlane.addReady(client, node("n2"));
        plane.startScheduler(SCHEDULER);
        for (Pod pod : List.of(pod("first", 5), pod("second", 5), pod("third", 4))) {
            client.pods().inNamespace("default").resource(pod).create();
            await(() -> isDecided(client, pod));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        while (!RUNNING.isEmpty()) {
            RUNNING.pop().close();
        }
    }

    private static Node node(String name) {
        Map<String, Quantity> amounts = Map.of(
                "cpu", new Quantity("64"),
                "memory", new Quantity("256Gi"),
                "pods", new Quantity("110"),
                "nvidia.com/gpu", new Quantity("8"));
        return new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build();
    }

    private static Pod pod(String name, int gpus) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToLimits("cpu", new Quantity("4"))
                .addToLimits("nvidia.com/gpu", new Quantity(String.valueOf(gpus)))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Whether kube-scheduler has bound a pod, or said that it cannot. */
    private static boolean isDecided(KubernetesClient client, Pod pod) {
        Pod now = client.pods()
                .inNamespace("default")
                .withName(pod.getMetadata().getName())
                .get();
        return now.getSpec().getNodeName() != null || WhyCommand.condition(now).isPresent();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("kube-scheduler decides").isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static LookRun run(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--kubeconfig";
        all[arguments.length + 1] = kubeconfig;
        return LookRun.of(all);
    }

    @Test
    void why_agreesWithKubeScheduler_andNamesTheRemedy() {
        LookRun run = run("why", "third");
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .startsWith(
                        "2 nodes, 16 GPUs, 6 of them idle; dialect device-plugin by resource nvidia.com/gpu on 2 nodes")
                .contains("waits for scheduler default-scheduler")
                .contains("it was told: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
                .contains("2 nodes: 6 GPUs idle in total, at most 3 on one node, asked 4 whole gpus")
                .contains("nearest remedy: 1 more idle GPU on n1 (has 3 of 4)");
    }

    @Test
    void map_showsWhatKubeSchedulerPlaced() {
        LookRun run = run("map");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "  n1  #####...  default/", "  n2  #####...  default/", "1 pod waits for GPUs: default/third");
    }

    @Test
    void drainShrinkAndMix_answer() {
        LookRun drain = run("drain", "n1");
        assertThat(drain.code()).isEqualTo(1);
        assertThat(drain.out()).contains("n1 cannot be drained", "asked 5 whole gpus");
        assertThat(run("shrink").out()).contains("no node with GPUs could go");
        assertThat(run("mix").out())
                .containsPattern("5 whole gpus, 4 cores +2 +0 +0")
                .containsPattern("2 whole gpus +2 +2\n");
    }

    @Test
    void fit_saysWhereAManifestWouldStart() throws IOException {
        Path file = Files.writeString(folder.resolve("job.yaml"), """
            apiVersion: jobset.x-k8s.io/v1alpha2
            kind: JobSet
            metadata: {name: train}
            spec:
              replicatedJobs:
                - name: w
                  replicas: 2
                  template:
                    spec: {template: {spec: {containers: [{name: main, resources: {limits: {nvidia.com/gpu: 3}}}]}}}
            """);
        LookRun run = run("fit", file.toString());
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).contains("1 of 1 would start now", "on n1: train-w-", "on n2: train-w-");
    }

    @Test
    void nothingIsWritten() {
        KubernetesClient client = (KubernetesClient) RUNNING.peek();
        List<String> before = versions(client);
        for (String command : new String[] {"map", "shrink", "mix", "why third", "drain n1"}) {
            run(command.split(" "));
        }
        assertThat(versions(client)).isEqualTo(before);
        assertThat(run("map", "--context", "none").err()).contains("--context must be one of test, got \"none\"");
    }

    private static List<String> versions(KubernetesClient client) {
        return Stream.concat(
                        client.nodes().list().getItems().stream(),
                        client.pods().inAnyNamespace().list().getItems().stream())
                .map(object -> object.getMetadata().getName() + " "
                        + object.getMetadata().getResourceVersion())
                .toList();
    }
}
