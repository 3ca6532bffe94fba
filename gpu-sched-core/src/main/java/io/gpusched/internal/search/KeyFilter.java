package io.gpusched.internal.search;

import java.util.function.LongPredicate;

/**
 * Tests keys in the node order, but only so many: once it is used up all pass, so that a search ends with the next node it
 * looks at. Not thread-safe.
 */
final class KeyFilter implements LongPredicate {
    private final LongPredicate test;
    private long left;

    /**
     * @param most how many keys may be tested
     */
    KeyFilter(LongPredicate test, long most) {
        this.test = test;
        this.left = most;
    }

    @Override
    public boolean test(long key) {
        return left-- <= 0 || test.test(key);
    }

    /** Whether more keys were tested than it was good for. */
    boolean isUsedUp() {
        return left < 0;
    }
}
