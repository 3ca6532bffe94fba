package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes events. What is said again of the same subject becomes a count in the first event, which is written at most once in
 * five minutes. Events are words for people: when more are to be written than the server takes, they are left out. Thread-safe.
 */
public final class EventWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventWriter.class);
    /** A burst of pods is a burst of events; a few at one time keep up with it. */
    private static final int WRITERS = 4;

    private static final int MOST_WAITING = 10_000;
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

    private final KubernetesClient client;
    private final ApiWrites writes;
    private final String controller;
    private final String instance;
    private final AtomicLong dropped = new AtomicLong();
    private final ThreadPoolExecutor threads;
    private final Map<Key, Series> known = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Series> eldest) {
            return size() > MOST_REMEMBERED;
        }
    };

    /**
     * Starts a writer.
     *
     * @param controller who says it, such as {@code gpu-sched}
     * @param instance which process of it
     */
    public EventWriter(KubernetesClient client, String controller, String instance) {
        this.client = client;
        this.writes = ApiWrites.of(client);
        this.controller = controller;
        this.instance = instance;
        this.threads = new ThreadPoolExecutor(
                WRITERS,
                WRITERS,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(MOST_WAITING),
                Daemons.named("events"),
                (work, pool) -> dropped.incrementAndGet());
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns how many events were left out. */
    public long dropped() {
        return dropped.get();
    }

    /**
     * Writes an event in the background.
     *
     * @param type {@code Normal} or {@code Warning}
     * @param reason one word
     * @param note the words; what is longer than {@value #LONGEST_NOTE} characters is cut
     */
    public void write(EventSubject subject, String type, String reason, String note) {
        String cut = note.length() <= LONGEST_NOTE ? note : note.substring(0, LONGEST_NOTE - 3) + "...";
        threads.execute(() -> {
            try {
                writeNow(new Key(subject, reason, cut), type);
            } catch (KubernetesClientException e) {
                LOG.atDebug()
                        .addKeyValue("name", subject.name())
                        .addKeyValue("status", e.getCode())
                        .log("event not written");
            }
        });
    }

    /** What is to be written of a series: the event the first time, later how often it was said. */
    private record Due(String name, int count) {}

    private void writeNow(Key key, String type) {
        due(key).ifPresent(due -> {
            if (due.count() == 1) {
                create(key, type, due.name());
            } else {
                repeat(key, due);
            }
        });
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

    /** The answer is the event again, which is not worth its decoding. */
    private void create(Key key, String type, String name) {
        String path = "/apis/events.k8s.io/v1/namespaces/" + key.subject().eventNamespace() + "/events";
        writes.post(path, event(key, type, name));
    }

    private void repeat(Key key, Due due) {
        client.events()
                .v1()
                .events()
                .inNamespace(key.subject().eventNamespace())
                .withName(due.name())
                .patch(client.getKubernetesSerialization()
                        .asJson(Map.of("series", Map.of("count", due.count(), "lastObservedTime", time()))));
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

    /** Lets what waits be written, at most 5 s. */
    @Override
    public void close() {
        Daemons.stop(threads, 5);
    }
}
