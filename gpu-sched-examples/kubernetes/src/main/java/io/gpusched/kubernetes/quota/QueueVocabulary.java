package io.gpusched.kubernetes.quota;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The APIs of queue objects that a cluster may have, and how a pod says in which it is. */
public enum QueueVocabulary {
    /** Our own, with the union of what the others have. */
    GPU_SCHED("gpu-sched", "gpu-sched.io", "v1alpha1", "default"),
    /** Volcano's; a pod names its queue by annotation {@code scheduling.volcano.sh/queue-name}, a group in its spec. */
    VOLCANO("volcano", "scheduling.volcano.sh", "v1beta1", "default"),
    /** KAI's; label {@code kai.scheduler/queue}. */
    KAI("kai", "scheduling.run.ai", "v2", "default-queue"),
    /** T9k's; label {@code scheduler.tensorstack.dev/queue}, a group in its spec. */
    T9K("t9k", "scheduler.tensorstack.dev", "v1beta1", "default"),
    /** No queue objects: all pods are in one queue without limits, whatever queue they name. */
    NONE("none", "", "", "default");

    /** Label of pods and groups, with any vocabulary: the name of the queue. */
    public static final String QUEUE = "gpu-sched.io/queue";

    /** Label of pods, with any vocabulary: {@code false} for one that is never evicted. */
    public static final String PREEMPTIBLE = "gpu-sched.io/preemptible";

    /** KAI's pods of this priority and above are never evicted, unless they say otherwise. */
    private static final int KAI_NON_PREEMPTIBLE = 100;

    private final String word;
    private final String apiGroup;
    private final String version;
    private final String defaultQueue;

    QueueVocabulary(String word, String apiGroup, String version, String defaultQueue) {
        this.word = word;
        this.apiGroup = apiGroup;
        this.version = version;
        this.defaultQueue = defaultQueue;
    }

    /** Returns the vocabulary of a name such as {@code volcano}. */
    public static Optional<QueueVocabulary> find(String name) {
        return Arrays.stream(values()).filter(one -> one.word.equals(name)).findFirst();
    }

    /** Returns its name, such as {@code volcano}. */
    public String word() {
        return word;
    }

    /** Returns the group and version of the API. */
    public String apiVersion() {
        return apiGroup + "/" + version;
    }

    /** Returns the queue of pods that name none. */
    public String defaultQueue() {
        return defaultQueue;
    }

    /** Returns how a client finds the queue objects. */
    public ResourceDefinitionContext context() {
        return new ResourceDefinitionContext.Builder()
                .withGroup(apiGroup)
                .withVersion(version)
                .withKind("Queue")
                .withPlural("queues")
                .withNamespaced(false)
                .build();
    }

    /** Returns whether the status of its objects has conditions that others may add to. */
    public boolean hasConditions() {
        return this != VOLCANO;
    }

    /** Returns the queue that a pod names itself; empty if it names none. */
    public String queueOf(Pod pod) {
        Map<String, String> labels =
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        String theirs = switch (this) {
            case GPU_SCHED, NONE -> "";
            case VOLCANO -> annotations.getOrDefault("scheduling.volcano.sh/queue-name", "");
            case KAI -> labels.getOrDefault("kai.scheduler/queue", "");
            case T9K -> labels.getOrDefault("scheduler.tensorstack.dev/queue", "");
        };
        return this == NONE ? "" : labels.getOrDefault(QUEUE, theirs);
    }

    /** Returns whether a pod may be evicted for others, by what it says itself. */
    public boolean isPreemptible(Pod pod, int priority) {
        Map<String, String> labels =
                Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of());
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        boolean theirs = switch (this) {
            case VOLCANO -> !"false".equals(annotations.get("volcano.sh/preemptable"));
            case KAI -> {
                String stated = labels.getOrDefault("kai.scheduler/preemptibility", "");
                yield stated.isEmpty() ? priority < KAI_NON_PREEMPTIBLE : stated.equals("preemptible");
            }
            default -> true;
        };
        return theirs && !"false".equals(labels.get(PREEMPTIBLE));
    }

    /** Returns what a queue object says. What cannot be read is its {@link QueueSpec#problem}. */
    public QueueSpec read(GenericKubernetesResource object) {
        return new QueueFields(this, object).read();
    }
}
