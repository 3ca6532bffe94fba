package io.gpusched.kubernetes.write;

import io.gpusched.kubernetes.decide.PendingPod;
import io.gpusched.kubernetes.decide.PendingReason;
import io.gpusched.kubernetes.decide.Refusal;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Says on pending pods why they are pending: the condition {@code PodScheduled} and an event, written when the words change,
 * for one pod at most once in an interval, and only if it still waits after a second. The amounts in the words change whenever
 * anyone comes or leaves, so what is said again is said {@value #MOST_AGAIN} times a second of all pods together. Thread-safe.
 */
public final class StatusWriter {
    private static final String TYPE = "PodScheduled";

    /** How long to wait before the first words, if the interval is not shorter: the pod may be bound by then. */
    private static final long FIRST_MILLIS = 1_000;

    /** How often words may change in a second, all pods together. */
    private static final int MOST_AGAIN = 20;

    private final ApiWriter writer;
    private final EventWriter events;
    private final long intervalMillis;

    /** What was written on each pod that waits, by its identity; without words before the first. */
    private final Map<String, PendingWords> said = new ConcurrentHashMap<>();

    /**
     * Creates it.
     *
     * @param intervalMillis how long to wait after a write before the same pod is written again
     */
    public StatusWriter(ApiWriter writer, EventWriter events, long intervalMillis) {
        this.writer = writer;
        this.events = events;
        this.intervalMillis = intervalMillis;
    }

    private record Key(String pod) {}

    /** Says why a pod is pending, in the background. */
    public void write(Refusal refusal) {
        String uid = refusal.pod().uid();
        PendingWords before = said.putIfAbsent(uid, new PendingWords(refusal.pod(), refusal.reason(), ""));
        boolean isFirst = before == null || before.message().isEmpty();
        writer.put(Lane.STATUSES, new Key(uid), isFirst ? firstMillis(refusal) : 0, new Say(refusal));
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
        writer.forget(new Key(uid));
        said.remove(uid);
    }

    /** Returns what is said of the pods that wait, by namespace and name. O(n log n) */
    public List<PendingWords> pending() {
        return said.values().stream()
                .filter(words -> !words.message().isEmpty())
                .sorted(Comparator.comparing(words -> words.pod().id()))
                .toList();
    }

    private final class Say implements Write {
        private final Refusal refusal;
        private boolean isNew;

        Say(Refusal refusal) {
            this.refusal = refusal;
        }

        @Override
        public @Nullable Write run() {
            PendingPod pod = refusal.pod();
            String message = refusal.message().get();
            PendingWords before = said.get(pod.uid());
            isNew = before == null || !message.equals(before.message());
            if (isNew) {
                say(pod, message);
                said.replace(pod.uid(), new PendingWords(pod, refusal.reason(), message));
            }
            return null;
        }

        @Override
        public long pauseMillis() {
            return isNew ? StatusWriter.pauseMillis(intervalMillis, said.size()) : 0;
        }
    }

    private void say(PendingPod pod, String message) {
        PodConditions.Words words = new PodConditions.Words("False", "Unschedulable", message);
        if (!words.equals(PodConditions.of(pod, TYPE))) {
            writer.requests()
                    .patchPod(
                            pod.id(),
                            pod.uid(),
                            Map.of(),
                            Map.of("conditions", List.of(PodConditions.condition(pod, TYPE, words, Instant.now()))));
        }
        events.write(EventSubject.of(pod.object()), "Warning", "FailedScheduling", message);
    }
}
