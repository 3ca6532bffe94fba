package io.gpusched.kubernetes.queue;

import java.util.Comparator;

/**
 * Who is tried first: higher priority, then older, then by name.
 *
 * @param priority the priority, higher first
 * @param created when it was created, in milliseconds
 * @param name a name that no other has
 */
public record Rank(int priority, long created, String name) implements Comparable<Rank> {
    private static final Comparator<Rank> ORDER = Comparator.comparingInt(Rank::priority)
            .reversed()
            .thenComparingLong(Rank::created)
            .thenComparing(Rank::name);

    @Override
    public int compareTo(Rank other) {
        return ORDER.compare(this, other);
    }
}
