package io.gpusched.internal.rules;

import io.gpusched.model.Node;
import it.unimi.dsi.fastutil.objects.Object2LongOpenHashMap;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Counts by domain of one label, each times a weight, added up. Not thread-safe; good for one decision. */
final class DomainSums {
    private final String key;
    private final List<Part> parts = new ArrayList<>();
    private @Nullable Object2LongOpenHashMap<String> sums;

    private record Part(DomainCounts counts, long weight) {}

    DomainSums(String key) {
        this.key = key;
    }

    /** The label. */
    String key() {
        return key;
    }

    DomainSums add(DomainCounts counts, long weight) {
        parts.add(new Part(counts, weight));
        return this;
    }

    /** Whether domains in which nothing is counted have the greatest sum there can be. */
    boolean areNegative() {
        return parts.stream().allMatch(part -> part.weight < 0);
    }

    /** What is added up. */
    List<DomainCounts> counts() {
        return parts.stream().map(Part::counts).toList();
    }

    /** Returns the sums of all domains in which anything is counted; O(these domains). */
    Object2LongOpenHashMap<String> sums() {
        Object2LongOpenHashMap<String> known = sums;
        if (known == null) {
            Object2LongOpenHashMap<String> added = new Object2LongOpenHashMap<>();
            parts.forEach(part -> part.counts.forEach((domain, count) -> added.addTo(domain, part.weight * count)));
            known = added;
            sums = known;
        }
        return known;
    }

    /** Returns the sum for a node; 0 if it does not have the label. */
    long of(Node node) {
        String domain = Places.domain(key, node);
        return domain == null ? 0 : sums().getLong(domain);
    }
}
