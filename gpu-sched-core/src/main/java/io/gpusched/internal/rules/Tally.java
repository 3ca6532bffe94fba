package io.gpusched.internal.rules;

import org.jspecify.annotations.Nullable;

/**
 * A count by domain.
 *
 * @param key what is counted
 * @param users how many running pods need it: with the last it goes
 * @param counts the counts; nodes without the topology's label are in no domain
 */
record Tally(TallyKey key, int users, DomainCounts counts) {
    Tally withUsers(int change) {
        return new Tally(key, users + change, counts);
    }

    /** Returns this with a change in the domain of this name; null for none. */
    Tally plus(@Nullable String domain, int change) {
        return domain == null ? this : new Tally(key, users, counts.plus(domain, change));
    }
}
