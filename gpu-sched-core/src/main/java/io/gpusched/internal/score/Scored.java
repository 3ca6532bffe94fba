package io.gpusched.internal.score;

/**
 * What a policy says of the best way to place a pod on a node.
 *
 * @param score the score
 * @param key what the placement takes away, as the policy's market sees it; 0 for policies without one
 */
public record Scored(long score, long key) {
    /** What stands for a node that cannot take the pod. */
    public static final long NO_ROOM = Long.MIN_VALUE;

    /** The node cannot take the pod. */
    public static final Scored NOTHING = new Scored(NO_ROOM, 0);

    public static Scored of(long score, long key) {
        return new Scored(Math.max(score, NO_ROOM + 1), key);
    }
}
