package io.gpusched.kubernetes.extender;

import static io.gpusched.kubernetes.extender.Objects.node;
import static io.gpusched.kubernetes.extender.Objects.pod;
import static io.gpusched.kubernetes.extender.Objects.running;
import static io.gpusched.kubernetes.extender.Objects.withPriority;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpusched.kubernetes.HostileJson;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.PreemptionArguments;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.kubernetes.http.Reply;
import io.gpusched.manifests.objects.ModelMapper;
import io.gpusched.model.Cluster;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever is sent in place of a good request is answered or refused with 400, and changes nothing. */
class HostileRequestsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As the client of kube and extender reads what the API server says. */
    private static final ObjectMapper MODELS = ModelMapper.ofServer();

    private final FakeApi api = new FakeApi();
    private final ClusterMirror mirror = new ClusterMirror(Objects.dialects("nano-gpu"), Clock.systemUTC());
    private int answered;
    private int refused;

    @BeforeEach
    void fill() {
        mirror.putNode(node("n", 2));
        mirror.putNode(node("other", 1));
        mirror.putPod(running(pod("a", 60), "n", 0));
        mirror.putPod(running(pod("b", 30), "n", 0));
        mirror.putPod(running(pod("c", 90), "n", 1));
    }

    private static JsonNode json(Object model) {
        return HostileJson.json(Serialization.asJson(model));
    }

    private static JsonNode asked() {
        return json(withPriority(pod("p", 60), 100));
    }

    /** Answers all variants; the good request has the same answer before and after them. */
    private void attack(JsonNode good, Function<JsonNode, Reply> verb) {
        String before = verb.apply(good).body().toString();
        Cluster cluster = mirror.cluster();
        HostileJson.forEach(good, variant -> {
            try {
                Reply reply = verb.apply(variant.json());
                assertThat(reply.status()).as(variant.what()).isEqualTo(200);
                answered++;
            } catch (HttpProblem e) {
                assertThat(e.status()).as(variant.what()).isEqualTo(400);
                assertThat(e.getMessage()).as(variant.what()).isNotBlank();
                refused++;
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError(variant.what(), e);
            }
        });
        assertThat(verb.apply(good).body().toString()).isEqualTo(before);
        assertThat(mirror.cluster().placements()).isEqualTo(cluster.placements());
        assertThat(answered).isPositive();
        assertThat(refused).isPositive();
    }

    @Test
    void filter_byName() {
        JsonNode good = JSON.createObjectNode()
                .<ObjectNode>set("Pod", asked())
                .set("NodeNames", HostileJson.json("['n','other','nowhere']"));
        FilterVerb filter = new FilterVerb(mirror);
        attack(good, json -> Reply.json(filter.filter(FilterArguments.read(json))));
    }

    @Test
    void filter_ofNodesThatAreSent() {
        JsonNode nodes =
                JSON.createObjectNode().set("items", JSON.createArrayNode().add(json(node("new", 2))));
        JsonNode good = JSON.createObjectNode().<ObjectNode>set("Pod", asked()).set("Nodes", nodes);
        FilterVerb filter = new FilterVerb(mirror);
        attack(good, json -> Reply.json(filter.filter(FilterArguments.read(json))));
    }

    @Test
    void prioritize() {
        JsonNode good = JSON.createObjectNode()
                .<ObjectNode>set("Pod", asked())
                .set("NodeNames", HostileJson.json("['n','other','nowhere']"));
        PrioritizeVerb prioritize = new PrioritizeVerb(mirror);
        attack(good, json -> Reply.json(prioritize.prioritize(FilterArguments.read(json))));
    }

    @Test
    void preempt() {
        JsonNode victims = HostileJson.json("{'n':{'Pods':[{'UID':'uid-a'},{'UID':'uid-a'},{'UID':'nobody'}],"
                + "'NumPDBViolations':1},'nowhere':{'Pods':[{'UID':'uid-b'}]}}");
        JsonNode good = JSON.createObjectNode().<ObjectNode>set("Pod", asked()).set("NodeNameToMetaVictims", victims);
        PreemptVerb preempt = new PreemptVerb(mirror, api);
        attack(good, json -> Reply.json(preempt.preempt(PreemptionArguments.read(json))));
    }

    @Test
    void preempt_withWholePods() {
        JsonNode victims =
                JSON.createObjectNode().set("Pods", JSON.createArrayNode().add(json(pod("a", 60))));
        JsonNode good = JSON.createObjectNode()
                .<ObjectNode>set("Pod", asked())
                .set("NodeNameToVictims", JSON.createObjectNode().set("n", victims));
        PreemptVerb preempt = new PreemptVerb(mirror, api);
        attack(good, json -> Reply.json(preempt.preempt(PreemptionArguments.read(json))));
    }

    @Test
    void bind_writesNothingForAnotherPodOrNode() {
        mirror.putPod(api.create(pod("p", 60)));
        JsonNode good = HostileJson.json("{'PodName':'p','PodNamespace':'default','PodUID':'uid-p','Node':'nowhere'}");
        BindVerb bind = new BindVerb(mirror, api, "gpu-sched");
        attack(good, json -> Reply.json(bind.bind(BindingArguments.read(json))));
        assertThat(api.writes).isZero();
    }

    /** A pod that runs holds its GPUs, however little of it can be understood. */
    @Test
    void aRunningPodThatCannotBeRead_isCountedAllTheSame() {
        JsonNode good = json(running(pod("c", 90), "n", 1));
        Pod probe = pod("probe", 50);
        HostileJson.forEach(good, variant -> {
            Pod hostile = read(variant.json(), Pod.class);
            boolean same = hostile != null
                    && hostile.getMetadata() != null
                    && hostile.getSpec() != null
                    && "c".equals(hostile.getMetadata().getName())
                    && "default".equals(hostile.getMetadata().getNamespace())
                    && "uid-c".equals(hostile.getMetadata().getUid())
                    && "n".equals(hostile.getSpec().getNodeName())
                    && (hostile.getStatus() == null
                            || !"Succeeded".equals(hostile.getStatus().getPhase()));
            if (same) {
                hostile.getMetadata().setResourceVersion("1");
                mirror.putPod(hostile);
                assertThat(mirror.cluster().placement(new PodId("default", "c")).isPresent()
                                || new FilterVerb(mirror)
                                        .filter(FilterArguments.read(HostileJson.json(
                                                "{'Pod':" + Serialization.asJson(probe) + ",'NodeNames':['n']}")))
                                        .nodeNames()
                                        .isEmpty())
                        .as(variant.what())
                        .isTrue();
            }
        });
    }

    @Test
    void aNodeThatCannotBeRead_changesNoOther() {
        HostileJson.forEach(json(node("hostile", 2)), variant -> {
            Node hostile = read(variant.json(), Node.class);
            if (hostile != null
                    && hostile.getMetadata() != null
                    && "hostile".equals(hostile.getMetadata().getName())) {
                mirror.putNode(hostile);
                assertThat(mirror.cluster().node("n")).as(variant.what()).isPresent();
                assertThat(mirror.cluster().placement(new PodId("default", "c")))
                        .as(variant.what())
                        .isPresent();
            }
        });
    }

    /** Null where the client would not hand it on. */
    private static <T> T read(JsonNode json, Class<T> type) {
        try {
            return MODELS.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            return null;
        }
    }
}
