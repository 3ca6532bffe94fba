package io.gpusched.internal.rules;

import io.gpusched.internal.index.TextHash;
import io.gpusched.workload.LabelSelector;
import io.gpusched.workload.LabelSelector.Requirement;

/**
 * Hashes of keys of counts, of 64 bits. Whoever writes labels and rules could write any number of them whose own hashes are
 * the same, and each pod would then be compared with all of them.
 */
final class TallyHash {
    private static final long STEP = 31;

    private TallyHash() {}

    static long of(TallyKey key) {
        if (key instanceof TallyKey.Matching matching) {
            long hash = TextHash.of(matching.lasting() ? 1 : 2, matching.topology());
            for (PodPattern pattern : matching.patterns()) {
                hash = of(hash, pattern);
            }
            return hash;
        }
        if (key instanceof TallyKey.Holding holding) {
            long what = TextHash.of(holding.weight(), holding.kind().name());
            return of(TextHash.of(what, holding.topology()), holding.pattern());
        }
        TallyKey.Port port = (TallyKey.Port) key;
        return TextHash.of(TextHash.of(port.port(), port.protocol().name()), port.ip());
    }

    private static long of(long before, PodPattern pattern) {
        long sum = pattern.namespaces().size();
        for (String namespace : pattern.namespaces()) {
            // a set has no order
            sum += TextHash.of(namespace);
        }
        long hash = of(before * STEP + sum, pattern.pods());
        return pattern.namespaceSelector().isPresent()
                ? of(hash + 1, pattern.namespaceSelector().get())
                : hash;
    }

    private static long of(long before, LabelSelector selector) {
        long hash = before;
        for (Requirement requirement : selector.requirements()) {
            hash = TextHash.of(TextHash.of(hash, requirement.operator().name()), requirement.key());
            for (String value : requirement.values()) {
                hash = TextHash.of(hash, value);
            }
        }
        return TextHash.of(hash, "");
    }
}
