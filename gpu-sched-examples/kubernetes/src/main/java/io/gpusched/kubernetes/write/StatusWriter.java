package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.decide.Refusal;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on pending pods why they are pending: the condition {@code PodScheduled} and an event, written when the words change,
 * for one pod at most once in an interval, and only if it still waits after a second. The amounts in the words change whenever
 * anyone comes or leaves, so what is said again is said {@value #MOST_AGAIN} times a second of all pods together. A write that
 * fails is tried again. Thread-safe.
 */
public final class StatusWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StatusWriter.class);
    private static final PatchContext STRATEGIC = PatchContext.of(PatchType.STRATEGIC_MERGE);

    /** How long to wait before the first words, if the interval is not shorter: the pod may be bound by then. */
    private static final long FIRST_MILLIS = 1_000;

    /** How often words may change in a second, all pods together. */
    private static final int MOST_AGAIN = 20;

    private static final class Words {
        @Nullable
        Refusal next;

        volatile @Nullable PendingWords said;
        long writtenAt;

        /** The write that is to come, or the last one. */
        @Nullable
        ScheduledFuture<?> write;

        boolean scheduled;

        /** Whether what was said last is still to be written, because the server failed. */
        boolean failed;
    }

    private final KubernetesClient client;
    private final EventWriter events;
    private final BooleanSupplier mayWrite;
    private final long intervalMillis;
    private final Map<String, Words> byPod = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor threads;

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write
     * @param intervalMillis how long to wait after a write before the same pod is written again
     */
    public StatusWriter(KubernetesClient client, EventWriter events, BooleanSupplier mayWrite, long intervalMillis) {
        this.client = client;
        this.events = events;
        this.mayWrite = mayWrite;
        this.intervalMillis = intervalMillis;
        this.threads = new ScheduledThreadPoolExecutor(2, Daemons.named("status"));
        threads.setRemoveOnCancelPolicy(true);
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Says why a pod is pending, in the background. */
    public void write(Refusal refusal) {
        Words words = byPod.computeIfAbsent(refusal.pod().uid(), uid -> new Words());
        synchronized (words) {
            schedule(words, refusal);
        }
    }

    private void schedule(Words words, Refusal refusal) {
        words.next = refusal;
        if (!words.scheduled && !threads.isShutdown()) {
            words.scheduled = true;
            long since = System.nanoTime() / 1_000_000 - words.writtenAt;
            long pause = pauseMillis(intervalMillis, byPod.size());
            long delay = words.said != null ? Math.max(0, pause - since) : firstMillis(refusal);
            words.write = threads.schedule(() -> write(words), delay, TimeUnit.MILLISECONDS);
        }
    }

    /**
     * A large group takes seconds to arrive. What is written on its first pods meanwhile changes their version, and so stands
     * in the way of their bindings.
     */
    private long firstMillis(Refusal refusal) {
        if (refusal.reason() == PendingReason.PROVISIONING) {
            return 0;
        }
        return refusal.reason() == PendingReason.GROUP ? intervalMillis : Math.min(intervalMillis, FIRST_MILLIS);
    }

    /** How long the words on one pod stay at least, if so many have words: of 10,000 pods 500 s. */
    static long pauseMillis(long intervalMillis, int pods) {
        return Math.max(intervalMillis, pods * 1_000L / MOST_AGAIN);
    }

    /** Forgets a pod that is no longer pending. */
    public void forget(String uid) {
        Words words = byPod.remove(uid);
        if (words != null) {
            synchronized (words) {
                words.next = null;
                if (words.write != null) {
                    words.write.cancel(false);
                }
            }
        }
    }

    /** Returns what is said of the pods that wait, by namespace and name. O(n log n) */
    public List<PendingWords> pending() {
        return byPod.values().stream()
                .map(words -> words.said)
                .filter(Objects::nonNull)
                .sorted(Comparator.comparing(words -> words.pod().id()))
                .toList();
    }

    private void write(Words words) {
        Refusal refusal;
        synchronized (words) {
            refusal = words.next;
            words.next = null;
            words.scheduled = false;
        }
        if (refusal == null || !mayWrite.getAsBoolean()) {
            return;
        }
        try {
            String message = refusal.message().get();
            PendingWords said = words.said;
            if (said == null || words.failed || !message.equals(said.message())) {
                words.failed = false;
                words.said = new PendingWords(refusal.pod(), refusal.reason(), message);
                words.writtenAt = System.nanoTime() / 1_000_000;
                write(refusal.pod(), message);
            }
        } catch (KubernetesClientException e) {
            LOG.atDebug()
                    .addKeyValue("pod", refusal.pod().id())
                    .addKeyValue("status", e.getCode())
                    .log("condition not written");
            if (Answers.isPassing(e)) {
                again(words, refusal);
            }
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("pod", refusal.pod().id()).setCause(e).log("no diagnosis");
        }
    }

    /** What was refused since then is newer, and a pod that was forgotten does not wait any more. */
    private void again(Words words, Refusal refusal) {
        synchronized (words) {
            words.failed = true;
            if (words.next == null && byPod.get(refusal.pod().uid()) == words) {
                schedule(words, refusal);
            }
        }
    }

    private void write(PendingPod pod, String message) {
        PodCondition before = condition(pod);
        boolean same = before != null
                && "False".equals(before.getStatus())
                && "Unschedulable".equals(before.getReason())
                && message.equals(before.getMessage());
        if (!same) {
            client.pods()
                    .inNamespace(pod.id().namespace())
                    .withName(pod.id().name())
                    .subresource("status")
                    .patch(STRATEGIC, patch(pod, message, before));
        }
        events.write(EventSubject.of(pod.object()), "Warning", "FailedScheduling", message);
    }

    private static @Nullable PodCondition condition(PendingPod pod) {
        return pod.object().getStatus() == null
                ? null
                : pod.object().getStatus().getConditions().stream()
                        .filter(condition -> "PodScheduled".equals(condition.getType()))
                        .findFirst()
                        .orElse(null);
    }

    private String patch(PendingPod pod, String message, @Nullable PodCondition before) {
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", "PodScheduled");
        condition.put("status", "False");
        condition.put("reason", "Unschedulable");
        condition.put("message", message);
        if (before == null || !"False".equals(before.getStatus())) {
            condition.put(
                    "lastTransitionTime",
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        return client.getKubernetesSerialization()
                .asJson(Map.of(
                        "metadata", Map.of("uid", pod.uid()), "status", Map.of("conditions", List.of(condition))));
    }

    /** Drops what has not been written yet. */
    @Override
    public void close() {
        Daemons.stop(threads, 5);
    }
}
