package io.gpusched.cli.look;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.gpusched.controlplane.ControlPlane;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of docs/first-hour.md, run from an empty folder on a cluster where the real kube-scheduler has placed the pods, and what
 * they print. With the system property {@code gpusched.pages.update} the page is written anew instead.
 */
class FirstHourTest {
    private static final Path PAGE = Path.of("../../docs/first-hour.md");
    private static final Path HOUR = Path.of("../examples/hour/history");
    private static final Pattern STEP = Pattern.compile("```sh\n(.*?)```\n\n```text\n(.*?)```", Pattern.DOTALL);

    @RegisterExtension
    static final SchedulerPlane plane = new SchedulerPlane();

    @TempDir
    private Path folder;

    @Test
    void theCommandsOfTheFirstHour_printWhatThePageSays() throws Exception {
        Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/bin/kubectl")), "no kubectl in /usr/bin");
        fill(plane.client());
        Path bin = commands();
        String page = Files.readString(PAGE);
        String printed = STEP.matcher(page).replaceAll(step -> Matcher.quoteReplacement(run(step, bin)));
        if (Boolean.getBoolean("gpusched.pages.update")) {
            Files.writeString(PAGE, printed);
        }
        assertThat(printed).isEqualTo(page);
    }

    /** One pod on the first node, two on the second, and one for which neither has room. */
    private static void fill(KubernetesClient client) throws InterruptedException {
        ControlPlane.addReady(client, SchedulerPlane.node("n1", 8));
        plane.create(SchedulerPlane.pod("trainer", 5, 20, 80));
        ControlPlane.addReady(client, SchedulerPlane.node("n2", 8));
        cordon(client, true);
        plane.create(SchedulerPlane.pod("tuner", 2, 8, 32));
        plane.create(SchedulerPlane.pod("notebook", 1, 4, 16));
        cordon(client, false);
        plane.create(SchedulerPlane.pod("report", 6, 24, 96));
    }

    private static void cordon(KubernetesClient client, boolean cordoned) {
        client.nodes()
                .withName("n1")
                .edit(node -> node.edit()
                        .editSpec()
                        .withUnschedulable(cordoned)
                        .endSpec()
                        .build());
    }

    /** A folder with the command and the plugin, as the archive has them. */
    private Path commands() throws IOException {
        Path bin = Files.createDirectory(folder.resolve("bin"));
        Path command = Files.writeString(
                bin.resolve("gpu-sched"),
                "#!/bin/sh\nexec '" + System.getProperty("java.home") + "/bin/java' -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path") + "' io.gpusched.cli.GpuSched \"$@\"\n");
        Path plugin = Files.copy(Path.of("src/archive/bin/kubectl-gpu_sched"), bin.resolve("kubectl-gpu_sched"));
        assertThat(command.toFile().setExecutable(true) && plugin.toFile().setExecutable(true))
                .isTrue();
        return bin;
    }

    private String run(MatchResult step, Path bin) {
        try {
            Path work = Files.createDirectories(folder.resolve("work"));
            Path hour = Files.createDirectories(work.resolve("hour/history")).resolve("history-000001.jsonl.gz");
            Files.copy(HOUR.resolve(hour.getFileName()), hour, StandardCopyOption.REPLACE_EXISTING);
            ProcessBuilder builder = new ProcessBuilder("bash", "-c", step.group(1)).directory(work.toFile());
            builder.environment().put("KUBECONFIG", plane.kubeconfig());
            builder.environment().merge("PATH", bin.toString(), (path, first) -> first + ":" + path);
            builder.redirectError(ProcessBuilder.Redirect.INHERIT);
            Process process = builder.start();
            process.getOutputStream().close();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            return "```sh\n" + step.group(1) + "```\n\n```text\n" + printed + "```";
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
