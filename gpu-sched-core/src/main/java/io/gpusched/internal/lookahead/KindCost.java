package io.gpusched.internal.lookahead;

import org.jspecify.annotations.Nullable;

/** What is known of what is free that is the same for all nodes of one kind: most of its cost, with a memo. Thread-safe. */
final class KindCost {
    /** One milli of a GPU in a cost or a penalty. */
    static final int MILLI = 1_024;

    /*
     * The memo is a table in which each state has one place and the newest state takes it. It is read and written
     * without locks: its elements are immutable, with final fields only, so a thread sees one in full or not at all,
     * and a lost or a missing one is worked out again, to the same result. It is small enough for a processor's second
     * cache: eight times the places save fewer evaluations than they cost in cache misses.
     */
    private static final int MEMO_BITS = 14;

    private static final int FRAGMENTATION_DIVISOR = 50;

    private record Known(FreeAmounts free, long cost) {}

    private final RollOuts rollouts;
    private final FragmentTable fragments;
    private final Dominance dominance;
    private final @Nullable Known[] memo = new Known[1 << MEMO_BITS];

    KindCost(PodMix mix, NodeKind kind) {
        rollouts = new RollOuts(new Arrivals(mix, kind));
        fragments = FragmentTable.of(mix, kind);
        dominance = new Dominance(mix, kind);
    }

    Dominance dominance() {
        return dominance;
    }

    long of(FreeAmounts free) {
        int at = free.hashCode() >>> (Integer.SIZE - MEMO_BITS);
        Known known = memo[at];
        if (known == null || !known.free().equals(free)) {
            known = new Known(free, compute(free));
            memo[at] = known;
        }
        return known.cost();
    }

    private long compute(FreeAmounts free) {
        return (long) rollouts.idleAfterwards(free) * (MILLI / Arrivals.SEQUENCES)
                + (fragments.fragmentation(free) * (MILLI / FRAGMENTATION_DIVISOR) >> FragmentTable.WEIGHT_BITS);
    }
}
