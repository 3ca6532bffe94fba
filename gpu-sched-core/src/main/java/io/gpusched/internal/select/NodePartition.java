package io.gpusched.internal.select;

import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nodes by their value of one label, or of whatever else is like one. Not thread-safe. */
final class NodePartition {
    private final Map<String, NodeBucket> values = new HashMap<>();

    /** The values that are whole numbers; "7" and "07" are the same one. */
    private final Long2ObjectSortedMap<Set<String>> numbers = new Long2ObjectRBTreeMap<>();

    private final TreeCount treeCount = new TreeCount();

    /** The nodes without the label. */
    private final NodeBucket absent = new NodeBucket(treeCount);

    private int present;

    void add(KnownNode node, @Nullable String value) {
        if (value == null) {
            absent.add(node);
            return;
        }
        NodeBucket bucket = values.get(value);
        if (bucket == null) {
            bucket = new NodeBucket(treeCount);
            values.put(value, bucket);
            Long number = number(value);
            if (number != null) {
                numbers.computeIfAbsent(number.longValue(), any -> new HashSet<>(2))
                        .add(value);
            }
        }
        bucket.add(node);
        present++;
    }

    private NodeBucket bucket(@Nullable String value) {
        NodeBucket bucket = value == null ? absent : values.get(value);
        if (bucket == null) {
            throw new IllegalStateException("no node is known to have the value \"" + value + "\"");
        }
        return bucket;
    }

    /** Whether nothing here depends on what runs on the nodes. */
    boolean hasNoTrees() {
        return treeCount.isNone();
    }

    /** Takes note of a node in another state that has this value as before. */
    void note(NodeSpot before, NodeSpot after, @Nullable String value) {
        bucket(value).note(before, after);
    }

    void remove(KnownNode node, @Nullable String value) {
        NodeBucket bucket = bucket(value);
        bucket.remove(node);
        if (value != null) {
            present--;
            if (bucket.size() == 0) {
                forget(value);
            }
        }
    }

    private void forget(String value) {
        NodeBucket gone = values.remove(value);
        if (gone != null) {
            gone.dropTrees();
        }
        Long number = number(value);
        if (number != null) {
            long key = number;
            Set<String> equal = numbers.get(key);
            if (equal != null && equal.remove(value) && equal.isEmpty()) {
                numbers.remove(key);
            }
        }
    }

    /** Returns a value as a label's comparison reads it, null if it is no whole number. */
    private static @Nullable Long number(String value) {
        if (value.isEmpty() || !Character.isDigit(value.charAt(value.length() - 1))) {
            return null;
        }
        try {
            return Long.valueOf(value);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Returns the nodes with a value, or null if there are none. */
    @Nullable
    NodeBucket find(String value) {
        return values.get(value);
    }

    /** Returns the number of nodes that have a value. */
    int present() {
        return present;
    }

    /** Returns the nodes with one of these values. */
    Selection in(Collection<String> wanted, Selection.Limits limits) {
        Selection selection = new Selection(limits);
        for (String value : wanted) {
            NodeBucket bucket = values.get(value);
            if (bucket != null && !selection.add(bucket)) {
                break;
            }
        }
        return selection;
    }

    /** Returns the nodes with none of these values. */
    Selection notIn(Collection<String> unwanted, Selection.Limits limits) {
        Set<String> distinct = unwanted.size() == 1 ? Set.copyOf(unwanted) : new HashSet<>(unwanted);
        long left = (long) present + absent.size();
        for (String value : distinct) {
            NodeBucket bucket = values.get(value);
            left -= bucket == null ? 0 : bucket.size();
        }
        Selection selection = new Selection(limits);
        if (left > limits.nodes()) {
            return selection.withTooMany();
        }
        selection.add(absent);
        for (Map.Entry<String, NodeBucket> entry : values.entrySet()) {
            if (!distinct.contains(entry.getKey()) && !selection.add(entry.getValue())) {
                break;
            }
        }
        return selection;
    }

    /** Returns the nodes that have a value. */
    Selection present(Selection.Limits limits) {
        Selection selection = new Selection(limits);
        if (present > limits.nodes()) {
            return selection.withTooMany();
        }
        for (NodeBucket bucket : values.values()) {
            if (!selection.add(bucket)) {
                break;
            }
        }
        return selection;
    }

    /** Returns the nodes that have no value. */
    Selection absent(Selection.Limits limits) {
        Selection selection = new Selection(limits);
        selection.add(absent);
        return selection;
    }

    /** Returns the nodes whose value is a whole number of a range, its ends included. */
    Selection numbers(long least, long greatest, Selection.Limits limits) {
        Selection selection = new Selection(limits);
        for (Long2ObjectMap.Entry<Set<String>> entry : numbers.tailMap(least).long2ObjectEntrySet()) {
            if (entry.getLongKey() > greatest) {
                break;
            }
            for (String value : entry.getValue()) {
                NodeBucket bucket = values.get(value);
                if (bucket != null && !selection.add(bucket)) {
                    return selection;
                }
            }
        }
        return selection;
    }
}
