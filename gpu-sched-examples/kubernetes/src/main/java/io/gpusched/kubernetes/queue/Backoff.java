package io.gpusched.kubernetes.queue;

/**
 * How long to wait after each attempt that failed: the first delay, doubled each time up to the longest.
 *
 * @param firstMillis the first delay, 0 or more
 * @param longestMillis the longest, at least the first
 */
public record Backoff(long firstMillis, long longestMillis) {
    /** 1 s, 2 s, 4 s, 8 s, then 10 s, as kube-scheduler waits. */
    public static final Backoff DEFAULT = new Backoff(1_000, 10_000);

    /**
     * Checks the delays.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public Backoff {
        if (firstMillis < 0 || longestMillis < firstMillis) {
            throw new IllegalArgumentException("back-off: delays must be at least 0 and not fall, got " + firstMillis
                    + " and " + longestMillis + " ms");
        }
    }

    /** Returns the delay after this many attempts, 1 or more: with the default 4,000 ms after the third. */
    public long afterMillis(int attempts) {
        int doublings = Math.min(40, attempts - 1);
        return firstMillis > longestMillis >> doublings ? longestMillis : firstMillis << doublings;
    }
}
