package io.gpusched.queue;

import io.gpusched.check.Checks;

/**
 * How much of one resource a queue has, in the unit of the {@link QueueResource}: GPUs and CPU in milli, memory in MiB.
 *
 * <pre>{@code
 * Quota eightOfAtMostSixteen = Quota.ofGpus(8).withGpuLimit(16);
 * }</pre>
 *
 * @param deserved what it has for sure, and gets back from others that use more than they deserve; {@link #UNLIMITED} for as much
 *     as it asks for
 * @param limit what it may use at most, {@link #UNLIMITED} for no limit
 * @param overQuotaWeight its part of what is left once all have what they deserve, among the queues with the same parent and
 *     priority that ask for more; 0 for none
 */
public record Quota(long deserved, long limit, long overQuotaWeight) {
    /** No bound. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** The greatest amount of a bound. */
    public static final long MAX = 1_000_000_000_000_000L;

    /** The greatest weight. */
    public static final long MAX_WEIGHT = 1_000_000_000L;

    /** What a queue has of a resource that its quota does not name: as much as it asks for. */
    public static final Quota NONE = new Quota(UNLIMITED, UNLIMITED, 1);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public Quota {
        if (deserved != UNLIMITED) {
            Checks.inRange("quota", "deserved", deserved, 0, MAX);
        }
        if (limit != UNLIMITED) {
            Checks.inRange("quota", "limit", limit, 0, MAX);
        }
        Checks.inRange("quota", "overQuotaWeight", overQuotaWeight, 0, MAX_WEIGHT);
    }

    /** Returns a quota without limit and with weight 1 beyond what is deserved. */
    public static Quota ofDeserved(long deserved) {
        return new Quota(deserved, UNLIMITED, 1);
    }

    /** Returns a quota of whole GPUs that are deserved, without limit and with weight 1 beyond them: 8 are 8,000 milli. */
    public static Quota ofGpus(int deserved) {
        return ofDeserved(1_000L * deserved);
    }

    /** Returns this quota with another limit. */
    public Quota withLimit(long value) {
        return new Quota(deserved, value, overQuotaWeight);
    }

    /** Returns this quota with a limit of whole GPUs. */
    public Quota withGpuLimit(int value) {
        return withLimit(1_000L * value);
    }

    /** Returns this quota with another weight. */
    public Quota withOverQuotaWeight(long value) {
        return new Quota(deserved, limit, value);
    }

    /** Returns the quota in words, such as {@code 8000 deserved, no limit, weight 1}. */
    @Override
    public String toString() {
        return (deserved == UNLIMITED ? "as much as it asks for" : Long.toString(deserved)) + " deserved, "
                + (limit == UNLIMITED ? "no limit" : "limit " + limit) + ", weight " + overQuotaWeight;
    }
}
