package io.gpusched.internal.rules;

import io.gpusched.decision.Reason.Code;
import io.gpusched.internal.index.NodeLabels;
import io.gpusched.internal.rules.DomainRule.Test;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the wishes of pods for others around them come to in each domain, added up by label. Not thread-safe. */
final class WishSums {
    private final Map<String, Sums> byTopology = new TreeMap<>();

    /** What is counted for one wish. */
    private record Wish(Counts counts, long weight) {}

    /** The sums by domain of one label; added up when first needed. */
    private static final class Sums {
        private final List<Wish> wishes = new ArrayList<>();
        private boolean isSummed;

        /** The numbers that most counts share, and the sums by number; null until there are any. */
        private @Nullable Map<String, Integer> numbers;

        private long[] sums = {};

        /** What else is counted, by domain. */
        private Map<String, Long> others = new HashMap<>();

        private void sum() {
            if (!isSummed) {
                wishes.forEach(wish -> add(wish.counts, wish.weight));
                isSummed = true;
            }
        }

        @SuppressWarnings("ReferenceEquality") // counts that were made together share their numbers
        private void add(Counts counts, long weight) {
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
            others = others.isEmpty() ? new HashMap<>(2 * counts.size()) : others;
            counts.forEach((domain, count) -> others.merge(domain, weight * count, Long::sum));
        }

        long of(String domain) {
            sum();
            Integer number = numbers == null ? null : numbers.get(domain);
            return (number == null ? 0 : sums[number]) + others.getOrDefault(domain, 0L);
        }

        /** Returns the sums of all domains that have any pod that counts. O(domains). */
        Map<String, Long> toMap() {
            sum();
            if (numbers == null) {
                return others;
            }
            Map<String, Long> all = new HashMap<>(others);
            numbers.forEach((domain, number) -> all.merge(domain, sums[number], Long::sum));
            return all;
        }
    }

    /** The domains of one label by their sums, the greatest first; nodes without the label stand among those with a sum of 0. */
    private static final class BySum implements SoftTiers.Levels {
        private static final String WORDS = "preferred";

        private final String key;
        private final Sums sums;

        /** Made when first needed. */
        private @Nullable Map<String, Long> byDomain;

        /** Whether no sum is above 0: then those of the domains where nobody is are the greatest. */
        private final boolean isApart;

        private long last;

        /**
         * @param domains no fewer than there are; where there are so many, all nodes have the label
         */
        BySum(String key, Sums sums, int domains) {
            this.key = key;
            this.sums = sums;
            this.isApart = sums.wishes.stream().allMatch(wish -> wish.weight < 0);
            boolean isEverywhere = sums.wishes.stream().anyMatch(wish -> wish.counts.size() >= domains);
            this.last = isApart && isEverywhere ? 0 : Long.MAX_VALUE;
        }

        @Override
        public @Nullable List<DomainRule> next() {
            if (isApart && last == Long.MAX_VALUE) {
                last = 0;
                return sums.wishes.stream()
                        .map(wish -> rule(Test.NONE, wish.counts))
                        .toList();
            }
            Map<String, Long> all = byDomain == null ? sums.toMap() : byDomain;
            byDomain = all;
            long level = greatestBelow(last, all);
            last = level;
            if (level == Long.MIN_VALUE) {
                return null;
            }
            return List.of(rule(level == 0 ? Test.NONE : Test.SOME, chosen(all, level)));
        }

        /** Returns the domains with this sum; for 0 all others. */
        private static Counts chosen(Map<String, Long> all, long level) {
            Map<String, Integer> numbers = new HashMap<>();
            all.forEach((domain, sum) -> {
                if (level == 0 ? sum != 0 : sum == level) {
                    numbers.put(domain, numbers.size());
                }
            });
            int[] ones = new int[numbers.size()];
            Arrays.fill(ones, 1);
            return new CountedDomains(numbers, ones);
        }

        private static long greatestBelow(long bound, Map<String, Long> all) {
            long greatest = bound > 0 ? 0 : Long.MIN_VALUE;
            for (long sum : all.values()) {
                greatest = sum < bound ? Math.max(greatest, sum) : greatest;
            }
            return greatest;
        }

        private DomainRule rule(Test test, Counts counts) {
            return new DomainRule(Code.POD_AFFINITY, WORDS, key, test, counts, 0);
        }
    }

    /** Adds so much for each that is counted in the domains of a label. */
    void add(String topology, Counts counts, long weight) {
        if (counts.size() > 0) {
            byTopology.computeIfAbsent(topology, any -> new Sums()).wishes.add(new Wish(counts, weight));
        }
    }

    boolean isEmpty() {
        return byTopology.isEmpty();
    }

    /** Returns the levels of each label that wishes are for. */
    List<SoftTiers.Levels> levels(RuleCounts source) {
        List<SoftTiers.Levels> levels = new ArrayList<>();
        byTopology.forEach((topology, sums) -> {
            DomainCounts nodes = source.index().nodesBy(topology);
            int domains = nodes != null && nodes.sum() == source.size() ? nodes.size() : source.size();
            levels.add(new BySum(topology, sums, domains));
        });
        return levels;
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
