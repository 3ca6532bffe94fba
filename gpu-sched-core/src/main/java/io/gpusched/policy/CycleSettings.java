package io.gpusched.policy;

import io.gpusched.decision.CyclePass;
import io.gpusched.internal.check.Checks;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;

/**
 * How a scheduling cycle decides among jobs.
 *
 * @param passes which passes run, always in the order of {@link CyclePass}
 * @param queueOrder which queue is served next
 * @param jobOrder which of its jobs of equal priority is next
 * @param victimOrder whom an eviction hits first
 * @param usagePermille how much past usage lowers a queue's weight over quota, in thousandths: 0 not at all. With 1,000 a queue that
 *     has used all of the cluster lately counts nothing
 * @param staleGrace how long a job may run with fewer members than its minimum, in the caller's unit of time
 * @param victimProbes how many sets of victims are tried for a job at most
 * @param backfill who may start while a job before it waits
 * @param forecasts how many jobs that wait and are promised nothing are told when they are expected to start, at most, in fair order; with
 *     {@link Backfill#PROMISED} alone. For each the earliest places are looked for beside all before it: with thousands that wait
 *     this costs more than all decisions
 */
public record CycleSettings(
        Set<CyclePass> passes,
        QueueOrder queueOrder,
        JobOrder jobOrder,
        VictimOrder victimOrder,
        int usagePermille,
        long staleGrace,
        int victimProbes,
        Backfill backfill,
        int forecasts) {
    /** The greatest effect of past usage. */
    public static final int MAX_USAGE_PERMILLE = 1_000_000;

    private static final long GRACE = 60;
    private static final int PROBES = 64;

    /** Which queue is served next, among those with the same parent. Ties end with the older queue, then by name. */
    public enum QueueOrder {
        /**
         * Queues below their fair share come first, then those that stay within what they deserve, then by priority, then by how
         * much of its share a queue uses with its next job.
         */
        FAIR_SHARE,
        /** The queue whose greatest share of any resource of the cluster, with its next job, is smallest: dominant resource fairness. */
        DOMINANT_SHARE
    }

    /** Which job of a queue is next, among those of equal priority. Ties end with the earlier submission, then the order of the jobs. */
    public enum JobOrder {
        /** The one that was submitted first. */
        SUBMITTED,
        /**
         * The one that runs for the shortest time, as expected or else at most; those of which neither is known come last. Mean waits are
         * short, but long jobs may wait for ever behind short ones, and who tells less than the truth comes first: for run times that
         * are not the users' own word, with {@link Backfill#PROMISED} for those that must not wait so.
         */
        SHORTEST
    }

    /**
     * Who may start while a job that comes before it waits. With all but {@link #ANYONE}, start times are reserved; see D. Feitelson,
     * A. Weil, "Utilization and predictability in scheduling the IBM SP2 with backfilling", 1998.
     */
    public enum Backfill {
        /** Whoever finds room; nothing is reserved. */
        ANYONE,
        /** Nobody: first come, first served. The first job that waits has a reservation. */
        NOBODY,
        /** Those that do not delay the first job that waits (EASY). */
        EASY,
        /** Those that delay no job that waits: each has a reservation, which only moves earlier as long as nobody runs longer than planned. */
        CONSERVATIVE,
        /**
         * Those that delay neither the first job that waits nor one whose start is {@linkplain io.gpusched.workload.Job#promised promised}.
         * What is promised counts as used by its queue, so that no limit stands in its way then. For others that wait the plan says when
         * they are expected to start.
         */
        PROMISED
    }

    /** Whom an eviction hits first. */
    public enum VictimOrder {
        /** The fewest pods of the lowest priority, of the queue that is most above its share. */
        FEWEST,
        /** One job after the other, of the queue most above its share the one of the lowest priority that started last, until it suffices. */
        ONE_BY_ONE
    }

    /**
     * Copies the passes.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public CycleSettings {
        Checks.noNulls("passes", passes);
        Objects.requireNonNull(queueOrder, "queueOrder");
        Objects.requireNonNull(jobOrder, "jobOrder");
        Objects.requireNonNull(victimOrder, "victimOrder");
        Objects.requireNonNull(backfill, "backfill");
        Checks.inRange("cycle settings", "usagePermille", usagePermille, 0, MAX_USAGE_PERMILLE);
        Checks.inRange("cycle settings", "staleGrace", staleGrace, 0, Long.MAX_VALUE);
        Checks.inRange("cycle settings", "victimProbes", victimProbes, 1, Integer.MAX_VALUE);
        Checks.inRange("cycle settings", "forecasts", forecasts, 0, Integer.MAX_VALUE);
        Set<CyclePass> copy = EnumSet.noneOf(CyclePass.class);
        copy.addAll(passes);
        passes = Collections.unmodifiableSet(copy);
    }

    /** Returns the settings that are best by the library's own properties. */
    public static CycleSettings standard() {
        return new CycleSettings(
                EnumSet.allOf(CyclePass.class),
                QueueOrder.FAIR_SHARE,
                JobOrder.SUBMITTED,
                VictimOrder.FEWEST,
                0,
                GRACE,
                PROBES,
                Backfill.ANYONE,
                Integer.MAX_VALUE);
    }

    /** Returns the settings that choose as KAI-Scheduler does. */
    public static CycleSettings kai() {
        return standard().withVictimOrder(VictimOrder.ONE_BY_ONE);
    }

    /** Returns these settings with other passes. */
    public CycleSettings withPasses(Set<CyclePass> value) {
        Checks.noNulls("value", value);
        return new CycleSettings(
                value, queueOrder, jobOrder, victimOrder, usagePermille, staleGrace, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another order of queues. */
    public CycleSettings withQueueOrder(QueueOrder value) {
        Objects.requireNonNull(value, "value");
        return new CycleSettings(
                passes, value, jobOrder, victimOrder, usagePermille, staleGrace, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another order of jobs. */
    public CycleSettings withJobOrder(JobOrder value) {
        Objects.requireNonNull(value, "value");
        return new CycleSettings(
                passes, queueOrder, value, victimOrder, usagePermille, staleGrace, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another order of victims. */
    public CycleSettings withVictimOrder(VictimOrder value) {
        Objects.requireNonNull(value, "value");
        return new CycleSettings(
                passes, queueOrder, jobOrder, value, usagePermille, staleGrace, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another effect of past usage. */
    public CycleSettings withUsagePermille(int value) {
        return new CycleSettings(
                passes, queueOrder, jobOrder, victimOrder, value, staleGrace, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another grace for jobs below their minimum. */
    public CycleSettings withStaleGrace(long value) {
        return new CycleSettings(
                passes, queueOrder, jobOrder, victimOrder, usagePermille, value, victimProbes, backfill, forecasts);
    }

    /** Returns these settings with another number of tries for a job. */
    public CycleSettings withVictimProbes(int value) {
        return new CycleSettings(
                passes, queueOrder, jobOrder, victimOrder, usagePermille, staleGrace, value, backfill, forecasts);
    }

    /** Returns these settings with another rule of who may start while a job before it waits. */
    public CycleSettings withBackfill(Backfill value) {
        Objects.requireNonNull(value, "value");
        return new CycleSettings(
                passes, queueOrder, jobOrder, victimOrder, usagePermille, staleGrace, victimProbes, value, forecasts);
    }

    /** Returns these settings with another number of jobs that are told when they are expected to start. */
    public CycleSettings withForecasts(int value) {
        return new CycleSettings(
                passes, queueOrder, jobOrder, victimOrder, usagePermille, staleGrace, victimProbes, backfill, value);
    }
}
