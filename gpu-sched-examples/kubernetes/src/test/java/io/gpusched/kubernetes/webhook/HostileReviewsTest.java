package io.gpusched.kubernetes.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.zjsonpatch.JsonPatch;
import io.gpusched.kubernetes.HostileJson;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.dialect.NamedDialect;
import io.gpusched.manifests.grant.GrantGuard;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.manifests.view.DialectSet;
import java.io.IOException;
import java.util.Base64;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever is sent in place of a good review is admitted, refused with words, or no review; and a patch leaves a pod. */
class HostileReviewsTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper MODELS = ModelMapper.ofRequests();

    private int admitted;
    private int refused;
    private int noReview;

    @ParameterizedTest
    @CsvSource({
        "t9k,tensorstack.dev/nvidia-gpu-percent,30",
        "t9k,tensorstack.dev/nvidia-gpu,2",
        "hami,nvidia.com/gpu,1",
        "nano-gpu,nano-gpu/gpu-percent,30",
        "gpushare,aliyun.com/gpu-mem,4",
        "elastic-gpu,elasticgpu.io/gpu-core,20"
    })
    void everyVariantOfAReview_hasAClearAnswer(String dialect, String resource, String amount) {
        NamedDialect named = Dialects.find(dialect).orElseThrow();
        Admission admission =
                new Admission(new DialectSet(Stream.of(named).toList()), "gpu-sched", new GrantGuard(Set.of()));
        JsonNode good =
                HostileJson.json("{'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u',"
                        + "'kind':{'group':'','version':'v1','kind':'Pod'},'operation':'CREATE','namespace':'team','object':{"
                        + "'metadata':{'name':'p','labels':{'a':'b'},'annotations':{'c':'d'}},'spec':{'schedulerName':"
                        + "'default-scheduler','tolerations':[{'key':'k','operator':'Exists'}],'nodeSelector':{'x':'y'},"
                        + "'initContainers':[{'name':'init','image':'i'}],"
                        + "'containers':[{'name':'main','image':'i','env':[{'name':'V','value':'1'}],'resources':{'limits':{'"
                        + resource + "':'" + amount + "'},'requests':{'" + resource + "':'" + amount + "','cpu':'1'}}},"
                        + "{'name':'side','image':'i'}],'overhead':{'cpu':'1'}}}}}");
        HostileJson.forEach(good, variant -> {
            try {
                check(variant, admission.review(variant.json()));
            } catch (HttpProblem e) {
                assertThat(e.status()).as(variant.what()).isEqualTo(400);
                noReview++;
            } catch (RuntimeException | IOException e) {
                throw new AssertionError(variant.what(), e);
            }
        });
        assertThat(admitted).isPositive();
        assertThat(refused).isPositive();
        assertThat(noReview).isPositive();
    }

    private void check(HostileJson.Variant variant, ObjectNode answer) throws IOException {
        JsonNode response = answer.get("response");
        assertThat(response.get("uid"))
                .as(variant.what())
                .isEqualTo(variant.json().at("/request/uid"));
        if (!response.get("allowed").asBoolean()) {
            refused++;
            assertThat(response.at("/status/message").asText())
                    .as(variant.what())
                    .isNotBlank();
            return;
        }
        admitted++;
        if (response.has("patch")) {
            JsonNode patch = JSON.readTree(
                    Base64.getDecoder().decode(response.get("patch").asText()));
            JsonNode pod = JsonPatch.apply(patch, variant.json().at("/request/object"));
            assertThat(MODELS.treeToValue(pod, Pod.class).getSpec())
                    .as(variant.what())
                    .isNotNull();
        }
    }
}
