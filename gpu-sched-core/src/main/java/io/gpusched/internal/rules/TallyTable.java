package io.gpusched.internal.rules;

import io.gpusched.internal.index.TextHash;
import io.gpusched.internal.trie.HashTrie;
import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The counts that running pods need, found by what they count and by the pods that they concern. Persistent: a change costs
 * O(log n). Immutable and thread-safe.
 */
final class TallyTable {
    /*
     * Which of thousands of terms mean a pod? Most ask for one value of one label in one namespace. So each term stands in
     * a bucket named by these; the others stand in one bucket that every pod looks at. A pod looks into one bucket for each
     * of its labels.
     */
    static final TallyTable EMPTY = new TallyTable(HashTrie.empty(Tally::key), HashTrie.empty(Bucket::name));

    private static final String OTHERS = "";
    private static final char END = '\0';

    private final HashTrie<TallyKey, Tally> byKey;
    private final HashTrie<String, Bucket> buckets;

    private record Bucket(String name, List<TallyKey> keys) {}

    private TallyTable(HashTrie<TallyKey, Tally> byKey, HashTrie<String, Bucket> buckets) {
        this.byKey = byKey;
        this.buckets = buckets;
    }

    private static long hash(TallyKey key) {
        return TallyHash.of(key);
    }

    boolean isEmpty() {
        return byKey.size() == 0;
    }

    int size() {
        return byKey.size();
    }

    @Nullable
    Tally get(TallyKey key) {
        return byKey.get(hash(key), key);
    }

    void forEach(Consumer<? super Tally> action) {
        byKey.forEach(action);
    }

    /** Returns this with a count in place of the one of the same key; without it if nobody needs it any more. */
    TallyTable with(Tally tally) {
        TallyKey key = tally.key();
        boolean isNew = get(key) == null;
        if (tally.users() == 0) {
            return isNew ? this : new TallyTable(byKey.without(hash(key), key), changed(key, false));
        }
        return new TallyTable(byKey.with(hash(key), tally), isNew ? changed(key, true) : buckets);
    }

    private HashTrie<String, Bucket> changed(TallyKey key, boolean comes) {
        String name = bucketOf(key);
        if (name == null) {
            return buckets;
        }
        Bucket known = buckets.get(TextHash.of(name), name);
        List<TallyKey> keys = new ArrayList<>(known == null ? List.of() : known.keys);
        if (comes) {
            keys.add(key);
        } else {
            keys.remove(key);
        }
        return keys.isEmpty()
                ? buckets.without(TextHash.of(name), name)
                : buckets.with(TextHash.of(name), new Bucket(name, List.copyOf(keys)));
    }

    /** Ports are looked up by their key alone. */
    private static @Nullable String bucketOf(TallyKey key) {
        if (key instanceof TallyKey.Holding holding) {
            String name = bucketOf(holding.pattern());
            return name == null ? OTHERS : name;
        }
        if (key instanceof TallyKey.Matching matching) {
            for (PodPattern pattern : matching.patterns()) {
                String name = bucketOf(pattern);
                if (name != null) {
                    return name;
                }
            }
            return OTHERS;
        }
        return null;
    }

    private static @Nullable String bucketOf(PodPattern pattern) {
        if (pattern.looksAtNamespaces() || pattern.namespaces().size() != 1) {
            return null;
        }
        for (Requirement requirement : pattern.pods().requirements()) {
            if (requirement.operator() == Operator.IN && requirement.values().size() == 1) {
                String namespace = pattern.namespaces().iterator().next();
                return name(namespace, requirement.key(), requirement.values().get(0));
            }
        }
        return null;
    }

    private static String name(String namespace, String key, String value) {
        return namespace + END + key + END + value;
    }

    /** Calls back with the counts of pods that a pod belongs to, and with the terms held that mean it. */
    void forEachOf(String namespace, Map<String, String> labels, Namespaces known, Consumer<? super Tally> action) {
        look(OTHERS, namespace, labels, known, action);
        labels.forEach((key, value) -> look(name(namespace, key, value), namespace, labels, known, action));
    }

    private void look(
            String name,
            String namespace,
            Map<String, String> labels,
            Namespaces known,
            Consumer<? super Tally> action) {
        Bucket bucket = buckets.get(TextHash.of(name), name);
        if (bucket == null) {
            return;
        }
        for (TallyKey key : bucket.keys) {
            Tally tally = means(key, namespace, labels, known) ? get(key) : null;
            if (tally != null) {
                action.accept(tally);
            }
        }
    }

    /** Whether a pod is one of those that are counted, or one of those that a term means. */
    static boolean means(TallyKey key, String namespace, Map<String, String> labels, Namespaces known) {
        if (key instanceof TallyKey.Holding holding) {
            return holding.pattern().matches(namespace, labels, known);
        }
        if (key instanceof TallyKey.Matching matching) {
            for (PodPattern pattern : matching.patterns()) {
                if (!pattern.matches(namespace, labels, known)) {
                    return false;
                }
            }
            return true;
        }
        return false;
    }

    Map<TallyKey, Tally> toMap() {
        Map<TallyKey, Tally> map = new LinkedHashMap<>();
        forEach(tally -> map.put(tally.key(), tally));
        return map;
    }
}
