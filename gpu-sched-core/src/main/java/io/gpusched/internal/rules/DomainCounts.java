package io.gpusched.internal.rules;

import it.unimi.dsi.fastutil.objects.Object2IntMap;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.Comparator;
import java.util.Map;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** How many there are in each domain, by the domain's name. Not thread-safe. */
final class DomainCounts {
    private final Object2IntOpenHashMap<String> counts = new Object2IntOpenHashMap<>();
    private long sum;

    /** Adds a change in a domain, or in none where the name is null; a domain without any is forgotten. */
    void change(@Nullable String domain, int change) {
        if (domain != null) {
            int count = counts.addTo(domain, change) + change;
            sum += change;
            if (count == 0) {
                counts.removeInt(domain);
            }
        }
    }

    /** Adds to a domain, which is known from then on even if it has none. */
    void add(String domain, int count) {
        counts.addTo(domain, count);
        sum += count;
    }

    /** Returns how many there are in a domain; none where the name is null. */
    int get(@Nullable String domain) {
        return domain == null ? 0 : counts.getInt(domain);
    }

    /** The number of domains. */
    int size() {
        return counts.size();
    }

    /** How many there are in all domains. */
    long sum() {
        return sum;
    }

    /** How many there are in the domain with the fewest; 0 without domains. */
    int least() {
        int least = counts.isEmpty() ? 0 : Integer.MAX_VALUE;
        for (int count : counts.values()) {
            least = Math.min(least, count);
        }
        return least;
    }

    /** Returns the count of the domain with the most alone, the first by name of equal ones; none if there are no domains. */
    DomainCounts fullest() {
        DomainCounts fullest = new DomainCounts();
        counts.object2IntEntrySet().stream()
                .min(Comparator.comparingInt((Object2IntMap.Entry<String> entry) -> -entry.getIntValue())
                        .thenComparing(Map.Entry::getKey))
                .ifPresent(entry -> fullest.add(entry.getKey(), entry.getIntValue()));
        return fullest;
    }

    /** Calls back with each domain, in no particular order. */
    void forEach(ObjIntConsumer<String> action) {
        for (Object2IntMap.Entry<String> entry : counts.object2IntEntrySet()) {
            action.accept(entry.getKey(), entry.getIntValue());
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DomainCounts domains && counts.equals(domains.counts);
    }

    @Override
    public int hashCode() {
        return counts.hashCode();
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
