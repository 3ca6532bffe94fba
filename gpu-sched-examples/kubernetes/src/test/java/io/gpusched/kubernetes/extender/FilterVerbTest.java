package io.gpusched.kubernetes.extender;

import static io.gpusched.kubernetes.extender.Objects.node;
import static io.gpusched.kubernetes.extender.Objects.pod;
import static io.gpusched.kubernetes.extender.Objects.running;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.FilterArguments;
import io.gpusched.kubernetes.extender.wire.FilterResult;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FilterVerbTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ClusterMirror mirror = new ClusterMirror(Objects.dialects("nano-gpu"), Clock.systemUTC());

    private FilterResult byName(Pod pod, String... names) {
        return new FilterVerb(mirror).filter(new FilterArguments(pod, Optional.of(List.of(names)), List.of()));
    }

    private FilterResult bySending(Pod pod, Node... nodes) {
        List<JsonNode> sent =
                java.util.Arrays.stream(nodes).<JsonNode>map(JSON::valueToTree).toList();
        return new FilterVerb(mirror).filter(new FilterArguments(pod, Optional.empty(), sent));
    }

    @Test
    void nodesWithRoomOnOneGpu_fit_andThoseWhereOthersAreInTheWayMayFitLater() {
        mirror.putNode(node("roomy", 2));
        mirror.putNode(node("scattered", 2));
        mirror.putPod(running(pod("a", 60), "scattered", 0));
        mirror.putPod(running(pod("b", 60), "scattered", 1));

        FilterResult result = byName(pod("p", 50), "roomy", "scattered");

        assertThat(result.nodeNames()).containsExactly("roomy");
        assertThat(result.failedNodes()).containsOnlyKeys("scattered");
        assertThat(result.failedNodes().get("scattered")).isEqualTo("no assignment of containers to single GPUs");
        assertThat(result.failedAndUnresolvableNodes()).isEmpty();
        assertThat(result.nodes()).isNull();
        assertThat(result.error()).isEmpty();
    }

    /** Not in the words for GPUs, of which all are free. */
    @Test
    void aNodeThatTakesNoMorePods_saysSo() {
        mirror.putNode(new NodeBuilder(node("full", 2))
                .editStatus()
                .addToAllocatable("pods", new Quantity("1"))
                .endStatus()
                .build());
        mirror.putPod(running(pod("a", 1), "full", 0));

        assertThat(byName(pod("p", 50), "full").failedNodes()).containsEntry("full", "Too many pods");
    }

    @Test
    void aNodeWithoutGpus_canNeverFit() {
        mirror.putNode(node("bare", 0));

        assertThat(byName(pod("p", 50), "bare").failedAndUnresolvableNodes()).containsOnlyKeys("bare");
    }

    @Test
    void twoContainersThatNeedTwoGpus_canNeverFitOnOne() {
        mirror.putNode(node("one", 1));
        Pod two = new PodBuilder(pod("p", 60))
                .editSpec()
                .addNewContainer()
                .withName("side")
                .withNewResources()
                .addToLimits(Objects.PERCENT, new Quantity("60"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        assertThat(byName(two, "one").failedAndUnresolvableNodes()).containsOnlyKeys("one");
    }

    @Test
    void aPodThatTheDialectForbids_fitsNowhere_inTheDialectsWords() {
        mirror.putNode(node("n", 2));

        FilterResult result = byName(pod("p", 130), "n");

        assertThat(result.nodeNames()).isEmpty();
        assertThat(result.failedAndUnresolvableNodes())
                .containsEntry("n", "container \"main\": nano-gpu/gpu-percent must be in 1..100, got 130");
    }

    @Test
    void aNodeThatIsNotKnown_mayFitLater() {
        assertThat(byName(pod("p", 50), "new").failedNodes()).containsOnlyKeys("new");
    }

    @Test
    void nodesSentAsAWhole_comeBackAsTheyWereSent() {
        mirror.putNode(node("n1", 1));
        mirror.putNode(node("n2", 1));
        mirror.putPod(running(pod("a", 60), "n2", 0));

        FilterResult result = bySending(pod("p", 50), node("n1", 1), node("n2", 1));

        assertThat(result.nodeNames()).isNull();
        assertThat(java.util.Objects.requireNonNull(result.nodes()).items())
                .extracting(node -> node.at("/metadata/name").asText())
                .containsExactly("n1");
        assertThat(result.failedNodes()).containsOnlyKeys("n2");
    }

    /** An autoscaler asks about nodes that do not exist. */
    @Test
    void aTemplateNode_isTakenAsItIsSent_andNotRemembered() {
        var before = mirror.cluster();

        FilterResult result = bySending(pod("p", 50), node("template-1", 1), node("template-2", 0));

        assertThat(java.util.Objects.requireNonNull(result.nodes()).items()).hasSize(1);
        assertThat(result.failedAndUnresolvableNodes()).containsOnlyKeys("template-2");
        assertThat(mirror.cluster()).isEqualTo(before);
        assertThat(byName(pod("p", 50), "template-1").nodeNames()).isEmpty();
    }

    @Test
    void filtering_reservesNothing_howeverOftenItIsAsked() {
        mirror.putNode(node("n", 1));

        for (int i = 0; i < 5; i++) {
            assertThat(byName(pod("p" + i, 100), "n").nodeNames()).containsExactly("n");
        }
    }

    /** CPU, memory, taints and labels are kube-scheduler's to judge. */
    @Test
    void whatKubeSchedulerJudges_isNotJudgedAgain() {
        Node cordoned = new NodeBuilder(node("n", 1))
                .editSpec()
                .withUnschedulable(true)
                .addNewTaint("NoSchedule", "dedicated", null, "x")
                .endSpec()
                .build();
        mirror.putNode(cordoned);
        Pod hungry = new PodBuilder(pod("p", 50))
                .editSpec()
                .addToNodeSelector("disk", "ssd")
                .editFirstContainer()
                .editResources()
                .addToRequests("cpu", new Quantity("1000"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        assertThat(byName(hungry, "n").nodeNames()).containsExactly("n");
    }

    @Test
    void aPodWhoseGpusNobodyCanTell_keepsOneFromOthers_whereItAsksForAPartOfOne() {
        mirror.putNode(node("n", 1));
        mirror.putNode(node("two", 2));
        mirror.putPod(new PodBuilder(running(pod("a", 10), "n", 0))
                .editMetadata()
                .withAnnotations(Map.of())
                .endMetadata()
                .build());

        mirror.putPod(new PodBuilder(running(pod("b", 10), "two", 0))
                .editMetadata()
                .withAnnotations(Map.of())
                .endMetadata()
                .build());

        FilterResult result = byName(pod("p", 10), "n", "two");
        assertThat(result.nodeNames()).containsExactly("two");
        assertThat(result.toString()).contains("1 GPU is held by pods without a readable grant: default/a");
    }

    @Test
    void aPodThatEnded_holdsNothing() {
        mirror.putNode(node("n", 1));
        Pod ended = new PodBuilder(running(pod("a", 100), "n", 0))
                .editStatus()
                .withPhase("Succeeded")
                .endStatus()
                .build();
        mirror.putPod(running(pod("a", 100), "n", 0));
        assertThat(byName(pod("p", 10), "n").nodeNames()).isEmpty();

        mirror.putPod(ended);

        assertThat(byName(pod("p", 10), "n").nodeNames()).containsExactly("n");
    }

    static List<Arguments> systems() {
        String registration = "GPU-1,10,16000,100,NVIDIA-T4,0,true:GPU-2,10,16000,100,NVIDIA-T4,0,true:";
        return List.of(
                Arguments.of("nano-gpu", node("n", 1), Map.of("nano-gpu/gpu-percent", "60")),
                Arguments.of(
                        "gpushare",
                        node("n", Map.of(), Map.of(), Map.of("aliyun.com/gpu-mem", "30", "aliyun.com/gpu-count", "2")),
                        Map.of("aliyun.com/gpu-mem", "15")),
                Arguments.of(
                        "hami",
                        node(
                                "n",
                                Map.of(),
                                Map.of("hami.io/node-nvidia-register", registration),
                                Map.of("nvidia.com/gpu", "20")),
                        Map.of("nvidia.com/gpu", "2", "nvidia.com/gpumem", "9000")),
                Arguments.of(
                        "elastic-gpu",
                        node(
                                "n",
                                Map.of(),
                                Map.of(),
                                Map.of("elasticgpu.io/gpu-core", "200", "elasticgpu.io/gpu-memory", "30000")),
                        Map.of("elasticgpu.io/gpu-core", "200")),
                Arguments.of(
                        "t9k",
                        node(
                                "n",
                                Map.of("sched.tensorstack.dev/node-alloc-mode", "sgn", "nvidia.com/gpu.count", "1"),
                                Map.of(),
                                Map.of()),
                        Map.of("tensorstack.dev/nvidia-gpu-percent", "60")));
    }

    /** The node takes the pod of each system as often as it has room, by what bind wrote for the one before. */
    @ParameterizedTest
    @MethodSource("systems")
    void eachSystem_isServedFromItsOwnResources(String dialect, Node node, Map<String, String> limits) {
        ClusterMirror own = new ClusterMirror(Objects.dialects(dialect), Clock.systemUTC());
        FakeApi api = new FakeApi();
        BindVerb bind = new BindVerb(own, api, "gpu-sched");
        own.putNode(node);
        int bound = 0;
        for (int i = 0; i < 4; i++) {
            Pod pod = api.create(pod("p" + i, limits));
            own.putPod(pod);
            FilterResult filtered =
                    new FilterVerb(own).filter(new FilterArguments(pod, Optional.of(List.of("n")), List.of()));
            boolean fits =
                    java.util.Objects.requireNonNull(filtered.nodeNames()).contains("n");
            boolean given = bind.bind(new BindingArguments(ClusterMirror.id(pod), "uid-p" + i, "n"))
                    .error()
                    .isEmpty();
            assertThat(given).isEqualTo(fits);
            bound += given ? 1 : 0;
            own.putPod(api.pods.get(ClusterMirror.id(pod)));
        }
        assertThat(bound).isEqualTo(dialect.equals("gpushare") ? 2 : 1);
    }
}
