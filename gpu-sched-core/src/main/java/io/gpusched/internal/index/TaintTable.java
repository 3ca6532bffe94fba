package io.gpusched.internal.index;

import io.gpusched.internal.tree.HashTrie;
import io.gpusched.model.Taint;
import io.gpusched.workload.Toleration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The {@link TaintGroup}s of a snapshot, to be found by what a pod tolerates: of a thousand pools, each with a taint of its
 * own, a pod that tolerates ten sees eleven groups. Immutable and thread-safe; a group more or less costs O(log n).
 *
 * <p>A group is filed under the first of its taints that keeps pods away. A pod that does not tolerate that one tolerates not
 * all of them.
 */
final class TaintTable {
    static final TaintTable EMPTY = new TaintTable(HashTrie.empty(TaintGroup::taints), HashTrie.empty(Key::key));

    /** The key and the value under which groups are filed that keep nobody away; no taint has this key. */
    private static final String NONE = "";

    private final HashTrie<List<Taint>, TaintGroup> groups;
    private final HashTrie<String, Key> keys;

    private TaintTable(HashTrie<List<Taint>, TaintGroup> groups, HashTrie<String, Key> keys) {
        this.groups = groups;
        this.keys = keys;
    }

    /** The groups under one key of taints, by value. */
    private record Key(String key, HashTrie<String, Value> values) {}

    /** The groups under one key and one value, by their taints. */
    private record Value(String value, List<List<Taint>> taints) {}

    private static long hash(List<Taint> taints) {
        return TextHash.mix(taints.hashCode());
    }

    /** Returns the group of these taints, empty if there is none. */
    TaintGroup group(List<Taint> taints) {
        TaintGroup group = groups.get(hash(taints), taints);
        return group == null ? TaintGroup.of(taints) : group;
    }

    /** Returns this table with a group in place of that of the same taints; without it if it holds no trees. */
    TaintTable with(TaintGroup group) {
        List<Taint> taints = group.taints();
        boolean known = groups.get(hash(taints), taints) != null;
        if (group.trees().length == 0) {
            return known ? new TaintTable(groups.without(hash(taints), taints), filed(taints, false)) : this;
        }
        return new TaintTable(groups.with(hash(taints), group), known ? keys : filed(taints, true));
    }

    /** Where groups are filed, with one more or one less. */
    private HashTrie<String, Key> filed(List<Taint> taints, boolean more) {
        Taint lead = lead(taints);
        String key = lead == null ? NONE : lead.key();
        String value = lead == null ? NONE : lead.value();
        Key known = keys.get(TextHash.of(key), key);
        HashTrie<String, Value> values = known == null ? HashTrie.empty(Value::value) : known.values();
        Value there = values.get(TextHash.of(value), value);
        List<List<Taint>> changed = new ArrayList<>(there == null ? List.of() : there.taints());
        if (more) {
            changed.add(taints);
        } else {
            changed.remove(taints);
        }
        HashTrie<String, Value> rest = changed.isEmpty()
                ? values.without(TextHash.of(value), value)
                : values.with(TextHash.of(value), new Value(value, List.copyOf(changed)));
        return rest.size() == 0 ? keys.without(TextHash.of(key), key) : keys.with(TextHash.of(key), new Key(key, rest));
    }

    private static @Nullable Taint lead(List<Taint> taints) {
        for (Taint taint : taints) {
            if (taint.effect().forbids()) {
                return taint;
            }
        }
        return null;
    }

    /** Calls back with every group, in no particular order. */
    void forEach(Consumer<? super TaintGroup> action) {
        groups.forEach(action);
    }

    /** Returns all groups whose taints these tolerations cover, and maybe some more. */
    Set<TaintGroup> tolerated(List<Toleration> tolerations) {
        Set<TaintGroup> found = new LinkedHashSet<>();
        add(NONE, NONE, found);
        for (Toleration toleration : tolerations) {
            if (toleration.key().isEmpty()) {
                groups.forEach(found::add);
                return found;
            }
            String value = toleration.value().orElse(null);
            if (value != null) {
                add(toleration.key(), value, found);
            } else {
                Key key = keys.get(TextHash.of(toleration.key()), toleration.key());
                if (key != null) {
                    key.values().forEach(one -> add(one, found));
                }
            }
        }
        return found;
    }

    private void add(String keyText, String valueText, Set<TaintGroup> found) {
        Key key = keys.get(TextHash.of(keyText), keyText);
        Value value = key == null ? null : key.values().get(TextHash.of(valueText), valueText);
        if (value != null) {
            add(value, found);
        }
    }

    private void add(Value value, Set<TaintGroup> found) {
        value.taints().forEach(taints -> found.add(group(taints)));
    }
}
