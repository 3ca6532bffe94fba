package io.gpusched.internal.rules;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Counts that were made for one decision: a number for each domain, which all that is counted over the same domains shares, and an
 * array. Not to be changed once they are handed out.
 */
final class CountedDomains implements Counts {
    /** The numbers of domains by name. */
    private final Map<String, Integer> numbers;

    /** By number of a domain; domains behind its end have none. */
    private final int[] counts;

    private final int size;
    private final long sum;

    CountedDomains(Map<String, Integer> numbers, int[] counts) {
        this.numbers = numbers;
        this.counts = counts;
        int domains = 0;
        long all = 0;
        for (int count : counts) {
            domains += count != 0 ? 1 : 0;
            all += count;
        }
        this.size = domains;
        this.sum = all;
    }

    Map<String, Integer> numbers() {
        return numbers;
    }

    private int at(int number) {
        return number < counts.length ? counts[number] : 0;
    }

    @Override
    public int get(@Nullable String domain) {
        Integer number = domain == null ? null : numbers.get(domain);
        return number == null ? 0 : at(number);
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public long sum() {
        return sum;
    }

    @Override
    public void forEach(ObjIntConsumer<String> action) {
        numbers.forEach((domain, number) -> {
            if (at(number) != 0) {
                action.accept(domain, at(number));
            }
        });
    }

    @Override
    public void forEachCount(IntConsumer action) {
        for (int count : counts) {
            if (count != 0) {
                action.accept(count);
            }
        }
    }

    /** Adds weighted counts to sums by number of a domain. */
    void addTo(long[] sums, long weight) {
        for (int number = 0; number < Math.min(counts.length, sums.length); number++) {
            sums[number] += weight * counts[number];
        }
    }

    /** Reads the counts of the same domains again and again: where each stands is looked up once. Not thread-safe. */
    static final class Reader {
        private final List<String> domains;
        private final IdentityHashMap<Map<String, Integer>, int[]> known = new IdentityHashMap<>();

        Reader(List<String> domains) {
            this.domains = new ArrayList<>(domains);
        }

        /** Returns the counts of the domains, in their order. */
        int[] read(Counts counts) {
            int[] read = new int[domains.size()];
            if (counts instanceof CountedDomains counted) {
                int[] at = known.computeIfAbsent(counted.numbers, this::places);
                for (int i = 0; i < read.length; i++) {
                    read[i] = at[i] < 0 ? 0 : counted.at(at[i]);
                }
            } else {
                for (int i = 0; counts.size() > 0 && i < read.length; i++) {
                    read[i] = counts.get(domains.get(i));
                }
            }
            return read;
        }

        private int[] places(Map<String, Integer> numbers) {
            return domains.stream()
                    .mapToInt(domain -> numbers.getOrDefault(domain, -1))
                    .toArray();
        }
    }
}
