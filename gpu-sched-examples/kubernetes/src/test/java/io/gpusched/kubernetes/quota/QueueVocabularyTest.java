package io.gpusched.kubernetes.quota;

import static io.gpusched.kubernetes.QueueObjects.queue;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.queue.JobQueue;
import io.gpusched.queue.QueueResource;
import io.gpusched.queue.QueueTree;
import io.gpusched.queue.Quota;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** JobQueue objects as people have them, read into the library's. */
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
                        "spec.dequeueStrategy: a waiting job does not stop the jobs behind it");
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
    void aTree_leavesOutQueuesWithoutTheirParent_andHasTheDefaultOne() {
        QueueBook book = new QueueBook(QueueVocabulary.GPU_SCHED);
        assertThat(book.tree().queues()).extracting(JobQueue::name).containsExactly("default");
        assertThat(book.tree().queue("default").orElseThrow().quotas()).isEmpty();
        book.put(named("orphan", Map.of("parent", "nobody")));
        book.put(named("one", Map.of("parent", "other")));
        book.put(named("other", Map.of("parent", "one")));
        book.put(named("top", Map.of()));
        book.put(named("part", Map.of("parent", "top")));
        QueueTree tree = book.tree();
        assertThat(tree.queues()).extracting(JobQueue::name).containsExactlyInAnyOrder("default", "top", "part");
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
            assertThat(vocabulary.queueOf(labelled)).isEqualTo(vocabulary == QueueVocabulary.NONE ? "" : "mine");
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
