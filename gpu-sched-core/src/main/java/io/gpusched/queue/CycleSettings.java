package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How a scheduling cycle decides among jobs.
 *
 * <p>Start times follow one rule with one number, see D. Feitelson, A. Weil, "Utilization and predictability in scheduling the IBM SP2 with
 * backfilling", 1998. Of the jobs that wait, in order, the first {@code reservations} hold a reserved start, and so do all that are
 * {@linkplain JobSpec#promised promised} one; a job that comes after starts only if it delays none of these. 0: a job starts wherever it
 * finds room; 1: EASY backfill; {@link #ALL}: conservative backfill. Without {@code passing} no job starts before one that comes before it
 * and waits: first come, first served.
 *
 * @param passes which passes run, always in the order of {@link CyclePass}
 * @param queueOrder which queue is served next
 * @param jobOrder which of its jobs of equal priority is next
 * @param usagePermille how much past usage lowers a queue's weight over quota, in thousandths: 0 not at all. With 1,000 a queue that
 *     has used all of the cluster lately counts nothing
 * @param staleGrace how long a job may run with fewer members than its minimum, in the caller's unit of time
 * @param victimProbes how many searches for fewer victims are made for a job at most
 * @param kaiVictims whether victims are chosen as KAI does: among those of equal priority the job submitted last is evicted first, instead of the
 *     set with the fewest pods; and by reclaim the last to leave, which leaves whole, may bring its queue below what it deserves
 * @param reservations how many of the jobs that wait hold a reserved start, in order, from 0 to {@link #ALL}
 * @param passing whether a job may start while one that comes before it waits
 * @param forecasts how many jobs without a reserved start are told when they are expected to start, at most, in fair order; only where
 *     starts are reserved. For each the earliest places are looked for beside all before it: with thousands that wait this costs more
 *     than all decisions
 */
public record CycleSettings(
        Set<CyclePass> passes,
        QueueOrder queueOrder,
        JobOrder jobOrder,
        int usagePermille,
        long staleGrace,
        int victimProbes,
        boolean kaiVictims,
        int reservations,
        boolean passing,
        int forecasts) {
    /** All jobs that wait hold a reserved start. */
    public static final int ALL = Integer.MAX_VALUE;

    /** The greatest effect of past usage. */
    public static final int MAX_USAGE_PERMILLE = 1_000_000;

    private static final long GRACE = 60;
    private static final int PROBES = 64;

    /** Which queue is served next, among those with the same parent. Ties end with the older queue, then by name. */
    public enum QueueOrder {
        /**
         * Queues below their fair share come first, then queues that stay within what they deserve, then by priority, then by how
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
         * The one that runs for the shortest time, as expected or else at most; jobs without either come last. Mean waits are
         * short, but long jobs may wait for ever behind short ones, and a job that tells less than the truth comes first: for run times
         * that are not the users' own word, with promised starts for jobs that must not wait so.
         */
        SHORTEST
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
        Checks.inRange("cycle settings", "usagePermille", usagePermille, 0, MAX_USAGE_PERMILLE);
        Checks.inRange("cycle settings", "staleGrace", staleGrace, 0, Long.MAX_VALUE);
        Checks.inRange("cycle settings", "victimProbes", victimProbes, 0, Integer.MAX_VALUE);
        Checks.inRange("cycle settings", "reservations", reservations, 0, ALL);
        if (!passing && reservations == 0) {
            throw new IllegalArgumentException(
                    "cycle settings: reservations must be at least 1 where no job may pass a waiting one, got 0");
        }
        Checks.inRange("cycle settings", "forecasts", forecasts, 0, Integer.MAX_VALUE);
        Set<CyclePass> copy = EnumSet.noneOf(CyclePass.class);
        copy.addAll(passes);
        passes = Collections.unmodifiableSet(copy);
    }

    /** Returns the settings that are best by the library's own properties: all passes, fair shares, no reservations but promised ones. */
    public static CycleSettings standard() {
        return new CycleSettings(
                EnumSet.allOf(CyclePass.class),
                QueueOrder.FAIR_SHARE,
                JobOrder.SUBMITTED,
                0,
                GRACE,
                PROBES,
                false,
                0,
                true,
                Integer.MAX_VALUE);
    }

    /** Returns the settings that choose as KAI-Scheduler does. */
    public static CycleSettings kai() {
        return standard().with(copy -> copy.kaiVictims = true);
    }

    /** Returns these settings with a rule of backfill by name, which sets reservations, passing and forecasts. */
    public CycleSettings withBackfill(Backfill rule) {
        return Objects.requireNonNull(rule, "rule").in(this);
    }

    /** Returns these settings with other passes. */
    public CycleSettings withPasses(Set<CyclePass> value) {
        Checks.noNulls("value", value);
        return with(copy -> copy.passes = value);
    }

    /** Returns these settings with another order of queues. */
    public CycleSettings withQueueOrder(QueueOrder value) {
        Objects.requireNonNull(value, "value");
        return with(copy -> copy.queueOrder = value);
    }

    /** Returns these settings with another order of jobs. */
    public CycleSettings withJobOrder(JobOrder value) {
        Objects.requireNonNull(value, "value");
        return with(copy -> copy.jobOrder = value);
    }

    /** Returns these settings with another effect of past usage. */
    public CycleSettings withUsagePermille(int value) {
        return with(copy -> copy.usagePermille = value);
    }

    /** Returns these settings with another grace for jobs below their minimum. */
    public CycleSettings withStaleGrace(long value) {
        return with(copy -> copy.staleGrace = value);
    }

    /** Returns these settings with another number of searches for fewer victims. */
    public CycleSettings withVictimProbes(int value) {
        return with(copy -> copy.victimProbes = value);
    }

    /** Returns these settings with another number of jobs that hold a reserved start; with 0 a job may pass one that waits. */
    public CycleSettings withReservations(int value) {
        return with(copy -> {
            copy.reservations = value;
            copy.passing = passing || value == 0;
        });
    }

    /** Returns these settings with another rule of whether a job may pass one that waits. */
    public CycleSettings withPassing(boolean value) {
        return with(copy -> copy.passing = value);
    }

    /** Returns these settings with another number of jobs that are told when they are expected to start. */
    public CycleSettings withForecasts(int value) {
        return with(copy -> copy.forecasts = value);
    }

    private CycleSettings with(Consumer<Copy> change) {
        Copy copy = new Copy(this);
        change.accept(copy);
        return copy.settings();
    }

    /** A copy in which fields are changed. */
    private static final class Copy {
        private Set<CyclePass> passes;
        private QueueOrder queueOrder;
        private JobOrder jobOrder;
        private int usagePermille;
        private long staleGrace;
        private int victimProbes;
        private boolean kaiVictims;
        private int reservations;
        private boolean passing;
        private int forecasts;

        Copy(CycleSettings settings) {
            passes = settings.passes;
            queueOrder = settings.queueOrder;
            jobOrder = settings.jobOrder;
            usagePermille = settings.usagePermille;
            staleGrace = settings.staleGrace;
            victimProbes = settings.victimProbes;
            kaiVictims = settings.kaiVictims;
            reservations = settings.reservations;
            passing = settings.passing;
            forecasts = settings.forecasts;
        }

        CycleSettings settings() {
            return new CycleSettings(
                    passes,
                    queueOrder,
                    jobOrder,
                    usagePermille,
                    staleGrace,
                    victimProbes,
                    kaiVictims,
                    reservations,
                    passing,
                    forecasts);
        }
    }
}
