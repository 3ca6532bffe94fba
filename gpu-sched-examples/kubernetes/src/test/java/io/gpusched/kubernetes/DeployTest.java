package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** What {@code deploy} holds, put to a real API server, and the image's start command as a plain process. */
class DeployTest {
    /** With 100 ms between them. */
    private static final int MOST_TRIES = 1_200;

    private static final List<String> PARTS = List.of(
            "namespace",
            "crds",
            "kube",
            "groups/coscheduling",
            "groups/kai",
            "groups/volcano",
            "queues",
            "queues/volcano",
            "queues/kai",
            "queues/t9k",
            "record",
            "extender",
            "webhook",
            "policy");

    @RegisterExtension
    static final TestPlane plane = TestPlane.own();

    private static KubernetesClient client;

    @TempDir
    private Path folder;

    @BeforeAll
    static void start() throws IOException {
        client = plane.client();
        DeployFiles.apply(client, "namespace");
    }

    @Test
    void everyManifest_isPartOfTheWhole_andPassesADryRunOnTheServer() throws IOException {
        List<Path> all = DeployFiles.files(DeployFiles.FOLDER);
        try (Stream<Path> files = Files.walk(DeployFiles.FOLDER)) {
            assertThat(files.filter(file -> file.toString().endsWith(".yaml"))
                            .filter(file -> !file.endsWith("kustomization.yaml"))
                            .filter(file -> !file.startsWith(DeployFiles.FOLDER.resolve("monitoring")))
                            .filter(file -> !file.startsWith(DeployFiles.FOLDER.resolve("queues")))
                            .filter(file -> !file.startsWith(DeployFiles.FOLDER.resolve("record")))
                            .filter(file -> !file.startsWith(DeployFiles.FOLDER.resolve("groups"))
                                    || file.startsWith(DeployFiles.FOLDER.resolve("groups/t9k")))
                            .filter(file -> !file.startsWith(DeployFiles.FOLDER.resolve("helm"))))
                    .containsExactlyInAnyOrderElementsOf(all);
        }
        for (String part : PARTS.subList(1, PARTS.size())) {
            for (HasMetadata object : DeployFiles.objects(client, part)) {
                assertThat(client.resource(object)
                                .dryRun(true)
                                .create()
                                .getMetadata()
                                .getName())
                        .isEqualTo(object.getMetadata().getName());
            }
        }
    }

    /** The namespace enforces the strictest standard of Kubernetes. */
    @Test
    void thePodsOfEachDeployment_areAdmittedToTheirRestrictedNamespace() throws IOException {
        List<Pod> pods = new ArrayList<>();
        for (HasMetadata object : DeployFiles.objects(client, "")) {
            if (object instanceof Deployment deployment) {
                pods.add(new PodBuilder()
                        .withNewMetadata()
                        .withName(deployment.getMetadata().getName())
                        .withNamespace(deployment.getMetadata().getNamespace())
                        .endMetadata()
                        .withSpec(deployment.getSpec().getTemplate().getSpec())
                        .build());
            }
        }
        assertThat(pods).hasSize(3);
        for (Pod pod : pods) {
            assertThat(client.resource(pod).dryRun(true).create()).isNotNull();
            assertThat(pod.getSpec().getContainers())
                    .allSatisfy(container -> assertThat(
                                    container.getSecurityContext().getReadOnlyRootFilesystem())
                            .isTrue());
        }
    }

    /** Each process of the image is started by arguments that it understands. */
    @Test
    void theArgumentsOfEachDeployment_areOptionsOfItsCommand() throws IOException {
        for (HasMetadata object : DeployFiles.objects(client, "")) {
            if (object instanceof Deployment deployment) {
                deployment.getSpec().getTemplate().getSpec().getContainers().stream()
                        .filter(container -> container.getImage().equals("gpu-sched"))
                        .forEach(container -> KubernetesCommands.commandLine()
                                .parseArgs(container.getArgs().toArray(new String[0])));
            }
        }
    }

    @Test
    void theSchedulersConfiguration_isWhatTheCommandPrints() throws IOException {
        StringWriter out = new StringWriter();
        KubernetesCommands.commandLine()
                .setOut(new PrintWriter(out))
                .execute("extender", "--print-config", "--scheduler-name", "gpu-sched-extender");
        String indented = out.toString().indent(4);

        assertThat(Files.readString(DeployFiles.FOLDER.resolve("extender/configuration.yaml")))
                .contains(indented);
    }

    @Test
    void theImage_takesTheJarThatTheStartScriptBuilds() throws IOException {
        String jar = Files.readAllLines(DeployFiles.FOLDER.resolveSibling("gpu-sched")).stream()
                .filter(line -> line.startsWith("cli_jar="))
                .map(line -> line.replaceAll("cli_jar=\"\\$home/(.*)\"", "$1"))
                .findFirst()
                .orElseThrow();

        assertThat(DeployFiles.FOLDER.resolve("Dockerfile"))
                .content()
                .contains("COPY " + jar + " /opt/gpu-sched/gpu-sched-cli.jar")
                .contains("COPY " + jar.replace("gpu-sched-cli.jar", "lib") + " /opt/gpu-sched/lib");
    }

    /** As a user without rights where that can be arranged, in a folder that nobody can write, without one for temporary files. */
    @Test
    void theImagesStartCommand_servesWhereNothingCanBeWritten() throws Exception {
        assertThat(folder.toFile().setExecutable(true, false)).isTrue();
        Path kubeconfig = folder.resolve("kubeconfig");
        Files.copy(plane.plane().kubeconfig(), kubeconfig);
        assertThat(kubeconfig.toFile().setReadable(true, false)).isTrue();
        ProcessBuilder builder = new ProcessBuilder(
                        command("extender", "--host=127.0.0.1", "--port=0", "--health-port=0"))
                .directory(Path.of("/proc").toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile());
        builder.environment().put("KUBECONFIG", kubeconfig.toString());
        Process process = builder.start();
        try {
            assertThat(answer("serving at port ", process)).isEqualTo("ok");
            assertThat(answer("health and metrics at port ", process)).isEqualTo("ok");
            process.destroy();
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
    }

    /** The entry point of the image for its user, with the classes of this build in the place of its jar. */
    private List<String> command(String... arguments) throws IOException {
        List<String> lines = Files.readAllLines(DeployFiles.FOLDER.resolve("Dockerfile"));
        List<String> words = new ArrayList<>(new Yaml().load(after("ENTRYPOINT ", lines)));
        int jar = words.indexOf("-jar");
        assertThat(words.get(jar + 1)).isEqualTo("/opt/gpu-sched/gpu-sched-cli.jar");
        words.set(jar, "-Djava.io.tmpdir=/proc");
        words.set(jar + 1, "-cp");
        words.add(classPath());
        words.add(KubernetesCommands.class.getName());
        words.addAll(List.of(arguments));
        words.set(0, ProcessHandle.current().info().command().orElse("java"));
        String[] user = after("USER ", lines).split(":");
        assertThat(user).containsExactly("65532", "65532");
        if ("root".equals(System.getProperty("user.name")) && Files.isExecutable(Path.of("/usr/bin/setpriv"))) {
            words.addAll(0, List.of("/usr/bin/setpriv", "--reuid=" + user[0], "--regid=" + user[1], "--clear-groups"));
        }
        return words;
    }

    private static String after(String instruction, List<String> lines) {
        return lines.stream()
                .filter(line -> line.startsWith(instruction))
                .map(line -> line.substring(instruction.length()))
                .findFirst()
                .orElseThrow();
    }

    /** Copies of what this test was loaded from, which the other user may read. */
    private String classPath() throws IOException {
        List<Path> copies = new ArrayList<>();
        for (Path entry : classPathEntries()) {
            Path copy =
                    Files.createDirectories(folder.resolve("lib")).resolve(copies.size() + "-" + entry.getFileName());
            try (Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.toList()) {
                    Path target = copy.resolve(entry.relativize(file).toString());
                    if (Files.isDirectory(file)) {
                        Files.createDirectories(target);
                    } else {
                        Files.copy(file, target);
                    }
                }
            }
            copies.add(copy);
        }
        try (Stream<Path> files = Files.walk(folder.resolve("lib"))) {
            files.forEach(file -> {
                assertThat(file.toFile().setReadable(true, false)).isTrue();
                assertThat(!Files.isDirectory(file) || file.toFile().setExecutable(true, false))
                        .isTrue();
            });
        }
        return copies.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /** Whoever runs tests names the classes in its own way; each of these classes knows where it came from. */
    private static Set<Path> classPathEntries() throws IOException {
        Set<Path> entries = new LinkedHashSet<>();
        if (KubernetesCommands.class.getClassLoader() instanceof URLClassLoader loader) {
            for (URL url : loader.getURLs()) {
                entries.add(Path.of(URI.create(url.toString())));
            }
        }
        for (URL manifest : Collections.list(DeployTest.class.getClassLoader().getResources("META-INF/MANIFEST.MF"))) {
            String text = manifest.toString();
            if (text.startsWith("jar:file:")) {
                entries.add(Path.of(URI.create(text.substring("jar:".length(), text.indexOf('!')))));
            }
        }
        for (Class<?> type : List.of(
                KubernetesCommands.class,
                KubeCommand.class,
                io.gpusched.pages.HtmlPage.class,
                io.gpusched.dialect.Dialect.class,
                io.gpusched.model.Cluster.class)) {
            entries.add(Path.of(URI.create(
                    type.getProtectionDomain().getCodeSource().getLocation().toString())));
        }
        entries.removeIf(entry -> !Files.exists(entry));
        return entries;
    }

    /** What is answered at the port that the process names after these words. */
    private String answer(String words, Process process) throws IOException, InterruptedException {
        Pattern served = Pattern.compile(words + "(\\d+)");
        for (int i = 0; i < MOST_TRIES && process.isAlive(); i++) {
            Matcher port = served.matcher(Files.readString(folder.resolve("log")));
            if (port.find()) {
                return Fetch.text(Integer.parseInt(port.group(1)), "/readyz");
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return "not served: " + Files.readString(folder.resolve("log"));
    }
}
