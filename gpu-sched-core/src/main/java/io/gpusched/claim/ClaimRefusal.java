package io.gpusched.claim;

import io.gpusched.decision.Certainty;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Claims cannot all be had on a node, or the pods of a gang cannot all run at once. Why is worked out only when it is asked for. Thread-safe. */
public final class ClaimRefusal implements ClaimDecision, GangDecision {
    private final Certainty certainty;
    private final long steps;
    private final Supplier<ClaimConflict> source;
    private volatile @Nullable ClaimConflict known;

    ClaimRefusal(Certainty certainty, long steps, Supplier<ClaimConflict> source) {
        this.certainty = certainty;
        this.steps = steps;
        this.source = source;
    }

    /** Returns {@code PROVEN}, or {@code LIMIT} if the limit of steps was reached. */
    public Certainty certainty() {
        return certainty;
    }

    /** Returns how many steps were taken. */
    public long steps() {
        return steps;
    }

    /** Returns why, computed on the first call within the allocator's budget. */
    public ClaimConflict conflict() {
        ClaimConflict result = known;
        if (result == null) {
            result = source.get();
            known = result;
        }
        return result;
    }

    @Override
    public String toString() {
        return certainty == Certainty.LIMIT
                ? "the limit of steps was reached after " + steps
                : conflict().toString();
    }
}
