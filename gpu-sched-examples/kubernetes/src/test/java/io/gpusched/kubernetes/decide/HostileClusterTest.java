package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.gpusched.dialect.t9k.T9kDialect;
import io.gpusched.kubernetes.HostileJson;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ModelMapper;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever the API server tells of a node, a pod or a group: others are placed, and what is held is not given out again. */
class HostileClusterTest {
    private static final ObjectMapper MODELS = ModelMapper.ofServer();
    private static final String GRANT = "gpu-sched.io/grant";
    private static final String REGISTER = "hami.io/node-nvidia-register";

    private static JsonNode json(Object model) {
        return HostileJson.json(Serialization.asJson(model));
    }

    /** Nothing where the client would not hand it on. */
    private static <T extends HasMetadata> Optional<T> read(HostileJson.Variant variant, Class<T> type) {
        try {
            T read = MODELS.treeToValue(variant.json(), type);
            return Optional.ofNullable(read)
                    .filter(object -> object.getMetadata() != null
                            && isName(object.getMetadata().getName())
                            && isName(Objects.requireNonNullElse(
                                    object.getMetadata().getNamespace(), "any")));
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Names are parts of paths, so that there are none without a character, or with a slash. */
    private static boolean isName(@Nullable String name) {
        return name != null && !name.isBlank() && !name.contains("/");
    }

    private static Pod pod(String name, String resource, int amount) {
        return new PodBuilder(Manifests.pod(name, resource, String.valueOf(amount)))
                .editMetadata()
                .withUid("uid-" + name)
                .withResourceVersion("5")
                .endMetadata()
                .build();
    }

    /** Returns the nodes that pods were given, by pod; whatever comes of it, the deciding thread goes on. */
    private static Map<String, String> decide(String dialect, String what, Change... changes) {
        SchedulerState state = FakeApi.scheduler(dialect);
        try {
            for (Change change : changes) {
                state.apply(List.of(change), 1_000);
            }
            Decisions decisions = state.decide(2_000);
            decisions
                    .refusals()
                    .forEach(refusal -> assertThat(refusal.message().get()).isNotBlank());
            state.troubles();
            state.groupStates();
            state.cluster().validate();
            return decisions.bindings().stream()
                    .collect(Collectors.toMap(
                            binding -> binding.pod().id().name(),
                            binding -> binding.placement().node(),
                            (one, other) -> one));
        } catch (RuntimeException | StackOverflowError e) {
            throw new AssertionError(what, e);
        }
    }

    /** What other systems give is written in annotations, which a tenant may write too; how much it may be is what the pod asks for. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            koordinator.sh/gpu-core                            , 1
            koordinator.sh/gpu                                 , 1
            hivedscheduler.microsoft.com/pod-scheduling-enable , 2
            """)
    void gpusThatAPodOfAnotherSystemMayHave_areNotGivenOut_andThatIsTold(String resource, int gpus) {
        Pod running = new PodBuilder(pod("theirs", resource, 100))
                .editMetadata()
                .addToAnnotations("scheduling.koordinator.sh/device-allocated", "{\"gpu\":[{\"minor\":1}]}")
                .endMetadata()
                .editSpec()
                .withNodeName("n1")
                .withSchedulerName("another")
                .endSpec()
                .build();
        Node node = new NodeBuilder(Manifests.t9kNode("n1", "xgn", 2))
                .editStatus()
                .addToAllocatable(resource, new Quantity("200"))
                .endStatus()
                .build();
        SchedulerState state = FakeApi.scheduler("t9k");
        state.apply(List.of(new Change.NodePut(node), new Change.PodPut(running)), 1_000);
        state.decide(1_500);
        assertThat(state.cluster().node("n1").orElseThrow().isIdle(1)).isFalse();
        assertThat(state.cluster().totals().usedGpuComputeMillis()).isEqualTo(1_000L * gpus);
        assertThat(state.troubles().toString()).contains("name=theirs", "holds " + resource);
    }

    @Test
    void aHostileNode_keepsNoPodFromAnother() {
        HostileJson.forEach(
                json(Manifests.t9kNode("hostile", "xgn", 2)),
                variant -> read(variant, Node.class).ifPresent(node -> {
                    Map<String, String> placed = decide(
                            "t9k",
                            variant.what(),
                            new Change.NodePut(Manifests.t9kNode("good", "xgn", 4)),
                            new Change.NodePut(node),
                            new Change.PodPut(pod("p", T9kDialect.GPU, 4)));
                    assertThat(placed).as(variant.what()).containsEntry("p", "good");
                }));
    }

    @Test
    void aHostileDescriptionOfDevices_keepsNoPodFromAnotherNode() {
        Node good = Manifests.hamiNode("hostile", Map.of());
        JsonNode register = HostileJson.json(good.getMetadata().getAnnotations().get(REGISTER));
        Node other = Manifests.hamiNode("good", Map.of());
        HostileJson.forEach(register, variant -> {
            Node node = new NodeBuilder(good)
                    .editMetadata()
                    .addToAnnotations(REGISTER, variant.json().toString())
                    .endMetadata()
                    .build();
            Pod pod = new PodBuilder(pod("p", "nvidia.com/gpu", 1))
                    .editSpec()
                    .withNodeSelector(Map.of("which", "good"))
                    .endSpec()
                    .build();
            other.getMetadata().setLabels(Map.of("which", "good"));
            assertThat(decide(
                            "hami",
                            variant.what(),
                            new Change.NodePut(node),
                            new Change.NodePut(other),
                            new Change.PodPut(pod)))
                    .as(variant.what())
                    .containsEntry("p", "good");
        });
    }

    @Test
    void aHostilePodThatWaits_keepsNoOtherFromANode() {
        Pod rich = new PodBuilder(pod("hostile", T9kDialect.GPU, 1))
                .editMetadata()
                .addToLabels("a", "b")
                .addToAnnotations("c", "d")
                .endMetadata()
                .editSpec()
                .withNodeSelector(Map.of("kubernetes.io/os", "linux"))
                .addNewToleration()
                .withKey("k")
                .withOperator("Exists")
                .endToleration()
                .addToOverhead("cpu", new Quantity("1"))
                .addNewTopologySpreadConstraint()
                .withMaxSkew(1)
                .withTopologyKey("zone")
                .withWhenUnsatisfiable("DoNotSchedule")
                .withNewLabelSelector()
                .addToMatchLabels("a", "b")
                .endLabelSelector()
                .endTopologySpreadConstraint()
                .addNewVolume()
                .withName("v")
                .withNewPersistentVolumeClaim("claim", false)
                .endVolume()
                .endSpec()
                .build();
        HostileJson.forEach(
                json(rich),
                variant -> read(variant, Pod.class).ifPresent(hostile -> {
                    Map<String, String> placed = decide(
                            "t9k",
                            variant.what(),
                            new Change.NodePut(Manifests.t9kNode("good", "xgn", 4)),
                            new Change.PodPut(hostile),
                            new Change.PodPut(pod("p", T9kDialect.GPU, 2)));
                    assertThat(placed).as(variant.what()).containsEntry("p", "good");
                }));
    }

    private static Pod running(String grant) {
        return new PodBuilder(pod("runs", T9kDialect.GPU, 1))
                .editMetadata()
                .addToAnnotations(GRANT, grant)
                .endMetadata()
                .editSpec()
                .withNodeName("good")
                .endSpec()
                .withNewStatus()
                .withPhase("Running")
                .endStatus()
                .build();
    }

    private static String grant() {
        return "{\"version\":1,\"node\":\"good\",\"containers\":{\"main\":{\"gpus\":[\"good-gpu-0\"]}}}";
    }

    private static boolean isThere(Pod pod) {
        return pod.getSpec() != null
                && "good".equals(pod.getSpec().getNodeName())
                && (pod.getStatus() == null
                        || !PodLives.ENDED.contains(
                                String.valueOf(pod.getStatus().getPhase())));
    }

    /** Who asks for no GPU holds none. */
    private static boolean asksForGpus(Pod pod) {
        return pod.getSpec().getContainers() != null
                && pod.getSpec().getContainers().stream()
                        .map(Container::getResources)
                        .filter(Objects::nonNull)
                        .flatMap(resources -> Stream.of(resources.getLimits(), resources.getRequests()))
                        .filter(Objects::nonNull)
                        .anyMatch(amounts -> amounts.containsKey(T9kDialect.GPU));
    }

    private static void assertNotGivenOut(String what, Pod hostile) {
        Map<String, String> placed = decide(
                "t9k",
                what,
                new Change.NodePut(Manifests.t9kNode("good", "xgn", 2)),
                new Change.PodPut(hostile),
                new Change.PodPut(pod("p", T9kDialect.GPU, 2)));
        assertThat(placed.containsKey("p")).as(what).isEqualTo(!isThere(hostile) || !asksForGpus(hostile));
    }

    @Test
    void theGpuOfAHostilePodThatRuns_isNotGivenOut() {
        HostileJson.forEach(
                json(running(grant())),
                variant -> read(variant, Pod.class).ifPresent(pod -> assertNotGivenOut(variant.what(), pod)));
    }

    @Test
    void theGpuOfAPodWithAHostileGrant_isNotGivenOut() {
        HostileJson.forEach(
                HostileJson.json(grant()),
                variant ->
                        assertNotGivenOut(variant.what(), running(variant.json().toString())));
        for (String text : List.of("", " ", "null", "[", "{", "x", "{\"version\":1}", "\u0001", "[".repeat(10_000))) {
            assertNotGivenOut(text, running(text));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aHostileGroup_isReadAsAProblem_orAsAGroup(GroupVocabulary vocabulary) {
        JsonNode good = HostileJson.json("{'apiVersion':'" + vocabulary.apiVersion() + "','kind':'PodGroup',"
                + "'metadata':{'name':'g','namespace':'default','uid':'u','resourceVersion':'1','annotations':{"
                + "'gpu-sched.io/within':'rack'}},'spec':{'schedulingPolicy':{'gang':{'minCount':2}},"
                + "'schedulingConstraints':{'topology':[{'key':'zone'}]},'minMember':2,'minTaskMember':{'a':1},"
                + "'networkTopology':{'mode':'hard','highestTierAllowed':2},'priority':5,'priorityClassName':'x',"
                + "'roles':[{'name':'a','minMember':1}]},'status':{'phase':'Pending','conditions':[{'type':'t',"
                + "'status':'True'}]}}");
        HostileJson.forEach(
                good,
                variant -> read(variant, GenericKubernetesResource.class)
                        .filter(group -> group.getMetadata().getNamespace() != null)
                        .ifPresent(group -> {
                            Change put = put(variant.what(), vocabulary, group);
                            assertThat(decide(
                                            "t9k",
                                            variant.what(),
                                            new Change.NodePut(Manifests.t9kNode("good", "xgn", 4)),
                                            put,
                                            new Change.PodPut(pod("p", T9kDialect.GPU, 2))))
                                    .as(variant.what())
                                    .containsEntry("p", "good");
                        }));
    }

    private static Change put(String what, GroupVocabulary vocabulary, GenericKubernetesResource group) {
        try {
            return new Change.GroupPut(
                    vocabulary.read(group),
                    GroupVocabulary.status(group),
                    Objects.requireNonNullElse(group.getMetadata().getResourceVersion(), ""));
        } catch (RuntimeException e) {
            throw new AssertionError(what, e);
        }
    }
}
