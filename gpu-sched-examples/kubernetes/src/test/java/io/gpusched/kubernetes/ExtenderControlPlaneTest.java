package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.command.ListenAddress;
import io.gpusched.kubernetes.extender.ExtenderProcess;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import picocli.CommandLine;

/** A stock kube-scheduler that asks our extender, on a real API server; the extender has the rights of {@code deploy} alone. */
class ExtenderControlPlaneTest {
    private static final int NODES = 3;
    private static final int GPUS = 4;
    private static final int[] PERCENTS = {60, 30, 50, 40, 20, 70, 100, 10};

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;
    private static URI metrics;

    @BeforeAll
    static void start() throws IOException {
        client = plane.client();
        for (int n = 0; n < NODES; n++) {
            plane.addNodes(
                    Manifests.node("n" + n, Map.of(), Map.of("nano-gpu/gpu-percent", String.valueOf(100 * GPUS))));
        }
        grantRights(client);
        DialectSet dialects = new DialectSet(List.of(TestPlane.dialect("nano-gpu")));
        ExtenderProcess extender = plane.closing(ExtenderProcess.start(
                plane.clientOf("gpu-sched-extender"),
                dialects,
                "gpu-sched",
                new ListenAddress("127.0.0.1", 0),
                Optional.empty(),
                server -> server));
        plane.plane().startScheduler(configuration(extender, "nano-gpu"));
        metrics = URI.create("http://127.0.0.1:" + extender.server().port() + "/metrics");
    }

    /** Lets the extender's service account do what {@code deploy} allows. */
    static void grantRights(KubernetesClient client) throws IOException {
        DeployFiles.apply(client, "namespace");
        DeployFiles.apply(
                client,
                "extender",
                object -> object.getMetadata().getName().equals("gpu-sched-extender")
                        && List.of("ServiceAccount", "ClusterRole", "ClusterRoleBinding")
                                .contains(object.getKind()));
    }

    /** What the command prints is what kube-scheduler is given. */
    static String configuration(ExtenderProcess extender, String dialects) {
        StringWriter out = new StringWriter();
        CommandLine line = KubernetesCommands.commandLine().setOut(new PrintWriter(out));
        int code = line.execute(
                "extender",
                "--print-config",
                "--dialect",
                dialects,
                "--url",
                "http://127.0.0.1:" + extender.server().port());
        assertThat(code).isZero();
        return out.toString();
    }

    private static Pod pod(String name, int percent) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("gpu-sched")
                .addNewContainer()
                .withName("main")
                .withImage("none")
                .withNewResources()
                .addToLimits("nano-gpu/gpu-percent", new Quantity("" + percent))
                .addToRequests("cpu", new Quantity("100m"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    /** Two clients create pods at one time; more is asked than there is, so that the last ones press for every GPU. */
    @Test
    void dozensOfPods_getTheirOwnPartsOfGpus_andNoGpuIsGivenTwice() throws Exception {
        List<Thread> creating = new ArrayList<>();
        for (int half = 0; half < 2; half++) {
            int offset = half;
            Thread thread = new Thread(() -> {
                for (int i = offset; i < 40; i += 2) {
                    client.pods()
                            .resource(pod("p" + i, PERCENTS[i % PERCENTS.length]))
                            .create();
                }
            });
            thread.start();
            creating.add(thread);
        }
        for (Thread thread : creating) {
            thread.join();
        }
        Await.until(
                "1,100 of 1,200 percent are given out",
                () -> percentBound(plane.calls().pods()) >= 1_100,
                () -> percentByGpu(plane.calls().pods()) + "\n" + plane.plane().logs());
        List<Pod> pods = plane.calls().pods();
        percentByGpu(pods).forEach((gpu, percent) -> assertThat(percent).as(gpu).isBetween(1, 100));
        assertThat(pods.stream().filter(ExtenderControlPlaneTest::isBound))
                .isNotEmpty()
                .allSatisfy(pod -> {
                    assertThat(pod.getMetadata().getAnnotations())
                            .containsKeys("gpu-sched.io/grant", "nano-gpu/container-main")
                            .containsEntry("nano-gpu/assume", "true");
                    assertThat(pod.getMetadata().getLabels()).containsEntry("nano-gpu/assume", "true");
                });
        String scraped = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                .body();
        assertThat(PrometheusText.problems(scraped, "gpusched_"))
                .as("against the conventions of Prometheus")
                .isEmpty();
        assertThat(scraped).containsPattern("gpusched_extender_requests_seconds_count\\{[^}]*verb=\"bind\"\\} [1-9]");
    }

    private static boolean isBound(Pod pod) {
        return pod.getSpec().getNodeName() != null;
    }

    private static int percentBound(List<Pod> pods) {
        return pods.stream()
                .filter(ExtenderControlPlaneTest::isBound)
                .mapToInt(ExtenderControlPlaneTest::percent)
                .sum();
    }

    private static int percent(Pod pod) {
        return Integer.parseInt(pod.getSpec()
                .getContainers()
                .get(0)
                .getResources()
                .getLimits()
                .get("nano-gpu/gpu-percent")
                .getAmount());
    }

    /** By node and index as the annotation of nano-gpu's device plugin says it. */
    private static Map<String, Integer> percentByGpu(List<Pod> pods) {
        Map<String, Integer> percents = new HashMap<>();
        pods.stream().filter(ExtenderControlPlaneTest::isBound).forEach(pod -> {
            String gpu = pod.getMetadata().getAnnotations().get("nano-gpu/container-main");
            percents.merge(pod.getSpec().getNodeName() + "/" + gpu, percent(pod), Integer::sum);
        });
        return percents;
    }
}
