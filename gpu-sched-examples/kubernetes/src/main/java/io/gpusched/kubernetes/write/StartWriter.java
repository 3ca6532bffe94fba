package io.gpusched.kubernetes.write;

import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.decide.ToldStart;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.manifests.grant.PromiseRecord;
import java.time.Clock;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Tells pods that wait when they are to start: the condition {@value PromiseRecord#CONDITION}, with a promise the annotation that keeps it
 * over a restart, and an event. They are written when they change, for the pods of one job together and at most once a minute. To be called by one thread.
 */
public final class StartWriter {
    /** How long what was told stays at least. */
    private static final long PAUSE_MILLIS = 60_000;

    /**
     * What a pod is told.
     *
     * @param promise the text of the annotation; empty for none
     */
    private record Words(PodConditions.Words condition, String promise) {
        static Words of(Start start, Optional<String> promise) {
            String text = start.toString();
            return switch (start.certainty()) {
                case BOUND, NOW ->
                    new Words(new PodConditions.Words("True", PromiseRecord.PROMISED, text), promise.orElse(""));
                case ESTIMATE -> new Words(new PodConditions.Words("True", "Estimated", text), "");
                case UNKNOWN -> new Words(new PodConditions.Words("Unknown", "Unknown", text), "");
            };
        }
    }

    private final ApiWriter writer;
    private final EventWriter events;
    private final Clock clock;
    /** When each job that waits was told something last, by the clock. */
    private final Map<String, Long> toldAt = new ConcurrentHashMap<>();

    /** What was written on each pod, by its identity. */
    private final Map<String, Words> told = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param clock the times of conditions, by which a minute is over
     */
    public StartWriter(ApiWriter writer, EventWriter events, Clock clock) {
        this.writer = writer;
        this.events = events;
        this.clock = clock;
    }

    private record Key(String job) {}

    /** Tells all jobs that wait when they are to start, in the background; others are forgotten. */
    public void write(Collection<ToldStart> starts) {
        long now = clock.millis();
        Set<String> jobs = new HashSet<>();
        Set<String> pods = new HashSet<>();
        for (ToldStart start : starts) {
            jobs.add(start.job());
            start.members().forEach(member -> pods.add(member.pod().uid()));
            if (now - toldAt.computeIfAbsent(start.job(), job -> now - PAUSE_MILLIS) >= PAUSE_MILLIS) {
                writer.put(Lane.STATUSES, new Key(start.job()), 0, new Tell(start));
            }
        }
        for (String job : List.copyOf(toldAt.keySet())) {
            if (!jobs.contains(job)) {
                toldAt.remove(job);
                writer.forget(new Key(job));
            }
        }
        told.keySet().retainAll(pods);
    }

    /** Tells one pod after the other. */
    private final class Tell implements Write {
        private final ToldStart start;

        Tell(ToldStart start) {
            this.start = start;
        }

        @Override
        public @Nullable Write run() {
            for (ToldStart.Member member : start.members()) {
                PendingPod pod = member.pod();
                Words words = Words.of(start.start(), member.promise());
                if (!words.equals(told.computeIfAbsent(pod.uid(), uid -> read(pod)))) {
                    toldAt.replace(start.job(), clock.millis());
                    tell(pod, words);
                    told.put(pod.uid(), words);
                    return this;
                }
            }
            return null;
        }
    }

    /** What a pod says already, as another scheduler wrote it. */
    private static Words read(PendingPod pod) {
        return new Words(
                PodConditions.of(pod, PromiseRecord.CONDITION),
                Objects.requireNonNullElse(pod.object().getMetadata().getAnnotations(), Map.<String, String>of())
                        .getOrDefault(PromiseRecord.ANNOTATION, ""));
    }

    private void tell(PendingPod pod, Words words) {
        writer.requests()
                .patchPod(
                        pod.id(),
                        pod.uid(),
                        Collections.singletonMap(
                                PromiseRecord.ANNOTATION, words.promise().isEmpty() ? null : words.promise()),
                        Map.of(
                                "conditions",
                                List.of(PodConditions.condition(
                                        pod, PromiseRecord.CONDITION, words.condition(), clock.instant()))));
        events.write(
                EventSubject.of(pod.object()),
                "Normal",
                "ExpectedStart",
                words.condition().message());
    }
}
