package io.gpusched.internal.rank;

/**
 * What a policy says of the best way to place a pod on a node. Any score is legal.
 *
 * @param score the score
 * @param key what the penalty depends on; {@link #NO_KEY} for policies without penalties
 */
public record Scored(long score, Object key) {
    /** The key of all placements of a policy without penalties. */
    public static final Object NO_KEY = "none";

    /**
     * Returns a score after a penalty, at least {@link Long#MIN_VALUE}.
     *
     * @throws IllegalStateException if the penalty is negative
     */
    public static long net(long score, long penalty) {
        if (penalty < 0) {
            throw new IllegalStateException("penalty must be at least 0, got " + penalty
                    + "\nMaybe a penalty function of the policy overflows.");
        }
        long net = score - penalty;
        return net > score ? Long.MIN_VALUE : net;
    }
}
