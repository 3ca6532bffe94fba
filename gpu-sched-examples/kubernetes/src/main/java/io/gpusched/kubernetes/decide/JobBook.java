package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.kubernetes.queue.Priorities;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The pods of this scheduler that wait, run or end, by what they are decided with. Not thread-safe. */
final class JobBook {
    private final Scope scope;
    private final Priorities priorities;
    private final QueueVocabulary vocabulary;
    private final Clock clock;
    private final Map<PodId, JobPod> pods = new HashMap<>();
    private final Map<Unit, Map<PodId, JobPod>> units = new LinkedHashMap<>();

    JobBook(Scope scope, Priorities priorities, QueueVocabulary vocabulary, Clock clock) {
        this.scope = scope;
        this.priorities = priorities;
        this.vocabulary = vocabulary;
        this.clock = clock;
    }

    /** Returns whether a pod is of this scheduler. */
    boolean isOurs(Pod pod) {
        return scope.holds(pod);
    }

    /** Takes note of a pod; returns whether it was not known. */
    boolean put(Pod pod) {
        PodId id = Unit.idOf(pod);
        JobPod before = pods.get(id);
        String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
        boolean isThere = isOurs(pod) && !PodLives.ENDED.contains(Objects.requireNonNullElse(phase, ""));
        JobPod one = isThere ? kept(before, JobPod.of(pod, priorities.of(pod), vocabulary)) : null;
        remove(id);
        if (one != null) {
            pods.put(id, one);
            units.computeIfAbsent(one.unit(), any -> new TreeMap<>()).put(id, one);
            return before == null;
        }
        return false;
    }

    /** One that runs keeps the terms under which it came to run. */
    private JobPod kept(@Nullable JobPod before, JobPod now) {
        if (!now.isBound()) {
            return now;
        }
        return before != null && before.isBound() && before.uid().equals(now.uid())
                ? now.asBefore(before)
                : now.asSeen(clock.millis());
    }

    void remove(PodId id) {
        JobPod pod = pods.remove(id);
        if (pod != null) {
            units.computeIfPresent(pod.unit(), (any, members) -> {
                members.remove(id);
                return members.isEmpty() ? null : members;
            });
        }
    }

    @Nullable
    JobPod get(PodId id) {
        return pods.get(id);
    }

    Map<Unit, Map<PodId, JobPod>> units() {
        return units;
    }

    Collection<JobPod> of(Unit unit) {
        return units.getOrDefault(unit, Map.of()).values();
    }
}
