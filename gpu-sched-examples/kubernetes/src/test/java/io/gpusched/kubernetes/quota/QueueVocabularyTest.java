package io.gpusched.kubernetes.quota;

import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.workload.Queue;
import io.gpusched.workload.QueueResource;
import io.gpusched.workload.QueueTree;
import io.gpusched.workload.Quota;
import io.gpusched.workload.Shape;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Queue objects as people have them, read into the library's. */
class QueueVocabularyTest {
    private static QueueSpec read(QueueVocabulary vocabulary, Map<String, ?> spec) {
        return vocabulary.read(queue(vocabulary, "q", spec));
    }

    @Test
    void ourOwn_hasTheUnion_andDeservesNothingOfWhatIsNotNamed() {
        QueueSpec spec = read(
                QueueVocabulary.GPU_SCHED,
                Map.of(
                        "parent",
                        "department",
                        "priority",
                        7,
                        "minRuntime",
                        "1h30m",
                        "resources",
                        Map.of(
                                "gpu",
                                Map.of("deserved", 4, "limit", "8", "overQuotaWeight", "0.5"),
                                "gpu/A100",
                                Map.of("limit", 2),
                                "memory",
                                Map.of("limit", "10Gi")),
                        "maxShape",
                        Map.of("cpu", "32")));
        assertThat(spec.problem()).isEmpty();
        assertThat(spec.parent()).contains("department");
        assertThat(spec.priority()).isEqualTo(7);
        assertThat(spec.minRuntimeMillis()).isEqualTo(5_400_000);
        assertThat(spec.quotas())
                .containsEntry(QueueResource.GPU, new Quota(4_000, 8_000, 500))
                .containsEntry(QueueResource.CPU, new Quota(0, Quota.UNLIMITED, 1_000))
                .containsEntry(QueueResource.MEMORY, new Quota(0, 10_240, 1_000));
        assertThat(spec.quotas().get(QueueResource.gpuModel("A100")).limit()).isEqualTo(2_000);
        assertThat(spec.refusal(Map.of(), Map.of("cpu", BigDecimal.valueOf(33))))
                .isEqualTo("queue \"q\": a job may request at most 32 of cpu, got 33");
        assertThat(spec.unhonoured()).isEmpty();
    }

    @Test
    void volcanos_weighsWhereNothingIsDeserved_andNamesWhatIsNotHonoured() {
        QueueSpec spec = read(
                QueueVocabulary.VOLCANO,
                Map.of(
                        "parent",
                        "root",
                        "weight",
                        3,
                        "reclaimable",
                        false,
                        "dequeueStrategy",
                        "fifo",
                        "guarantee",
                        Map.of("resource", Map.of("nvidia.com/gpu", "2")),
                        "capability",
                        Map.of("cpu", "64", "nvidia.com/gpu", 8)));
        assertThat(spec.parent()).isEmpty();
        assertThat(spec.preemptible()).isFalse();
        assertThat(spec.quotas())
                .containsEntry(QueueResource.GPU, new Quota(2_000, 8_000, 3_000))
                .containsEntry(QueueResource.CPU, new Quota(0, 64_000, 3_000));
        assertThat(spec.unhonoured())
                .containsExactlyInAnyOrder(
                        "spec.guarantee: it is deserved; nothing is kept free for it",
                        "spec.dequeueStrategy: a job that waits does not stop those behind it");
    }

    @Test
    void volcanos_isClosedByItsStatus() {
        GenericKubernetesResource object = queue(QueueVocabulary.VOLCANO, "q", Map.of());
        object.setAdditionalProperty("status", Map.of("state", "Closed"));
        assertThat(QueueVocabulary.VOLCANO.read(object).refusal(Map.of(), Map.of()))
                .isEqualTo("queue \"q\" is closed");
    }

    @Test
    void kais_countsDevicesMilliAndMegabytes_andMinusOneIsNoBound() {
        QueueSpec spec = read(
                QueueVocabulary.KAI,
                Map.of(
                        "parentQueue",
                        "top",
                        "reclaimMinRuntime",
                        "30s",
                        "preemptMinRuntime",
                        "1m",
                        "resources",
                        Map.of(
                                "gpu", Map.of("quota", 4, "limit", -1, "overQuotaWeight", 2),
                                "cpu", Map.of("quota", -1, "limit", 16_000, "overQuotaWeight", 1),
                                "memory", Map.of("quota", 1_048.576, "limit", -1, "overQuotaWeight", 1))));
        assertThat(spec.parent()).contains("top");
        assertThat(spec.minRuntimeMillis()).isEqualTo(60_000);
        assertThat(spec.quotas())
                .containsEntry(QueueResource.GPU, new Quota(4_000, Quota.UNLIMITED, 2_000))
                .containsEntry(QueueResource.CPU, new Quota(Quota.UNLIMITED, 16_000, 1_000))
                .containsEntry(QueueResource.MEMORY, new Quota(1_000, Quota.UNLIMITED, 1_000));
    }

    @Test
    void t9ks_quotaIsALimit_andDurationsAndShapesAreNamed() {
        QueueSpec spec = read(
                QueueVocabulary.T9K,
                Map.of(
                        "quota",
                        Map.of(
                                "requests",
                                Map.of(
                                        "cpu",
                                        "40",
                                        "tensorstack.dev/nvidia-gpu",
                                        "4",
                                        "tensorstack.dev/nvidia-gpu-percent",
                                        "250")),
                        "maxDuration",
                        "3w",
                        "nodeSelector",
                        Map.of("matchLabels", Map.of("pool", "a"))));
        assertThat(spec.quotas())
                .containsOnly(
                        Map.entry(QueueResource.CPU, new Quota(Quota.UNLIMITED, 40_000, 1_000)),
                        Map.entry(QueueResource.GPU, new Quota(Quota.UNLIMITED, 6_500, 1_000)));
        assertThat(spec.nodes().matches(Map.of("pool", "a"))).isTrue();
        assertThat(spec.nodes().matches(Map.of("pool", "b"))).isFalse();
        assertThat(spec.unhonoured()).containsExactly("spec.maxDuration: a job is evicted for another alone");
    }

    @Test
    void aFieldThatCannotBeRead_keepsItsPodsWaiting_andSaysSo() {
        QueueSpec spec = read(QueueVocabulary.GPU_SCHED, Map.of("minRuntime", "soon"));
        assertThat(spec.refusal(Map.of(), Map.of()))
                .isEqualTo("queue \"q\": spec.minRuntime must be a duration such as 2h45m, got \"soon\"");
    }

    @Test
    void shapes_areReadAsThoseOfAFile_andBelongToTheQueueOfTheTree() {
        QueueSpec spec = read(
                QueueVocabulary.GPU_SCHED,
                Map.of(
                        "nodeSelector",
                        Map.of("matchLabels", Map.of("pool", "a")),
                        "shapes",
                        List.of(
                                Map.of("count", 2, "level", "rack", "size", 8, "model", "H100"),
                                Map.of("count", 4, "level", "node", "model", "H100"))));
        assertThat(spec.problem()).isEmpty();
        assertThat(spec.shapes()).containsExactly(Shape.domains(2, "rack", 8, "H100"), Shape.nodes(4, "H100"));
        assertThat(spec.unhonoured())
                .containsExactly("spec.nodeSelector: cells may be on other nodes too, where no pod of it starts");
        QueueBook book = new QueueBook(QueueVocabulary.GPU_SCHED);
        book.put(spec);
        assertThat(book.tree().queue("q").orElseThrow().shapes()).isEqualTo(spec.shapes());
        assertThat(book.owners()).containsExactly(spec);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    count | 0     | spec, field shapes[0]: shape: count must be in 1..1000000, got 0
                    count | some  | spec, field shapes[0].count: must be a whole number, got "some"
                    size  | 0     | spec, field shapes[0]: shape: size must be in 1..1000000, got 0
                    level |       | spec, field shapes[0].level: must be there
                    depth | 1     | spec, field shapes[0].depth: unknown; known here are count, level, model, size
                    """)
    void aShapeThatCannotBeRead_keepsItsPodsWaiting_andSaysSo(String field, String value, String problem) {
        Map<String, Object> shape = new HashMap<>(Map.of("count", 1, "level", "node", "size", 8, "model", "H100"));
        shape.put(field, value);
        QueueSpec spec = read(QueueVocabulary.GPU_SCHED, Map.of("shapes", List.of(shape)));
        assertThat(spec.problem()).isEqualTo(problem);
        assertThat(spec.shapes()).isEmpty();
    }

    @Test
    void aTree_leavesOutQueuesWithoutTheirParent_andHasTheDefaultOne() {
        QueueBook book = new QueueBook(QueueVocabulary.GPU_SCHED);
        assertThat(book.tree().queues()).extracting(Queue::name).containsExactly("default");
        assertThat(book.tree().queue("default").orElseThrow().quotas()).isEmpty();
        book.put(named("orphan", Map.of("parent", "nobody")));
        book.put(named("one", Map.of("parent", "other")));
        book.put(named("other", Map.of("parent", "one")));
        book.put(named("top", Map.of()));
        book.put(named("part", Map.of("parent", "top")));
        QueueTree tree = book.tree();
        assertThat(tree.queues()).extracting(Queue::name).containsExactlyInAnyOrder("default", "top", "part");
        assertThat(book.refusal("part", Map.of(), Map::of)).isEmpty();
        assertThat(book.refusal("top", Map.of(), Map::of)).contains("consists of queues");
        assertThat(book.refusal("one", Map.of(), Map::of)).contains("is a part of itself");
        assertThat(book.refusal("orphan", Map.of(), Map::of)).contains("has no parent");
        assertThat(book.refusal("none", Map.of(), Map::of)).isEqualTo("queue \"none\" not found");
    }

    private static QueueSpec named(String name, Map<String, ?> spec) {
        return QueueVocabulary.GPU_SCHED.read(queue(QueueVocabulary.GPU_SCHED, name, spec));
    }

    @Test
    void aNamespaceThatIsNotSelected_mayNotUseAQueue() {
        QueueSpec spec = read(
                QueueVocabulary.GPU_SCHED,
                Map.of(
                        "namespaceSelector",
                        Map.of(
                                "matchExpressions",
                                List.of(Map.of("key", "team", "operator", "In", "values", List.of("a", "b"))))));
        assertThat(spec.refusal(Map.of("team", "b"), Map.of())).isEmpty();
        assertThat(spec.refusal(Map.of("team", "c"), Map.of())).contains("pods of this namespace");
    }

    @Test
    void pods_nameTheirQueue_andWhetherTheyMayBeEvicted_inEachVocabulary() {
        Pod pod = Manifests.pod("p", Map.of());
        Pod labelled = Manifests.labelled(pod, "gpu-sched.io/queue", "mine");
        for (QueueVocabulary vocabulary : QueueVocabulary.values()) {
            assertThat(vocabulary.queueOf(pod)).isEmpty();
            assertThat(vocabulary.queueOf(labelled)).isEqualTo("mine");
            assertThat(vocabulary.isPreemptible(pod, 0)).isTrue();
            assertThat(vocabulary.isPreemptible(Manifests.labelled(pod, "gpu-sched.io/preemptible", "false"), 0))
                    .isFalse();
        }
        assertThat(QueueVocabulary.KAI.queueOf(Manifests.labelled(pod, "kai.scheduler/queue", "k")))
                .isEqualTo("k");
        assertThat(QueueVocabulary.KAI.isPreemptible(pod, 100)).isFalse();
        assertThat(QueueVocabulary.VOLCANO.queueOf(Manifests.annotated(pod, "scheduling.volcano.sh/queue-name", "v")))
                .isEqualTo("v");
        assertThat(QueueVocabulary.T9K.queueOf(Manifests.labelled(pod, "scheduler.tensorstack.dev/queue", "t")))
                .isEqualTo("t");
    }
}
