package io.gpusched.kubernetes.process;

import io.gpusched.kubernetes.decide.Scope;
import io.gpusched.kubernetes.defrag.DefragSettings;
import io.gpusched.kubernetes.dialect.NamedDialect;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.kubernetes.quota.QueueVocabulary;
import io.gpusched.policy.CycleSettings.Backfill;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a scheduler process runs.
 *
 * @param scope which pods are placed
 * @param dialects the dialects of the nodes; the first speaks for nodes that name none
 * @param queues whose queues decide who starts and who leaves; nothing where pods are decided about one by one, and nobody is evicted
 * @param backfill with queues, who may start while a job before it waits
 * @param defrag whether and how running pods are moved so that whole nodes come about
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
        Optional<QueueVocabulary> queues,
        Backfill backfill,
        Optional<DefragSettings> defrag,
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
        if (backfill != Backfill.ANYONE && queues.isEmpty()) {
            throw new IllegalArgumentException("settings: backfill " + backfill + " needs queues");
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
                Optional.empty(),
                Backfill.ANYONE,
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

    /** Returns these settings for pods of another scheduler name. */
    public SchedulerSettings withSchedulerName(String name) {
        return new SchedulerSettings(
                new Scope(name, scope.namespaces()),
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings for pods of some namespaces; of all if none is named. */
    public SchedulerSettings withNamespaces(Set<String> namespaces) {
        return new SchedulerSettings(
                new Scope(schedulerName(), namespaces),
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with queues. */
    public SchedulerSettings withQueues(QueueVocabulary value) {
        return new SchedulerSettings(
                scope,
                dialects,
                Optional.of(value),
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with running pods being moved. */
    public SchedulerSettings withDefrag(DefragSettings value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                Optional.of(value),
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings for one of several replicas. */
    public SchedulerSettings withLease(LeaseSettings value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                Optional.of(value),
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with another health port. */
    public SchedulerSettings withHealthPort(int port) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                port,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with another address for the health port. */
    public SchedulerSettings withHealthHost(String host) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                host,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with another back-off. */
    public SchedulerSettings withBackoff(Backoff value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                value,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with another time for volumes. */
    public SchedulerSettings withVolumeTimeout(Duration value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                value,
                statusInterval,
                clock);
    }

    /** Returns these settings with another interval between words about the same pod. */
    public SchedulerSettings withStatusInterval(Duration value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                value,
                clock);
    }

    /** Returns these settings with another rule of backfill. */
    public SchedulerSettings withBackfill(Backfill value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                value,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                clock);
    }

    /** Returns these settings with another clock. */
    public SchedulerSettings withClock(Clock value) {
        return new SchedulerSettings(
                scope,
                dialects,
                queues,
                backfill,
                defrag,
                lease,
                healthHost,
                healthPort,
                backoff,
                writers,
                volumeTimeout,
                statusInterval,
                value);
    }
}
