package io.gpusched.policy;

/** What placements of one pod cost at one moment, by what they take away. */
@FunctionalInterface
public interface PenaltyFunction {
    /** No placement has a penalty. */
    PenaltyFunction NONE = key -> 0;

    /**
     * Returns what is subtracted from the score of a placement; at least 0.
     *
     * @param key the {@link ClusterAwarePolicy#penaltyKey} of the placement
     */
    long penalty(Object key);
}
