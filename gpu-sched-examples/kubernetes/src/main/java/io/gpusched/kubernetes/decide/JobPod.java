package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.manifests.forecast.RunTime;
import io.gpusched.manifests.grant.JobRecord;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.manifests.objects.ManifestReader;
import io.gpusched.model.PodId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
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
 * @param isBound whether it has a node
 * @param started when it was bound
 * @param terms the terms under which its queue started it; nothing for one that waits, or was bound by others
 * @param isEnding whether it was deleted or evicted, and ends within {@value #LONGEST_GRACE_SECONDS} s
 * @param graceSeconds how long it may take to end
 * @param runTime how long it runs, as far as it says
 * @param requests what it requests, by resource; none where that cannot be read
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
        boolean isBound,
        OptionalLong started,
        Optional<JobRecord> terms,
        boolean isEnding,
        long graceSeconds,
        RunTime runTime,
        Map<String, BigDecimal> requests,
        Pod outline) {
    /** No pod that is evicted takes longer to end, whatever it says itself. */
    static final long LONGEST_GRACE_SECONDS = 3_600;

    /** Pods of this priority and above are of the system, and never evicted. */
    private static final int SYSTEM = 2_000_000_000;

    static JobPod of(Pod pod, int priority, QueueVocabulary vocabulary) {
        Optional<GroupKey> group = GroupVocabulary.groupOf(pod);
        PodId id = Unit.idOf(pod);
        return new JobPod(
                id,
                pod.getMetadata().getUid(),
                unit(group, id),
                vocabulary.queueOf(pod),
                priority < SYSTEM && vocabulary.isPreemptible(pod, priority),
                !"Never".equals(pod.getSpec().getPreemptionPolicy()),
                priority,
                created(pod),
                isBound(pod),
                started(pod),
                isBound(pod) ? JobRecord.of(pod) : Optional.empty(),
                pod.getMetadata().getDeletionTimestamp() != null
                        && Objects.requireNonNullElse(pod.getMetadata().getDeletionGracePeriodSeconds(), 0L)
                                <= LONGEST_GRACE_SECONDS,
                Objects.requireNonNullElse(pod.getSpec().getTerminationGracePeriodSeconds(), 0L),
                RunTime.of(pod),
                requests(pod),
                outline(pod));
    }

    private static Map<String, BigDecimal> requests(Pod pod) {
        try {
            return ManifestReader.requests(pod);
        } catch (IllegalArgumentException e) {
            return Map.of(); // that it is wrong is said of it where it is asked for
        }
    }

    /** Returns when a pod was created, in milliseconds; 0 where that is not known. */
    static long created(Pod pod) {
        return millis(pod.getMetadata().getCreationTimestamp()).orElse(0);
    }

    private static boolean isBound(Pod pod) {
        return !Objects.requireNonNullElse(pod.getSpec().getNodeName(), "").isEmpty();
    }

    /** Returns this pod, which runs, under the terms that it had when it was seen to run first. */
    JobPod asBefore(JobPod before) {
        return with(before.unit, before.queue, before.isPreemptible, before.started, before.terms);
    }

    /** Returns this pod, which is seen to run for the first time: it was not bound later than now, whatever its status says. */
    JobPod asSeen(long now) {
        long since = Math.min(now, terms.map(JobRecord::started).orElse(started.orElse(now)));
        return with(
                terms.map(one -> unit(one.group(), id)).orElse(unit),
                terms.map(JobRecord::queue).orElse(queue),
                terms.map(JobRecord::isPreemptible).orElse(isPreemptible),
                OptionalLong.of(since),
                terms);
    }

    private static Unit unit(Optional<GroupKey> group, PodId id) {
        return group.<Unit>map(Unit.Group::new).orElseGet(() -> new Unit.Single(id));
    }

    private JobPod with(Unit job, String named, boolean mayLeave, OptionalLong since, Optional<JobRecord> held) {
        return new JobPod(
                id,
                uid,
                job,
                named,
                mayLeave,
                preempts,
                priority,
                created,
                isBound,
                since,
                held,
                isEnding,
                graceSeconds,
                runTime,
                requests,
                outline);
    }

    /** Returns it as one that is evicted. */
    NominationRecord.Victim victim() {
        return new NominationRecord.Victim(
                id, uid, graceSeconds > LONGEST_GRACE_SECONDS ? Optional.of(LONGEST_GRACE_SECONDS) : Optional.empty());
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
