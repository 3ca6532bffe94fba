package io.gpusched.internal.rules;

import io.gpusched.internal.index.TextHash;
import io.gpusched.internal.trie.HashTrie;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntConsumer;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** How many there are in each domain, by the domain's name; persistent, a change costs O(log domains). Thread-safe. */
final class DomainCounts implements Counts {
    static final DomainCounts NONE = new DomainCounts(HashTrie.empty(Domain::name), 0);

    private final HashTrie<String, Domain> domains;
    private final long sum;

    private record Domain(String name, int count) {}

    private DomainCounts(HashTrie<String, Domain> domains, long sum) {
        this.domains = domains;
        this.sum = sum;
    }

    static DomainCounts of(Map<String, Integer> counts) {
        Domain[] all = new Domain[counts.size()];
        long[] hashes = new long[all.length];
        int next = 0;
        long sum = 0;
        for (Map.Entry<String, Integer> entry : counts.entrySet()) {
            if (entry.getValue() != 0) {
                hashes[next] = TextHash.of(entry.getKey());
                all[next++] = new Domain(entry.getKey(), entry.getValue());
                sum += entry.getValue();
            }
        }
        return new DomainCounts(HashTrie.of(Domain::name, Arrays.copyOf(hashes, next), Arrays.copyOf(all, next)), sum);
    }

    @Override
    public int get(@Nullable String domain) {
        Domain found = domain == null ? null : domains.get(TextHash.of(domain), domain);
        return found == null ? 0 : found.count;
    }

    /** Returns this with some more in a domain, or fewer. */
    DomainCounts plus(String domain, int change) {
        int count = get(domain) + change;
        long hash = TextHash.of(domain);
        return new DomainCounts(
                count == 0 ? domains.without(hash, domain) : domains.with(hash, new Domain(domain, count)),
                sum + change);
    }

    @Override
    public int size() {
        return domains.size();
    }

    @Override
    public long sum() {
        return sum;
    }

    @Override
    public void forEach(ObjIntConsumer<String> action) {
        domains.forEach(domain -> action.accept(domain.name, domain.count));
    }

    @Override
    public void forEachCount(IntConsumer action) {
        domains.forEach(domain -> action.accept(domain.count));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DomainCounts counts && sum == counts.sum && toMap().equals(counts.toMap());
    }

    @Override
    public int hashCode() {
        return toMap().hashCode();
    }

    @Override
    public String toString() {
        return toMap().toString();
    }
}
