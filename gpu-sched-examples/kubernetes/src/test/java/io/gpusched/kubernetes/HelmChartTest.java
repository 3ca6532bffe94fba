package io.gpusched.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.controlplane.ControlPlane;
import io.gpusched.manifests.dialect.Dialects;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.yaml.snakeyaml.Yaml;

/** The Helm chart, linted and rendered by helm itself, which is built from Go modules as the API server is. */
class HelmChartTest {
    private static final Path CHART = DeployFiles.FOLDER.resolve("helm");

    private static String helm(String... arguments) throws IOException, InterruptedException {
        Path helm =
                ControlPlane.programs().map(folder -> folder.resolve("helm")).orElse(null);
        Assumptions.assumeTrue(
                helm != null && Files.isExecutable(helm), "no helm: gpu-sched-examples/control-plane/build makes it");
        List<String> command =
                new ArrayList<>(List.of(Objects.requireNonNull(helm).toString()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(text).isZero();
        return text;
    }

    private static List<Map<String, Object>> render(String... settings) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("template", "gpu-sched", CHART.toString(), "-n", "gpu-sched"));
        arguments.addAll(List.of("--kube-version", "1.37.1"));
        for (String setting : settings) {
            arguments.addAll(List.of("--set", setting));
        }
        String text = helm(arguments.toArray(String[]::new));
        return StreamSupport.stream(new Yaml().<Object>loadAll(text).spliterator(), false)
                .filter(Objects::nonNull)
                .map(HelmChartTest::object)
                .toList();
    }

    @SuppressWarnings("unchecked") // a manifest is an object
    private static Map<String, Object> object(Object read) {
        return (Map<String, Object>) read;
    }

    @Test
    void theChart_isClean() throws Exception {
        assertThat(helm("lint", CHART.toString())).contains("0 chart(s) failed");
    }

    /** But for the namespace, which helm makes by itself. */
    @Test
    void withAllParts_itSaysWhatKustomizeSays() throws Exception {
        List<Object> expected = new ArrayList<>();
        for (Path file : DeployFiles.files(DeployFiles.FOLDER)) {
            if (!file.endsWith("namespace.yaml")) {
                new Yaml().loadAll(Files.readString(file)).forEach(expected::add);
            }
        }
        assertThat(render("extender.enabled=true").stream()
                        .map(HelmChartTest::plain)
                        .toList())
                .containsExactlyInAnyOrderElementsOf(expected.stream()
                        .map(HelmChartTest::object)
                        .map(HelmChartTest::plain)
                        .toList());
    }

    /** What one account may do, whatever roles say so. */
    @Test
    void rights_followTheDialectGroupsAndQueuesThatAreChosen_inHelmAsInKustomize() throws Exception {
        Set<String> least = rights(render("kube.dialect=hami"));
        assertThat(least)
                .contains(
                        "scheduling.k8s.io podgroups list",
                        "scheduling.k8s.io podgroups/status update",
                        " pods/eviction create",
                        "policy poddisruptionbudgets list")
                .noneMatch(right -> right.contains("volcano")
                        || right.contains("tensorstack")
                        || right.contains("x-k8s")
                        || right.contains("run.ai")
                        || right.equals(" nodes patch"));
        assertThat(rights(render())).isEqualTo(rights(DeployFiles.files(DeployFiles.FOLDER.resolve("kube"))));
        for (String groups : List.of("coscheduling", "kai", "volcano")) {
            assertThat(rights(render("kube.dialect=hami", "kube.groups={" + groups + "}")))
                    .isEqualTo(with(least, "groups/" + groups));
        }
        for (String queues : List.of("gpu-sched", "volcano", "kai", "t9k")) {
            assertThat(rights(render("kube.dialect=hami", "queues.enabled=true", "queues.of=" + queues)))
                    .isEqualTo(with(least, "queues/" + queues));
        }
    }

    private static Set<String> with(Set<String> rights, String part) throws IOException {
        Set<String> more = new TreeSet<>(rights);
        more.addAll(rights(DeployFiles.files(DeployFiles.FOLDER.resolve(part))));
        return more;
    }

    private static Set<String> rights(Collection<Path> files) throws IOException {
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Path file : files) {
            new Yaml().loadAll(Files.readString(file)).forEach(one -> objects.add(object(one)));
        }
        return rights(objects);
    }

    private static Set<String> rights(List<Map<String, Object>> objects) {
        Set<String> rights = new TreeSet<>();
        for (Map<String, Object> object : objects) {
            boolean isKube = object.toString().contains("name=gpu-sched-kube");
            if (isKube && List.of("Role", "ClusterRole").contains(String.valueOf(object.get("kind")))) {
                for (Object rule : (List<?>) Objects.requireNonNull(object.get("rules"))) {
                    addTo(rights, object(rule));
                }
            }
        }
        return rights;
    }

    private static void addTo(Set<String> rights, Map<String, Object> rule) {
        for (Object group : (List<?>) Objects.requireNonNull(rule.get("apiGroups"))) {
            for (Object resource : (List<?>) Objects.requireNonNull(rule.get("resources"))) {
                for (Object verb : (List<?>) Objects.requireNonNull(rule.get("verbs"))) {
                    rights.add(group + " " + resource + " " + verb);
                }
            }
        }
    }

    private static String plain(Map<String, Object> object) {
        return object.toString().replace("image=gpu-sched:latest", "image=gpu-sched");
    }

    @Test
    void values_nameImageByTagAndDigest_dialectAndNamespace() throws Exception {
        String text = render(
                        "image.repository=registry.example.com/gpu-sched",
                        "image.tag=0.1.0",
                        "image.digest=sha256:0123",
                        "kube.dialect=hami",
                        "monitoring.enabled=true")
                .stream()
                .map(Map::toString)
                .collect(Collectors.joining("\n"));
        assertThat(text)
                .contains(
                        "image=registry.example.com/gpu-sched:0.1.0@sha256:0123",
                        "--dialect=hami",
                        "kind=ServiceMonitor")
                .doesNotContain("gpu-sched-kube-t9k-taints", "name=gpu-sched-extender, namespace");
    }

    private static Stream<String> dialects() {
        return Dialects.known().stream();
    }

    /** Else kube-scheduler does not ask the extender about a pod, and binds it without a grant. */
    @ParameterizedTest
    @MethodSource("dialects")
    void whatHangsOnADialect_followsIt_inExtenderAndWebhook(String dialect) throws Exception {
        List<Map<String, Object>> objects =
                render("extender.enabled=true", "extender.dialect=" + dialect, "webhook.dialect=" + dialect);
        Set<String> resources =
                new TreeSet<>(Dialects.find(dialect).orElseThrow().resources());
        String configuration = of(objects, "ConfigMap").toString();
        assertThat(new TreeSet<>(Pattern.compile("- name: (\\S+/\\S+)")
                        .matcher(configuration)
                        .results()
                        .map(found -> found.group(1))
                        .toList()))
                .isEqualTo(resources);
        String webhook = of(objects, "MutatingWebhookConfiguration").toString();
        String condition = dialect.equals("t9k")
                ? "name.startsWith('tensorstack.dev/nvidia-gpu')"
                : "name in ['" + String.join("', '", resources) + "']";
        assertThat(webhook).contains(condition);
        assertThat(objects.toString()).contains("extender, --dialect=" + dialect, "webhook, --dialect=" + dialect);
    }

    private static Map<String, Object> of(List<Map<String, Object>> objects, String kind) {
        return objects.stream()
                .filter(object -> kind.equals(object.get("kind")))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void queues_bringWhoseTheyAre_andAreLeftOutOtherwise() throws Exception {
        String with = render("queues.enabled=true", "queues.of=volcano").toString();
        assertThat(with)
                .contains("args=[kube, --queues=volcano, --scheduler-name=gpu-sched")
                .doesNotContain("queues.gpu-sched.io");
        assertThat(render("queues.enabled=true").toString()).contains("--queues=gpu-sched", "queues.gpu-sched.io");
        assertThat(render("queues.backfill=easy").toString())
                .contains("args=[kube, --backfill=easy, --scheduler-name=gpu-sched")
                .doesNotContain("--queues");
        assertThat(render("queues.enabled=true", "queues.backfill=promised").toString())
                .contains("args=[kube, --queues=gpu-sched, --backfill=promised, --scheduler-name=gpu-sched");
        assertThat(render().toString()).doesNotContain("--queues", "--backfill");
    }
}
