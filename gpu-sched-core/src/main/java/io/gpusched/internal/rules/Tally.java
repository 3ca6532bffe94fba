package io.gpusched.internal.rules;

/** What is counted under one key, by domain; nodes without the label of the key are in no domain. Not thread-safe. */
final class Tally {
    private final TallyKey key;
    private final DomainCounts counts = new DomainCounts();

    /** How many times running pods hold the key, wherever they run. */
    private int holders;

    Tally(TallyKey key) {
        this.key = key;
    }

    TallyKey key() {
        return key;
    }

    DomainCounts counts() {
        return counts;
    }

    /** Adds one that holds the key, or takes one away; returns whether any are left. */
    boolean hold(int change) {
        holders += change;
        return holders > 0;
    }
}
