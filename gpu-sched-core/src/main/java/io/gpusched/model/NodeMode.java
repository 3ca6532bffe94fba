package io.gpusched.model;

/**
 * What a node admits on its GPUs.
 *
 * <p>The modes are those of the T9k Scheduler ({@code xgn}, {@code sgn}) and the mixed mode of Slurm and HAMi, where
 * each GPU becomes whole or shared by its first tenant and returns to neither when its last tenant leaves. A GPU is
 * never in two modes at once.
 */
public enum NodeMode {
    /** Whole GPUs, or the whole node. Pods without GPUs are admitted too. */
    EXCLUSIVE,
    /** Shares of GPUs only. Pods without GPUs are admitted too. */
    SHARED,
    /** Whole GPUs, shares and the whole node, decided GPU by GPU by the first tenant. */
    MIXED;

    /** Returns whether whole GPUs and the whole node may be taken here. */
    public boolean admitsWhole() {
        return this != SHARED;
    }

    /** Returns whether shares of a GPU may be taken here. */
    public boolean admitsShares() {
        return this != EXCLUSIVE;
    }
}
