package io.gpusched.internal.rules;

import io.gpusched.workload.LabelSelector.Operator;
import io.gpusched.workload.LabelSelector.Requirement;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Counts by domain, found by what they count and by the pods that they are about. Not thread-safe. */
final class TallyTable {
    /*
     * Which of thousands of terms are about a pod? Most ask for one value of one label in one namespace. So each term is in a
     * group named by these; the others are in one group that is looked at for every pod. For a pod one group is looked at for each
     * of its labels, and the one of the others.
     */
    private static final String OTHERS = "";
    private static final char END = '\0';

    private final Map<TallyKey, Tally> byKey = new HashMap<>();
    private final Map<String, Set<Tally>> groups = new HashMap<>();

    boolean isEmpty() {
        return byKey.isEmpty();
    }

    int size() {
        return byKey.size();
    }

    void clear() {
        byKey.clear();
        groups.clear();
    }

    @Nullable
    Tally get(TallyKey key) {
        return byKey.get(key);
    }

    /** Returns the tally of a key, made if there was none. */
    Tally of(TallyKey key) {
        Tally known = byKey.get(key);
        if (known == null) {
            known = new Tally(key);
            add(known);
        }
        return known;
    }

    /** Adds a tally whose key has none. */
    void add(Tally tally) {
        byKey.put(tally.key(), tally);
        if (!tally.key().patterns().isEmpty()) {
            groups.computeIfAbsent(group(tally.key()), name -> new LinkedHashSet<>())
                    .add(tally);
        }
    }

    void remove(Tally tally) {
        byKey.remove(tally.key());
        groups.computeIfPresent(
                group(tally.key()), (name, group) -> group.remove(tally) && group.isEmpty() ? null : group);
    }

    void forEach(Consumer<? super Tally> action) {
        byKey.values().forEach(action);
    }

    /** Calls back with each tally whose key is about pods, and about this one; in no particular order. */
    void forEachOf(
            String namespace,
            Map<String, String> labels,
            Map<String, Map<String, String>> namespaces,
            Consumer<? super Tally> action) {
        look(OTHERS, namespace, labels, namespaces, action);
        labels.forEach((key, value) -> look(name(namespace, key, value), namespace, labels, namespaces, action));
    }

    private void look(
            String group,
            String namespace,
            Map<String, String> labels,
            Map<String, Map<String, String>> namespaces,
            Consumer<? super Tally> action) {
        for (Tally tally : groups.getOrDefault(group, Set.of())) {
            if (tally.key().matches(namespace, labels, namespaces)) {
                action.accept(tally);
            }
        }
    }

    private static String group(TallyKey key) {
        for (PodPattern pattern : key.patterns()) {
            String name = group(pattern);
            if (name != null) {
                return name;
            }
        }
        return OTHERS;
    }

    private static @Nullable String group(PodPattern pattern) {
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

    Map<TallyKey, DomainCounts> toMap() {
        Map<TallyKey, DomainCounts> counts = new HashMap<>();
        byKey.forEach((key, tally) -> counts.put(key, tally.counts()));
        return counts;
    }
}
