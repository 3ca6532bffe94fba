package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.QueueSettings;
import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.dialect.NamedDialect;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a scheduler process runs.
 *
 * @param scope which pods are placed
 * @param dialects the dialects of the nodes; the first speaks for nodes that name none
 * @param queues how is decided by queues
 * @param defrag whether and how running pods are moved so that whole nodes come about
 * @param record where what is seen and decided is recorded; empty: nowhere
 * @param lease how one of several replicas is chosen; nothing where there is only one
 * @param healthHost the address for health and metrics
 * @param healthPort the port for health and metrics; 0 for any that is free, -1 for none
 * @param backoff how long a pod that found no place waits at least
 * @param writers how many bindings are written at one time, 1..1,000
 * @param volumeTimeout how long a pod waits for volumes to be made on the node that was chosen, before it gives its room back
 * @param statusInterval how long to wait before the condition of the same pod is written again
 * @param clock the time that is written and that queues count
 */
public record SchedulerSettings(
        Scope scope,
        List<NamedDialect> dialects,
        QueueSettings queues,
        Optional<DefragSettings> defrag,
        Optional<RecordSettings> record,
        Optional<LeaseSettings> lease,
        String healthHost,
        int healthPort,
        Backoff backoff,
        int writers,
        Duration volumeTimeout,
        Duration statusInterval,
        Clock clock) {
    /** The scheduler name where none is given. */
    public static final String DEFAULT_NAME = "gpu-sched";

    /** How long kube-scheduler waits for volumes. */
    public static final Duration VOLUME_TIMEOUT = Duration.ofMinutes(10);

    /** Copies the list and checks the ranges. */
    public SchedulerSettings {
        dialects = List.copyOf(dialects);
        if (writers < 1 || writers > 1_000) {
            throw new IllegalArgumentException("settings: writers must be in 1..1000, got " + writers);
        }
        if (healthPort < -1 || healthPort > 65_535) {
            throw new IllegalArgumentException("settings: healthPort must be in -1..65535, got " + healthPort);
        }
    }

    /** Returns the {@code spec.schedulerName} of the pods that are placed. */
    public String schedulerName() {
        return scope.schedulerName();
    }

    /** Returns the settings of a single replica that serves no health port. */
    public static SchedulerSettings of(List<NamedDialect> dialects) {
        return new SchedulerSettings(
                Scope.of(DEFAULT_NAME),
                dialects,
                QueueSettings.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                "0.0.0.0",
                -1,
                Backoff.DEFAULT,
                32,
                VOLUME_TIMEOUT,
                Duration.ofSeconds(10),
                Clock.systemUTC());
    }

    /** The values while one of them changes. */
    private static final class Draft {
        private Scope scope;
        private List<NamedDialect> dialects;
        private QueueSettings queues;
        private Optional<DefragSettings> defrag;
        private Optional<RecordSettings> record;
        private Optional<LeaseSettings> lease;
        private String healthHost;
        private int healthPort;
        private Backoff backoff;
        private int writers;
        private Duration volumeTimeout;
        private Duration statusInterval;
        private Clock clock;

        Draft(SchedulerSettings settings) {
            scope = settings.scope;
            dialects = settings.dialects;
            queues = settings.queues;
            defrag = settings.defrag;
            record = settings.record;
            lease = settings.lease;
            healthHost = settings.healthHost;
            healthPort = settings.healthPort;
            backoff = settings.backoff;
            writers = settings.writers;
            volumeTimeout = settings.volumeTimeout;
            statusInterval = settings.statusInterval;
            clock = settings.clock;
        }
    }

    private SchedulerSettings with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return new SchedulerSettings(
                draft.scope,
                draft.dialects,
                draft.queues,
                draft.defrag,
                draft.record,
                draft.lease,
                draft.healthHost,
                draft.healthPort,
                draft.backoff,
                draft.writers,
                draft.volumeTimeout,
                draft.statusInterval,
                draft.clock);
    }

    /** Returns these settings for pods of another scheduler name. */
    public SchedulerSettings withSchedulerName(String name) {
        return with(draft -> draft.scope = new Scope(name, scope.namespaces()));
    }

    /** Returns these settings for pods of some namespaces; of all if none is named. */
    public SchedulerSettings withNamespaces(Set<String> namespaces) {
        return with(draft -> draft.scope = new Scope(schedulerName(), namespaces));
    }

    /** Returns these settings with queues. */
    public SchedulerSettings withQueues(QueueSettings value) {
        return with(draft -> draft.queues = value);
    }

    /** Returns these settings with running pods being moved. */
    public SchedulerSettings withDefrag(DefragSettings value) {
        return with(draft -> draft.defrag = Optional.of(value));
    }

    /** Returns these settings with all that is seen and decided being recorded. */
    public SchedulerSettings withRecord(RecordSettings value) {
        return with(draft -> draft.record = Optional.of(value));
    }

    /** Returns these settings for one of several replicas. */
    public SchedulerSettings withLease(LeaseSettings value) {
        return with(draft -> draft.lease = Optional.of(value));
    }

    /** Returns these settings with another health port. */
    public SchedulerSettings withHealthPort(int port) {
        return with(draft -> draft.healthPort = port);
    }

    /** Returns these settings with another address for the health port. */
    public SchedulerSettings withHealthHost(String host) {
        return with(draft -> draft.healthHost = host);
    }

    /** Returns these settings with another back-off. */
    public SchedulerSettings withBackoff(Backoff value) {
        return with(draft -> draft.backoff = value);
    }

    /** Returns these settings with another time for volumes. */
    public SchedulerSettings withVolumeTimeout(Duration value) {
        return with(draft -> draft.volumeTimeout = value);
    }

    /** Returns these settings with another interval between words about the same pod. */
    public SchedulerSettings withStatusInterval(Duration value) {
        return with(draft -> draft.statusInterval = value);
    }

    /** Returns these settings with another clock. */
    public SchedulerSettings withClock(Clock value) {
        return with(draft -> draft.clock = value);
    }
}
