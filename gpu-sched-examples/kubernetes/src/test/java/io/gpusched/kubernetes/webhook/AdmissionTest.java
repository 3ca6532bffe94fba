package io.gpusched.kubernetes.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdmissionTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PERCENT = "tensorstack.dev/nvidia-gpu-percent";
    private static final String WHOLE = "tensorstack.dev/nvidia-gpu";

    private static Admission admission(String... dialects) {
        List<NamedDialect> named = Arrays.stream(dialects)
                .map(name -> Dialects.find(name).orElseThrow())
                .toList();
        return new Admission(
                new DialectSet(named),
                "gpu-sched",
                new GrantGuard(Set.of("system:serviceaccount:gpu-sched:gpu-sched-kube")));
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ObjectNode pod(String... limits) {
        ObjectNode pod = json("{'metadata':{'name':'p'},'spec':{'containers':[]}}");
        for (int i = 0; i < limits.length; i++) {
            String container = "{'name':'c" + i + "','image':'x','resources':{'limits':{" + limits[i] + "}}}";
            pod.withArray("/spec/containers").add(json(container));
        }
        return pod;
    }

    private static ObjectNode review(JsonNode pod) {
        ObjectNode review = json("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u1',"
                + "'kind':{'group':'','version':'v1','kind':'Pod'},'operation':'CREATE','namespace':'team'}}");
        ((ObjectNode) review.get("request")).set("object", pod);
        return review;
    }

    private static JsonNode response(Admission admission, JsonNode pod) {
        return admission.review(review(pod)).get("response");
    }

    private static JsonNode patched(Admission admission, JsonNode pod) {
        JsonNode response = response(admission, pod);
        assertThat(response.get("allowed").asBoolean()).as("%s", response).isTrue();
        if (!response.has("patch")) {
            return pod;
        }
        assertThat(response.get("patchType").asText()).isEqualTo("JSONPatch");
        try {
            byte[] patch = Base64.getDecoder().decode(response.get("patch").asText());
            return JsonPatch.apply(JSON.readTree(patch), pod.deepCopy());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String variable(JsonNode container, String name) {
        for (JsonNode one : container.path("env")) {
            if (one.path("name").asText().equals(name)) {
                return one.at("/valueFrom/fieldRef/fieldPath").asText();
            }
        }
        return "";
    }

    @Test
    void aShare_learnsItsGrantFromAnnotations() {
        JsonNode pod = patched(admission("t9k"), pod("'" + PERCENT + "':'30'"));

        JsonNode container = pod.at("/spec/containers/0");
        assertThat(pod.at("/spec/schedulerName").asText()).isEqualTo("gpu-sched");
        assertThat(variable(container, "NVIDIA_VISIBLE_DEVICES"))
                .isEqualTo("metadata.annotations['c0.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES']");
        assertThat(variable(container, "T9K_GPU_PERCENT"))
                .isEqualTo("metadata.annotations['c0.env.gpu-sched.io/T9K_GPU_PERCENT']");
        assertThat(variable(container, "T9K_GPU_MEMORY"))
                .isEqualTo("metadata.annotations['c0.env.gpu-sched.io/T9K_GPU_MEMORY']");
        assertThat(pod.at("/spec/tolerations").isMissingNode()).isTrue();
    }

    /** The last variable of a name counts in a container. */
    @Test
    void everyVariableThatNamesDevices_isReplaced_inEveryContainer() {
        JsonNode pod = json("{'metadata':{'name':'p'},'spec':{'containers':["
                + "{'name':'c0','resources':{'limits':{'" + PERCENT + "':'30'}},'env':["
                + "{'name':'NVIDIA_VISIBLE_DEVICES','value':'0'},{'name':'NVIDIA_VISIBLE_DEVICES','value':'all'}]},"
                + "{'name':'side','env':[{'name':'NVIDIA_VISIBLE_DEVICES','value':'all'}]}],"
                + "'initContainers':[{'name':'first'}]}}");
        JsonNode patched = patched(admission("t9k"), pod);
        assertThat(patched.at("/spec/containers/0/env").findValuesAsText("fieldPath"))
                .hasSize(4) // and two more that T9k has
                .startsWith(
                        "metadata.annotations['c0.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES']",
                        "metadata.annotations['c0.env.gpu-sched.io/NVIDIA_VISIBLE_DEVICES']");
        JsonNode none =
                json("{'e':[{'name':'NVIDIA_VISIBLE_DEVICES','value':'void'}]}").get("e");
        assertThat(patched.at("/spec/containers/1/env")).isEqualTo(none);
        assertThat(patched.at("/spec/initContainers/0/env")).isEqualTo(none);
    }

    @Test
    void aPodWithoutGpus_thatNamesDevices_isRefused() {
        JsonNode pod = json("{'metadata':{'name':'p'},'spec':{'containers':[{'name':'c','env':["
                + "{'name':'NVIDIA_VISIBLE_DEVICES','value':'all'}]}]}}");
        assertThat(response(admission("t9k"), pod).at("/status/message").asText())
                .isEqualTo(
                        "container \"c\": NVIDIA_VISIBLE_DEVICES is the scheduler's; a container may set it to none or void alone");
    }

    @ParameterizedTest
    @ValueSource(strings = {WHOLE, "tensorstack.dev/nvidia-gpu-node"})
    void wholeGpus_tolerateTheTaintOfTheirNodes(String resource) {
        JsonNode pod = patched(admission("t9k"), pod("'" + resource + "':'1'", "'cpu':'1'"));

        assertThat(pod.at("/spec/tolerations/0"))
                .isEqualTo(json("{'key':'sched.tensorstack.dev/xgn-mode','operator':'Equal','value':'true'}"));
        assertThat(variable(pod.at("/spec/containers/0"), "NVIDIA_VISIBLE_DEVICES"))
                .isNotEmpty();
        assertThat(variable(pod.at("/spec/containers/0"), "T9K_GPU_PERCENT")).isEmpty();
        assertThat(pod.at("/spec/containers/1/env/0/value").asText()).isEqualTo("void");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "'cpu':'1','memory':'1Gi'", "'nvidia.com/gpu':'1'", "'example.com/fpga':'1'"})
    void aPodThatAsksForNoGpuOfTheDialect_isLeftAsItIs(String limits) {
        JsonNode response = response(admission("t9k"), pod(limits));

        assertThat(response).isEqualTo(json("{'uid':'u1','allowed':true}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "t9k|'tensorstack.dev/nvidia-gpu-percent':'130'|tensorstack.dev/nvidia-gpu-percent must be in 1..100, got 130",
                "t9k|'tensorstack.dev/nvidia-gpu-node':'2'|tensorstack.dev/nvidia-gpu-node must be in 1..1, got 2",
                "t9k|'tensorstack.dev/nvidia-gpu':'1','tensorstack.dev/nvidia-gpu-percent':'30'|one pod cannot have two of them",
                "nano-gpu|'nano-gpu/gpu-percent':'101'|nano-gpu/gpu-percent must be in 1..100, got 101",
                "gpushare|'aliyun.com/gpu-mem':'0'|aliyun.com/gpu-mem must be at least 1, got 0",
                "elastic-gpu|'elasticgpu.io/gpu-core':'250'|elasticgpu.io/gpu-core",
                "hami|'nvidia.com/gpu':'1','nvidia.com/gpumem-percentage':'120'|nvidia.com/gpumem-percentage: must be in 0..100, got 120",
            })
    void anInvalidRequest_isRefusedInTheDialectsWords(String dialect, String limits, String words) {
        JsonNode response = response(admission(dialect), pod(limits));

        assertThat(response.get("allowed").asBoolean()).isFalse();
        assertThat(response.at("/status/message").asText()).contains(words);
        assertThat(response.at("/status/code").asInt()).isEqualTo(422);
        assertThat(response.has("patch")).isFalse();
    }

    @Test
    void aSchedulerThatThePodNames_isKept() {
        ObjectNode pod = pod("'" + PERCENT + "':'30'");
        ((ObjectNode) pod.get("spec")).put("schedulerName", "t9k-scheduler");

        assertThat(patched(admission("t9k"), pod).at("/spec/schedulerName").asText())
                .isEqualTo("t9k-scheduler");
    }

    @Test
    void theDefaultScheduler_isNoChoice() {
        ObjectNode pod = pod("'" + PERCENT + "':'30'");
        ((ObjectNode) pod.get("spec")).put("schedulerName", "default-scheduler");

        assertThat(patched(admission("t9k"), pod).at("/spec/schedulerName").asText())
                .isEqualTo("gpu-sched");
    }

    /** It would let the container see every GPU of its node. */
    @Test
    void aVariableThatThePodSetsItself_isReplacedWithAWarning() {
        ObjectNode pod = pod("'" + PERCENT + "':'30'");
        ((ObjectNode) pod.at("/spec/containers/0"))
                .set(
                        "env",
                        json("{'e':[{'name':'A','value':'1'},{'name':'NVIDIA_VISIBLE_DEVICES','value':'all'}]}")
                                .get("e"));

        JsonNode container = patched(admission("t9k"), pod).at("/spec/containers/0");

        assertThat(container.get("env")).hasSize(4);
        assertThat(variable(container, "NVIDIA_VISIBLE_DEVICES")).startsWith("metadata.annotations");
        assertThat(response(admission("t9k"), pod).at("/warnings/0").asText())
                .isEqualTo("container \"c0\": its own value of NVIDIA_VISIBLE_DEVICES is replaced by what is granted");
    }

    @Test
    void anInitContainer_learnsItsGrantToo() {
        ObjectNode pod = pod("'" + PERCENT + "':'30'");
        ((ObjectNode) pod.get("spec"))
                .withArray("initContainers")
                .add(json("{'name':'prepare','resources':{'limits':{'" + PERCENT + "':'10'}}}"));

        JsonNode patched = patched(admission("t9k"), pod);

        assertThat(variable(patched.at("/spec/initContainers/0"), "T9K_GPU_PERCENT"))
                .isEqualTo("metadata.annotations['prepare.env.gpu-sched.io/T9K_GPU_PERCENT']");
        assertThat(variable(patched.at("/spec/containers/0"), "T9K_GPU_PERCENT"))
                .isEqualTo("metadata.annotations['c0.env.gpu-sched.io/T9K_GPU_PERCENT']");
    }

    @Test
    void hamisLimits_areCompletedAsItsOwnWebhookDoes() {
        JsonNode limits =
                patched(admission("hami"), pod("'nvidia.com/gpumem':'4000'")).at("/spec/containers/0/resources/limits");
        assertThat(limits).isEqualTo(json("{'nvidia.com/gpumem':'4000','nvidia.com/gpu':'1'}"));

        JsonNode whole =
                patched(admission("hami"), pod("'nvidia.com/gpu':'1'")).at("/spec/containers/0/resources/limits");
        assertThat(whole).isEqualTo(json("{'nvidia.com/gpu':'1','nvidia.com/gpucores':'100'}"));
    }

    @Test
    void hami_refusesWeightsThatItCannotRead() {
        ObjectNode weighted = pod("'nvidia.com/gpu':'1'");
        ((ObjectNode) weighted.at("/metadata"))
                .set("annotations", json("{'hami.io/device-scoring-weights':'slot=1,core=-1,memory=3'}"));
        assertThat(response(admission("hami"), weighted).at("/status/message").asText())
                .contains("invalid hami.io/device-scoring-weights annotation")
                .endsWith("\"core\" weight must not be negative");
    }

    @Test
    void hami_refusesPrivilegedContainersAndPodsOnANode() {
        ObjectNode privileged = pod("'nvidia.com/gpu':'1'");
        ((ObjectNode) privileged.at("/spec/containers/0")).set("securityContext", json("{'privileged':true}"));
        ObjectNode onNode = pod("'nvidia.com/gpu':'1'");
        ((ObjectNode) onNode.get("spec")).put("nodeName", "n");

        assertThat(response(admission("hami"), privileged).at("/status/message").asText())
                .contains("privileged");
        assertThat(response(admission("hami"), onNode).at("/status/message").asText())
                .contains("pod has node assigned");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{'generateName':'job-'}", "{}"})
    void aPodWithoutANameYet_isPrepared(String metadata) {
        ObjectNode pod = pod("'" + PERCENT + "':'30'");
        pod.set("metadata", json(metadata));

        JsonNode patched = patched(admission("t9k"), pod);

        assertThat(patched.at("/spec/schedulerName").asText()).isEqualTo("gpu-sched");
        assertThat(patched.get("metadata")).isEqualTo(json(metadata));
    }

    @ParameterizedTest
    @CsvSource({"operation,UPDATE", "operation,DELETE", "subResource,ephemeralcontainers", "subResource,binding"})
    void anythingButANewPod_isLetThrough(String member, String value) {
        ObjectNode review = review(pod("'" + PERCENT + "':'130'"));
        ((ObjectNode) review.get("request")).put(member, value);

        assertThat(admission("t9k").review(review).get("response")).isEqualTo(json("{'uid':'u1','allowed':true}"));
    }

    @Test
    void aDryRun_isLikeAnyOther() {
        ObjectNode review = review(pod("'" + PERCENT + "':'30'"));
        ObjectNode dry = review.deepCopy();
        ((ObjectNode) dry.get("request")).put("dryRun", true);
        Admission admission = admission("t9k");

        assertThat(admission.review(dry)).isEqualTo(admission.review(review));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|must be an AdmissionReview of admission.k8s.io/v1",
                "{'apiVersion':'admission.k8s.io/v1beta1','kind':'AdmissionReview'}|must be an AdmissionReview",
                "{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview'}|request.uid must be there",
            })
    void whatIsNoReview_isABadRequest(String text, String problem) {
        assertThatThrownBy(() -> admission("t9k").review(json(text))).hasMessageContaining(problem);
    }

    /** A webhook is called again when another one changes the pod after it. */
    @Property(tries = 300)
    void whatWasDone_isNotDoneAgain(@ForAll Random random) {
        String[][] limits = {
            {"'" + PERCENT + "':'30'", "'cpu':'1'", "'" + PERCENT + "':'100'"},
            {"'" + WHOLE + "':'2'", "", "'tensorstack.dev/nvidia-gpu-node':'1'"},
            {"'nvidia.com/gpu':'1'", "'nvidia.com/gpucores':'10'", "'nvidia.com/gpumem-percentage':'50'"},
            {"'nano-gpu/gpu-percent':'20'", "'cpu':'2'", "'memory':'1Gi'"},
        };
        int system = random.nextInt(limits.length);
        String[] chosen = new String[1 + random.nextInt(3)];
        Arrays.setAll(chosen, i -> limits[system][random.nextInt(3)]);
        ObjectNode pod = pod(chosen);
        if (random.nextBoolean()) {
            ((ObjectNode) pod.get("spec")).withArray("tolerations").add(json("{'operator':'Exists'}"));
        }
        Admission admission = admission(system < 2 ? "t9k" : system == 2 ? "hami" : "nano-gpu");
        if (!response(admission, pod).get("allowed").asBoolean()) {
            return;
        }

        JsonNode once = patched(admission, pod);

        assertThat(response(admission, once)).isEqualTo(json("{'uid':'u1','allowed':true}"));
    }
}
