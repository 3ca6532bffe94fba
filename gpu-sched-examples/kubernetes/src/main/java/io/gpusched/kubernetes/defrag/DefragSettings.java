package io.gpusched.kubernetes.defrag;

import java.time.Duration;

/**
 * How running pods are moved.
 *
 * @param evicts whether pods are evicted; if not, it is only said which would be
 * @param interval how long to wait after a plan has been carried out, or told, before the next
 * @param moves how many pods one plan moves at most, at least 1
 * @param patience how long an evicted pod may take until its successor runs; then the rest of the plan is dropped
 */
public record DefragSettings(boolean evicts, Duration interval, int moves, Duration patience) {
    /** Checks the number. */
    public DefragSettings {
        if (moves < 1) {
            throw new IllegalArgumentException("defragmentation: moves must be at least 1, got " + moves);
        }
    }

    /** Only tells, every five minutes, which up to 8 pods would be moved. */
    public static DefragSettings dryRun() {
        return new DefragSettings(false, Duration.ofMinutes(5), 8, Duration.ofMinutes(5));
    }

    /** Returns these settings, with pods being evicted. */
    public DefragSettings evicting() {
        return new DefragSettings(true, interval, moves, patience);
    }

    /** Returns these settings with another interval. */
    public DefragSettings withInterval(Duration value) {
        return new DefragSettings(evicts, value, moves, patience);
    }

    /** Returns these settings with another number of pods. */
    public DefragSettings withMoves(int value) {
        return new DefragSettings(evicts, interval, value, patience);
    }

    /** Returns these settings with other patience. */
    public DefragSettings withPatience(Duration value) {
        return new DefragSettings(evicts, interval, moves, value);
    }
}
