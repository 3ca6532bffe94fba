package io.gpusched.internal.select;

/** How many buckets of a partition have trees that follow what changes. Not thread-safe. */
final class TreeCount {
    private int count;

    void add(int change) {
        count += change;
    }

    boolean isNone() {
        return count == 0;
    }
}
