package io.gpusched.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.kubernetes.KubernetesCommands;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

class SchedulerConfigurationTest {
    private static String run(String... arguments) {
        StringWriter out = new StringWriter();
        KubernetesCommands.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute(arguments);
        return out.toString();
    }

    private static Map<String, Object> extender(String... more) {
        String[] arguments = new String[2 + more.length];
        arguments[0] = "extender";
        arguments[1] = "--print-config";
        System.arraycopy(more, 0, arguments, 2, more.length);
        Map<String, List<Map<String, Object>>> root = new Yaml().load(run(arguments));
        return root.get("extenders").get(0);
    }

    @Test
    void theConfiguration_isWhatKubeSchedulerReads() {
        assertThat(run("extender", "--print-config")).isEqualTo("""
                apiVersion: kubescheduler.config.k8s.io/v1
                kind: KubeSchedulerConfiguration
                profiles:
                  - schedulerName: gpu-sched
                extenders:
                  - urlPrefix: http://127.0.0.1:39999/scheduler
                    filterVerb: filter
                    prioritizeVerb: prioritize
                    preemptVerb: preempt
                    bindVerb: bind
                    weight: 10
                    httpTimeout: 10s
                    nodeCacheCapable: true
                    managedResources:
                      - name: nano-gpu/gpu-percent
                """);
    }

    /** What nodes do not report must not be counted, or nothing would ever fit. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gpushare|aliyun.com/gpu-mem",
                "elastic-gpu|elasticgpu.com/gpu-core elasticgpu.com/gpu-memory elasticgpu.io/gpu-core elasticgpu.io/gpu-memory",
                "t9k|tensorstack.dev/nvidia-gpu- tensorstack.dev/nvidia-gpu-node- tensorstack.dev/nvidia-gpu-percent-",
                "nano-gpu,gpushare|aliyun.com/gpu-mem nano-gpu/gpu-percent",
            })
    void resources_areThoseOfTheDialect_countedWhereNodesReportThem(String dialects, String expected) {
        assertThat(managed(dialects)).containsExactly(expected.split(" "));
    }

    @Test
    void resourcesOfHami_areThoseOfEveryVendor() {
        assertThat(managed("hami"))
                .contains("nvidia.com/gpu", "nvidia.com/gpumem-", "nvidia.com/gpumem-percentage-")
                .anyMatch(name -> name.startsWith("hygon.com/dcumem"))
                .anyMatch(name -> name.startsWith("huawei.com/Ascend910"))
                .doesNotHaveDuplicates();
    }

    @SuppressWarnings("unchecked")
    private static List<String> managed(String dialects) {
        List<Map<String, Object>> managed =
                (List<Map<String, Object>>) extender("--dialect", dialects).get("managedResources");
        return managed.stream()
                .map(one -> one.get("name") + (one.containsKey("ignoredByScheduler") ? "-" : ""))
                .toList();
    }

    @Test
    void https_isSaidWithItsAuthority() {
        Map<String, Object> extender = extender("--url", "https://extender:39999", "--ca-file", "/etc/ca.crt");

        assertThat(extender).containsEntry("enableHTTPS", true);
        assertThat(extender).containsEntry("tlsConfig", Map.of("caFile", "/etc/ca.crt", "insecure", false));
    }

    @Test
    void nodesSentAsAWhole_areSaid() {
        assertThat(extender("--send-nodes")).containsEntry("nodeCacheCapable", false);
    }

    @Test
    void anUnknownDialect_isRefusedByName() {
        assertThat(run("extender", "--print-config", "--dialect", "nano"))
                .contains("'--dialect'")
                .contains("must be one of t9k")
                .contains("got \"nano\"");
    }
}
