package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.decide.ToldStart;
import io.gpusched.manifests.forecast.Start;
import io.gpusched.manifests.grant.PromiseRecord;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells pods that wait when they are to start: the condition {@value PromiseRecord#CONDITION}, with a promise the annotation that keeps it
 * over a restart, and an event. They are written when they change, for the pods of one job together and at most once a minute; so is a
 * write again that failed. To be called by one thread.
 */
public final class StartWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StartWriter.class);
    private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);

    /** How long what was told stays at least. */
    private static final long PAUSE_MILLIS = 60_000;

    private static final int THREADS = 2;

    /** What the pods of a job were told last. */
    private static final class Told {
        /** By the identity of the pod. */
        final Map<String, Words> words = new ConcurrentHashMap<>();

        long at = Long.MIN_VALUE / 2;
    }

    /**
     * What a pod is told.
     *
     * @param promise the text of the annotation; empty for none
     */
    private record Words(String status, String reason, String message, String promise) {
        static Words of(Start start, Optional<String> promise) {
            return switch (start.certainty()) {
                case BOUND, NOW -> new Words("True", PromiseRecord.PROMISED, start.toString(), promise.orElse(""));
                case ESTIMATE -> new Words("True", "Estimated", start.toString(), "");
                case UNKNOWN -> new Words("Unknown", "Unknown", start.toString(), "");
            };
        }
    }

    private final KubernetesClient client;
    private final EventWriter events;
    private final BooleanSupplier mayWrite;
    private final Clock clock;
    private final Map<String, Told> byJob = new HashMap<>();
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("starts"));

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write
     * @param clock the time by which a minute is over
     */
    public StartWriter(KubernetesClient client, EventWriter events, BooleanSupplier mayWrite, Clock clock) {
        this.client = client;
        this.events = events;
        this.mayWrite = mayWrite;
        this.clock = clock;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Tells all jobs that wait when they are to start, in the background; others are forgotten. */
    public void write(Collection<ToldStart> starts) {
        byJob.keySet().retainAll(starts.stream().map(ToldStart::job).collect(Collectors.toSet()));
        if (threads.getQueue().isEmpty()) { // else the last ones are still being written
            starts.forEach(this::write);
        }
    }

    private void write(ToldStart start) {
        Told told = byJob.computeIfAbsent(start.job(), job -> new Told());
        Map<PendingPod, Words> changed = new LinkedHashMap<>();
        for (ToldStart.Member member : start.members()) {
            Words words = Words.of(start.start(), member.promise());
            Words known = told.words.computeIfAbsent(member.pod().uid(), uid -> read(member.pod()));
            if (!words.equals(known)) {
                changed.put(member.pod(), words);
            }
        }
        long now = clock.millis();
        if (changed.isEmpty() || now - told.at < PAUSE_MILLIS) {
            return;
        }
        told.at = now;
        told.words.keySet().retainAll(uids(start));
        changed.forEach((pod, words) -> {
            told.words.put(pod.uid(), words);
            threads.execute(() -> write(pod, words, told));
        });
    }

    private static Set<String> uids(ToldStart start) {
        return start.members().stream().map(member -> member.pod().uid()).collect(Collectors.toSet());
    }

    /** What a pod says already, as another scheduler wrote it. */
    private static Words read(PendingPod pod) {
        PodCondition condition = condition(pod);
        String promise = Objects.requireNonNullElse(
                        pod.object().getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(PromiseRecord.ANNOTATION, "");
        return condition == null
                ? new Words("", "", "", promise)
                : new Words(
                        condition.getStatus(),
                        Objects.requireNonNullElse(condition.getReason(), ""),
                        Objects.requireNonNullElse(condition.getMessage(), ""),
                        promise);
    }

    private static @Nullable PodCondition condition(PendingPod pod) {
        return pod.object().getStatus() == null
                ? null
                : pod.object().getStatus().getConditions().stream()
                        .filter(one -> PromiseRecord.CONDITION.equals(one.getType()))
                        .findFirst()
                        .orElse(null);
    }

    private void write(PendingPod pod, Words words, Told told) {
        if (!mayWrite.getAsBoolean()) {
            return;
        }
        try {
            client.pods()
                    .inNamespace(pod.id().namespace())
                    .withName(pod.id().name())
                    .subresource("status")
                    .patch(STRATEGIC, patch(pod, words));
            events.write(EventSubject.of(pod.object()), "Normal", "ExpectedStart", words.message());
        } catch (KubernetesClientException e) {
            told.words.remove(pod.uid(), words);
            LOG.atDebug()
                    .addKeyValue("pod", pod.id())
                    .addKeyValue("status", e.getCode())
                    .log("start not announced");
        }
    }

    private String patch(PendingPod pod, Words words) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", PromiseRecord.CONDITION);
        condition.put("status", words.status());
        condition.put("reason", words.reason());
        condition.put("message", words.message());
        PodCondition before = condition(pod);
        if (before == null || !words.status().equals(before.getStatus())) {
            condition.put(
                    "lastTransitionTime",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("uid", pod.uid());
        // a null takes it away
        metadata.put(
                "annotations",
                Collections.singletonMap(
                        PromiseRecord.ANNOTATION, words.promise().isEmpty() ? null : words.promise()));
        return client.getKubernetesSerialization()
                .asJson(Map.of("metadata", metadata, "status", Map.of("conditions", List.of(condition))));
    }

    /** Lets what was told be written, at most 5 s. */
    @Override
    public void close() {
        Daemons.stop(threads, 5);
    }
}
