package io.gpusched.internal.search;

import io.gpusched.policy.BinPack;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.policy.RandomFit;

/** How the best node is found: decided by the policy, once, when a scheduler is made. */
public enum SearchStrategy {
    /** The cluster's trees are asked for one kind of room after another, the tightest first ({@link BinPack}). */
    TIGHTEST_ROOM,
    /** The first node in node order that has room is taken ({@link FirstFit}). */
    FIRST_NODE,
    /** Nodes are drawn until one has room ({@link RandomFit}). */
    DRAWN_NODE,
    /** All nodes are compared by their scores, remembered ones where there are any. */
    HIGHEST_SCORE;

    /** Returns the strategy that serves a policy. */
    public static SearchStrategy of(PlacementPolicy policy) {
        if (policy instanceof BinPack) {
            return TIGHTEST_ROOM;
        }
        if (policy instanceof FirstFit) {
            return FIRST_NODE;
        }
        return policy instanceof RandomFit ? DRAWN_NODE : HIGHEST_SCORE;
    }

    /** Whether scores of many nodes are compared. */
    public boolean comparesNodes() {
        return this == DRAWN_NODE || this == HIGHEST_SCORE;
    }
}
