package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.kubernetes.certificates.CertificateKeeper;
import io.gpusched.kubernetes.process.LeaseSettings;
import io.gpusched.kubernetes.process.SchedulerSettings;
import io.gpusched.kubernetes.webhook.WebhookProcess;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The commands of docs/walkthrough.md as they are printed, and what they print. No kubelet runs here, so once the Deployments are applied
 * the test starts their processes itself, with the rights of their service accounts.
 */
class WalkthroughTest {
    private static final Path TOP = DeployFiles.FOLDER.getParent();
    private static final Pattern STEP = Pattern.compile("```sh\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    @Test
    void theCommandsOfTheWalkthrough_printWhatItSays() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/kubectl")), "no kubectl in /usr/bin");
        KubernetesClient client = plane.client();
        addNode();
        Matcher step = STEP.matcher(Files.readString(TOP.resolve("docs/walkthrough.md")));
        run(step);
        run(step);
        CertificateKeeper keeper = plane.closing(CertificateKeeper.of(
                plane.clientOf("gpu-sched-webhook"),
                "gpu-sched",
                "gpu-sched-webhook-tls",
                "gpu-sched",
                List.of("127.0.0.1")));
        DialectSet dialects = new DialectSet(List.of(TestPlane.dialect("t9k")));
        WebhookProcess webhook = plane.closing(
                WebhookProcess.start(dialects, "gpu-sched", new GrantGuard(Set.of()), "127.0.0.1", 0, keeper::secure));
        plane.run(plane.clientOf("gpu-sched-kube"), settings());
        WebhookControlPlaneTest.callByUrl(
                client, "https://127.0.0.1:" + webhook.server().port() + WebhookProcess.PATH);
        for (int i = 0; i < 3; i++) {
            run(step);
        }
        assertThat(step.find()).isFalse();
    }

    private static SchedulerSettings settings() {
        return SchedulerSettings.of(List.of(TestPlane.dialect("t9k")))
                .withLease(LeaseSettings.of("gpu-sched", "gpu-sched", "test"));
    }

    private static void addNode() {
        Map<String, Quantity> amounts =
                Map.of("cpu", new Quantity("8"), "memory", new Quantity("16Gi"), "pods", new Quantity("110"));
        plane.addNodes(new NodeBuilder()
                .withNewMetadata()
                .withName("gpu-sched-control-plane")
                .endMetadata()
                .withNewStatus()
                .withAllocatable(amounts)
                .withCapacity(amounts)
                .endStatus()
                .build());
    }

    private static void run(Matcher step) throws IOException, InterruptedException {
        assertThat(step.find()).isTrue();
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", step.group(1))
                .directory(TOP.toFile())
                .redirectErrorStream(true);
        builder.environment().put("KUBECONFIG", plane.plane().kubeconfig().toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(printed).isEqualTo(step.group(2));
    }
}
