package io.gpusched.kubernetes.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.PrometheusText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** Metrics by the conventions of Prometheus, and alerts and a dashboard that ask for those that there are. */
class MonitoringTest {
    private static final Path FOLDER = Path.of("..", "..", "deploy", "monitoring");
    private static final Pattern METRIC = Pattern.compile("gpusched_[a-z_]+");

    private static String metrics() {
        SchedulerMetrics metrics = new SchedulerMetrics(() -> View.NOTHING, () -> true);
        metrics.bound(Duration.ofSeconds(3));
        metrics.decided(1_000, 1, 0);
        metrics.troubled("GrantChanged");
        return metrics.text();
    }

    @Test
    void whatAlertsAndDashboardAskFor_isServed() throws IOException {
        String served = metrics();
        for (String name : List.of("alerts.yaml", "dashboard.yaml")) {
            Matcher metric = METRIC.matcher(Files.readString(FOLDER.resolve(name)));
            while (metric.find()) {
                assertThat(served.contains(metric.group()) || metric.group().equals("gpusched_node_gpus"))
                        .as(metric.group())
                        .isTrue();
            }
        }
    }

    @Test
    void everyManifest_isYamlOfOneObject() throws IOException {
        for (String name : List.of("alerts.yaml", "dashboard.yaml", "servicemonitor.yaml")) {
            Object read = new Yaml().load(Files.readString(FOLDER.resolve(name)));
            assertThat(read.toString()).contains("kind=");
        }
    }

    @Test
    void whatIsServed_keepsTheConventionsOfPrometheus() {
        assertThat(PrometheusText.problems(metrics(), "gpusched_")).isEmpty();
    }

    @Test
    void names_haveOnePrefixAndBaseUnits_andHelpIsASentence() {
        metrics().lines().filter(line -> line.startsWith("# HELP gpusched")).forEach(line -> {
            assertThat(line).doesNotContain("millis", "mebibytes", "_ms", "_mib");
            assertThat(line.trim()).endsWith(".");
        });
        assertThat(metrics())
                .contains("gpusched_pod_bound_seconds_bucket{le=\"5.0\"} 1")
                .contains("gpusched_pod_bound_seconds_bucket{le=\"2.0\"} 0");
    }
}
