package io.gpusched.manifests.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.nanogpu.NanoGpuDialect;
import io.gpusched.dialect.nanogpu.NanoGpuPolicy;
import io.gpusched.manifests.dialect.Dialects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
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
                "volcano.sh/devices-to-allocate",
                "BAIDU_COM_DEVICE_IDX",
                "CAMBRICON_DSMLU_ASSIGNED",
                "CAMBRICON_DSMLU_PROFILE",
                "metax-tech.com/gpu-devices-allocated",
                "assigned-containers",
                "enflame.com/gcu-assigned-id",
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
                .contains("'" + GrantGuard.grants().replace("\\", "\\\\") + "'")
                .contains("'" + GrantGuard.DEVICES.replace("\\", "\\\\") + "'");
        assertThat(Files.readString(DEPLOY.resolve("webhook/configuration.yaml")))
                .contains("'" + GrantGuard.grants().replace("\\", "\\\\") + "'");
    }

    @Test
    void whatADialectWrites_isAmongItsGrants_orIsNotWritten() {
        Dialect dialect = NanoGpuDialect.of(NanoGpuPolicy.BINPACK);
        BindingStamps stamps = new BindingStamps(Clock.systemUTC());
        Map<String, String> grant = Map.of("nano-gpu/container-main", "0", "nano-gpu/assume", "true");
        assertThat(stamps.stamp(dialect, new BindingMetadata(Map.of(), grant, Map.of()))
                        .annotations())
                .isEqualTo(grant);
        BindingMetadata other = new BindingMetadata(Map.of(), Map.of("nano-gpu/device", "0"), Map.of());
        assertThatThrownBy(() -> stamps.stamp(dialect, other))
                .hasMessage("dialect nano-gpu: annotation nano-gpu/device is written, and is not guarded as a grant");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'all'} | true",
                "CREATE | '' | initContainers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'0'} | true",
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'void'} | false",
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES'} | false",
                "CREATE | '' | containers | {'name':'OTHER','value':'all'} | false",
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','valueFrom':{'configMapKeyRef':{'name':'m','key':'k'}}} | true",
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','valueFrom':{'fieldRef':{'fieldPath':"
                        + "\"metadata.annotations['c.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES']\"}}} | false",
                "CREATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','valueFrom':{'fieldRef':{'fieldPath':"
                        + "\"metadata.annotations['mine']\"}}} | true",
                "UPDATE | '' | containers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'all'} | false",
                "UPDATE | ephemeralcontainers | ephemeralContainers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'all'} | true",
                "UPDATE | ephemeralcontainers | containers | {'name':'NVIDIA_VISIBLE_DEVICES','value':'all'} | false",
            })
    void devicesThatAContainerAsksForByAVariable_areRefused(
            String operation, String part, String list, String variable, boolean refused) throws IOException {
        ObjectMapper json = new ObjectMapper().enable(JsonParser.Feature.ALLOW_SINGLE_QUOTES);
        String request = "{'operation':'" + operation + "','subResource':'" + part + "','object':{'spec':{'" + list
                + "':[{'name':'c','env':[{'name':'A'}," + variable + "]}]}}}";
        assertThat(guard.refusal(json.readTree(request)).isPresent()).isEqualTo(refused);
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
