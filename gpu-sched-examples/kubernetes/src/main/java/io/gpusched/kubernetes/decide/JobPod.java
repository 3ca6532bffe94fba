package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.gpusched.kubernetes.group.GroupKey;
import io.gpusched.kubernetes.group.GroupVocabulary;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.model.PodId;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What queues have to know of a pod of this scheduler that has not ended.
 *
 * @param id its name
 * @param uid its identity
 * @param unit what it is decided with
 * @param queue the queue that it names itself; empty for none
 * @param isPreemptible whether it may be evicted for others, by what it says itself
 * @param preempts whether others may be evicted for it
 * @param priority its priority
 * @param created when it was created, in milliseconds
 * @param started when it was bound
 * @param isEnding whether it was deleted or evicted
 * @param outline its name and labels alone
 */
record JobPod(
        PodId id,
        String uid,
        Unit unit,
        String queue,
        boolean isPreemptible,
        boolean preempts,
        int priority,
        long created,
        OptionalLong started,
        boolean isEnding,
        Pod outline) {
    /** Pods of this priority and above are of the system, and evicted for nobody. */
    private static final int SYSTEM = 2_000_000_000;

    static JobPod of(Pod pod, int priority, QueueVocabulary vocabulary) {
        Optional<GroupKey> group = GroupVocabulary.groupOf(pod);
        PodId id = Unit.idOf(pod);
        return new JobPod(
                id,
                pod.getMetadata().getUid(),
                group.<Unit>map(Unit.Group::new).orElseGet(() -> new Unit.Single(id)),
                vocabulary.queueOf(pod),
                priority < SYSTEM && vocabulary.isPreemptible(pod, priority),
                !"Never".equals(pod.getSpec().getPreemptionPolicy()),
                priority,
                millis(pod.getMetadata().getCreationTimestamp()).orElse(0),
                started(pod),
                pod.getMetadata().getDeletionTimestamp() != null,
                outline(pod));
    }

    private static OptionalLong started(Pod pod) {
        if (pod.getStatus() == null) {
            return OptionalLong.empty();
        }
        return pod.getStatus().getConditions().stream()
                .filter(one -> "PodScheduled".equals(one.getType()) && "True".equals(one.getStatus()))
                .map(PodCondition::getLastTransitionTime)
                .map(JobPod::millis)
                .findFirst()
                .orElse(OptionalLong.empty());
    }

    private static OptionalLong millis(@org.jspecify.annotations.Nullable String time) {
        try {
            return time == null || time.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(Instant.parse(time).toEpochMilli());
        } catch (DateTimeParseException e) {
            return OptionalLong.empty();
        }
    }

    private static Pod outline(Pod pod) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace(Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE))
                .withName(pod.getMetadata().getName())
                .withLabels(pod.getMetadata().getLabels())
                .endMetadata()
                .build();
    }
}
