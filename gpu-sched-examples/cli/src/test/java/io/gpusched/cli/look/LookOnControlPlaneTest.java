package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The commands that look at a cluster, on a real API server where the real kube-scheduler has placed what runs. */
class LookOnControlPlaneTest {
    @RegisterExtension
    static final SchedulerPlane plane = new SchedulerPlane();

    @TempDir
    private static Path folder;

    @BeforeAll
    static void fill() throws InterruptedException {
        ControlPlane.addReady(plane.client(), SchedulerPlane.node("n1", 8));
        ControlPlane.addReady(plane.client(), SchedulerPlane.node("n2", 8));
        plane.create(SchedulerPlane.pod("first", 5, 4, 16));
        plane.create(SchedulerPlane.pod("second", 5, 4, 16));
        plane.create(SchedulerPlane.pod("third", 4, 4, 16));
    }

    private static LookRun run(String... arguments) {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--kubeconfig";
        all[arguments.length + 1] = plane.kubeconfig();
        return LookRun.of(all);
    }

    @Test
    void why_agreesWithKubeScheduler_andNamesTheRemedy() {
        LookRun run = run("why", "third");
        assertThat(run.code()).as(run.err()).isEqualTo(1);
        assertThat(run.out())
                .startsWith("2 nodes (2 with GPUs), 16 GPUs, 6 idle. Read as: device plugin (nvidia.com/gpu)")
                .contains("is pending (scheduler: default-scheduler)")
                .contains("its scheduler's last message: 0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
                .contains("2 nodes: 6 GPUs idle in total, at most 3 on one node, asked 4 whole GPUs")
                .contains("nearest remedy: 1 more idle GPU on n1 (has 3 of 4)");
    }

    @Test
    void map_showsWhatKubeSchedulerPlaced() {
        LookRun run = run("map");
        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "  n1  #####...  default/",
                        "  n2  #####...  default/",
                        "1 pending pod asks for GPUs: default/third");
    }

    @Test
    void drainShrinkAndMix_answer() {
        LookRun drain = run("drain", "n1");
        assertThat(drain.code()).isEqualTo(1);
        assertThat(drain.out()).contains("n1 cannot be drained", "asked 5 whole GPUs");
        assertThat(run("shrink").out()).contains("no node with GPUs could go");
        assertThat(run("mix").out())
                .containsPattern("5 whole GPUs, 4 cores, 16 GiB +2 +0 +0")
                .containsPattern("2 whole GPUs +2 +2\n");
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
        KubernetesClient client = plane.client();
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
