package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes events. What is said again of the same subject becomes a count in the first event, which is written at most once in
 * five minutes. Events are words for people: when more are to be written than the server takes, they are left out. Thread-safe.
 */
public final class EventWriter {
    private static final int MOST_WAITING = 10_000;
    private static final int MOST_ATTEMPTS = 3;
    private static final int CONFLICT = 409;
    private static final int MOST_REMEMBERED = 20_000;
    private static final int LONGEST_NOTE = 1_024;
    private static final long SERIES_MILLIS = TimeUnit.MINUTES.toMillis(5);
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private record Key(EventSubject subject, String reason, String note) {}

    private static final class Series {
        final String name;
        int count = 1;
        long writtenAt;

        Series(String name, long writtenAt) {
            this.name = name;
            this.writtenAt = writtenAt;
        }
    }

    private final ApiWriter writer;
    private final String controller;
    private final String instance;
    private final Map<Key, Series> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Series> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * Creates it.
     *
     * @param controller the reporting controller, such as {@code gpu-sched}
     * @param instance which process of it
     */
    public EventWriter(ApiWriter writer, String controller, String instance) {
        this.writer = writer;
        this.controller = controller;
        this.instance = instance;
    }

    /**
     * Writes an event in the background.
     *
     * @param type {@code Normal} or {@code Warning}
     * @param reason one word
     * @param note the words; what is longer than {@value #LONGEST_NOTE} characters is cut
     */
    public void write(EventSubject subject, String type, String reason, String note) {
        if (writer.size(Lane.EVENTS) < MOST_WAITING) {
            String cut = note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE - 3) + "...";
            Key key = new Key(subject, reason, cut);
            due(key).ifPresent(due -> writer.put(Lane.EVENTS, key, 0, new Said(key, type, due)));
        }
    }

    /** What is to be written of a series: the event the first time, later how often it was said. */
    private record Due(String name, int count) {}

    private final class Said implements Write {
        private final Key key;
        private final String type;
        private final Due due;

        Said(Key key, String type, Due due) {
            this.key = key;
            this.type = type;
            this.due = due;
        }

        @Override
        public @Nullable Write run() {
            String path = "/apis/events.k8s.io/v1/namespaces/" + key.subject().eventNamespace() + "/events";
            if (due.count() == 1) {
                writer.requests().post(path, event(key, type, due.name()));
            } else {
                Map<String, Object> series = Map.of("count", due.count(), "lastObservedTime", time());
                writer.requests().patch(path + "/" + due.name(), ApiWrites.MERGE, Map.of("series", series));
            }
            return null;
        }

        /** A series that is not there is begun again when it is said again. */
        @Override
        public boolean isTriedAgain(KubernetesClientException e, int attempts) {
            boolean again = attempts < MOST_ATTEMPTS && Answers.isPassing(e);
            if (!again && e.getCode() != CONFLICT) {
                forget(key);
            }
            return again;
        }
    }

    private synchronized void forget(Key key) {
        known.remove(key);
    }

    private synchronized Optional<Due> due(Key key) {
        long now = System.currentTimeMillis();
        Series series = known.get(key);
        if (series == null) {
            String name =
                    key.subject().name() + "." + Long.toHexString(now * 1_000_000 + System.nanoTime() % 1_000_000);
            known.put(key, new Series(name, now));
            return Optional.of(new Due(name, 1));
        }
        series.count++;
        if (now - series.writtenAt < SERIES_MILLIS) {
            return Optional.empty();
        }
        series.writtenAt = now;
        return Optional.of(new Due(series.name, series.count));
    }

    private static String time() {
        return ZonedDateTime.now(ZoneOffset.UTC).format(MICROS);
    }

    private Event event(Key key, String type, String name) {
        EventSubject subject = key.subject();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(subject.eventNamespace())
                .withName(name)
                .endMetadata()
                .withEventTime(new MicroTime(time()))
                .withReportingController(controller)
                .withReportingInstance(instance)
                .withAction("Scheduling")
                .withReason(key.reason())
                .withType(type)
                .withNote(key.note())
                .withNewRegarding()
                .withApiVersion(subject.apiVersion())
                .withKind(subject.kind())
                .withNamespace(subject.namespace().isEmpty() ? null : subject.namespace())
                .withName(subject.name())
                .withUid(subject.uid().isEmpty() ? null : subject.uid())
                .endRegarding()
                .build();
    }
}
