package io.gpusched.internal.rules;

import io.gpusched.internal.index.NodeLabels;
import io.gpusched.model.Node;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the wishes of pods for others around them come to in each domain, added up by label. Not thread-safe. */
final class WishSums {
    private final Map<String, Sums> byTopology = new TreeMap<>();

    /** The sums by domain of one label. */
    private static final class Sums {
        /** The numbers that most counts share, and the sums by number; null until there are any. */
        private @Nullable Map<String, Integer> numbers;

        private long[] sums = {};

        /** What else is counted, by domain. */
        private final Map<String, Long> others = new HashMap<>();

        @SuppressWarnings("ReferenceEquality") // counts that were made together share their numbers
        void add(Counts counts, long weight) {
            if (counts instanceof CountedDomains counted) {
                if (numbers == null) {
                    numbers = counted.numbers();
                    sums = new long[numbers.size()];
                }
                if (numbers == counted.numbers()) {
                    counted.addTo(sums, weight);
                    return;
                }
            }
            counts.forEach((domain, count) -> others.merge(domain, weight * count, Long::sum));
        }

        long of(String domain) {
            Integer number = numbers == null ? null : numbers.get(domain);
            return (number == null ? 0 : sums[number]) + others.getOrDefault(domain, 0L);
        }
    }

    /** Adds so much for each that is counted in the domains of a label. */
    void add(String topology, Counts counts, long weight) {
        if (counts.size() > 0) {
            byTopology.computeIfAbsent(topology, any -> new Sums()).add(counts, weight);
        }
    }

    boolean isEmpty() {
        return byTopology.isEmpty();
    }

    /** Returns the sum for a node. O(labels that wishes are for). */
    long of(Node node) {
        long sum = 0;
        for (Map.Entry<String, Sums> sums : byTopology.entrySet()) {
            String domain = NodeLabels.value(sums.getKey(), node);
            sum += domain == null ? 0 : sums.getValue().of(domain);
        }
        return sum;
    }
}
