package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.manifests.dialect.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrantGuardTest {
    private static final String KUBE = "system:serviceaccount:gpu-sched:gpu-sched-kube";
    private static final Path DEPLOY = Path.of("..", "..", "deploy");

    private final GrantGuard guard = new GrantGuard(Set.of(KUBE));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gpu-sched.io/grant",
                "gpu-sched.io/expected-seconds-of-others",
                "gpu-sched.io/nomination",
                "gpu-sched.io/promise",
                "gpu-sched.io/started",
                "main.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES",
                "nano-gpu/container-main",
                "nano-gpu/assume",
                "ALIYUN_COM_GPU_MEM_IDX",
                "elasticgpu.io/container-main",
                "tencent.com/predicate-gpu-idx-0",
                "tencent.com/gpu-assigned",
                "hami.io/vgpu-devices-allocated",
                "hami.io/vgpu-devices-to-allocate",
                "hami.io/vgpu-mig-allocations",
                "hami.io/kunlun-allocated",
                "hami.io/vgpu-node",
                "hami.io/bind-phase",
                "volcano.sh/vgpu-ids-new",
                "NEURON_ALLOCATED",
                "mthreads.com/predicate-node"
            })
    void whatSchedulersWrite_isAGrant(String annotation) {
        assertThat(GrantGuard.isGrant(annotation)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kubectl.kubernetes.io/last-applied-configuration",
                "gpu-sched.io/expected-seconds",
                "hami.io/gpu-scheduler-policy",
                "hami.io/node-scheduler-policy",
                "nvidia.com/use-gputype",
                "volcano.sh/vgpu-use-gpuuuid",
                "scheduling.k8s.io/group-name",
                "huawei.com/vnpu-mode"
            })
    void whatUsersWrite_isNone(String annotation) {
        assertThat(GrantGuard.isGrant(annotation)).isFalse();
    }

    @Test
    void everyDeviceOfEveryDialect_isADevice() {
        Pattern devices = Pattern.compile(GrantGuard.DEVICES);
        for (String name : Dialects.known()) {
            assertThat(Dialects.find(name).orElseThrow().resources())
                    .as(name)
                    .filteredOn(resource -> Dialects.isDevice(resource) && resource.contains("/"))
                    .allMatch(resource -> devices.matcher(resource).matches());
        }
    }

    @Test
    void thePolicy_saysTheSame() throws IOException {
        String policy = Files.readString(DEPLOY.resolve("policy/grants.yaml"));
        assertThat(policy)
                .contains("'" + GrantGuard.GRANTS.replace("\\", "\\\\") + "'")
                .contains("'" + GrantGuard.DEVICES.replace("\\", "\\\\") + "'");
        assertThat(Files.readString(DEPLOY.resolve("webhook/configuration.yaml")))
                .contains("'" + GrantGuard.GRANTS.replace("\\", "\\\\") + "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | {\"gpu-sched.io/grant\":\"x\"} | true",
                "{\"gpu-sched.io/grant\":\"x\"} | {} | true",
                "{\"gpu-sched.io/grant\":\"x\"} | {\"gpu-sched.io/grant\":\"y\"} | true",
                "{\"gpu-sched.io/grant\":\"x\"} | {\"gpu-sched.io/grant\":\"x\",\"other\":\"y\"} | false",
                "{} | {\"other\":\"y\"} | false",
            })
    void aGrantThatChanges_isRefused_toAllButTheScheduler(String before, String after, boolean refused)
            throws IOException {
        String request = "{\"operation\":\"UPDATE\",\"userInfo\":{\"username\":\"%s\"},\"oldObject\":{\"metadata\":"
                + "{\"annotations\":" + before + "}},\"object\":{\"metadata\":{\"annotations\":" + after + "}}}";
        ObjectMapper json = new ObjectMapper();
        assertThat(guard.refusal(json.readTree(request.formatted("tenant"))).isPresent())
                .isEqualTo(refused);
        assertThat(guard.refusal(json.readTree(request.formatted(KUBE)))).isEmpty();
    }
}
