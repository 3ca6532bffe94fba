package io.gpusched.replay;

import java.time.Duration;
import java.util.Objects;

/**
 * How much a {@link Recorder} keeps, and how fast.
 *
 * @param unitsPerSecond how many units of the caller's time make a second: 1,000 if it counts milliseconds
 * @param bytes how large all files may become together; the oldest are deleted
 * @param fileBytes how large one file becomes, from 1
 * @param flush how long what was recorded stays in memory at most, where a crash loses it
 * @param backlog how many decisions may wait for the disk; with more the recording ends. 0: the thread that records waits for the disk
 */
public record RecorderLimits(long unitsPerSecond, long bytes, long fileBytes, Duration flush, int backlog) {
    private static final long GIB = 1L << 30;
    private static final int BACKLOG = 1_000;

    /** Seconds, a GiB in files of 16 MiB, written every ten seconds, a backlog of 1,000 decisions. */
    public static final RecorderLimits USUAL = new RecorderLimits(1, GIB, GIB >> 6, Duration.ofSeconds(10), BACKLOG);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public RecorderLimits {
        requireAtLeast("unitsPerSecond", unitsPerSecond, 1);
        requireAtLeast("fileBytes", fileBytes, 1);
        requireAtLeast("bytes", bytes, fileBytes);
        requireAtLeast("flush", Objects.requireNonNull(flush, "flush").toMillis(), 1);
        requireAtLeast("backlog", backlog, 0);
    }

    private static void requireAtLeast(String field, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(
                    "recorder limits: " + field + " must be at least " + least + ", got " + value);
        }
    }

    /** Returns these limits with another unit of time. */
    public RecorderLimits withUnitsPerSecond(long value) {
        return new RecorderLimits(value, bytes, fileBytes, flush, backlog);
    }

    /** Returns these limits with another size of all files together; a file has a sixteenth of it at most. */
    public RecorderLimits withBytes(long value) {
        return new RecorderLimits(unitsPerSecond, value, Math.max(1, Math.min(fileBytes, value >> 4)), flush, backlog);
    }

    /** Returns these limits with another size of one file. */
    public RecorderLimits withFileBytes(long value) {
        return new RecorderLimits(unitsPerSecond, bytes, value, flush, backlog);
    }

    /** Returns these limits with another number of decisions that may wait for the disk. */
    public RecorderLimits withBacklog(int value) {
        return new RecorderLimits(unitsPerSecond, bytes, fileBytes, flush, value);
    }
}
