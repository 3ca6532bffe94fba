package io.gpusched.internal.select;

import io.gpusched.workload.NodeRequirement;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Nodes by their value of one label, or of whatever else is like one. Not thread-safe. */
final class NodePartition {
    private final Map<String, NodeBucket> values = new HashMap<>();

    /** The values that are whole numbers; "7" and "07" are the same one. */
    private final Long2ObjectSortedMap<List<NodeBucket>> numbers = new Long2ObjectRBTreeMap<>();

    private final TreeCount treeCount = new TreeCount();
    private final LabelColumn column = new LabelColumn();

    /** The nodes without the label. */
    private final NodeBucket absent = new NodeBucket(treeCount, LabelColumn.ABSENT);

    private int present;
    private long lastAsked;

    void add(KnownNode node, @Nullable String value) {
        NodeBucket bucket = value == null ? absent : values.computeIfAbsent(value, this::newBucket);
        bucket.add(node);
        column.set(node.id(), bucket.code());
        present += value == null ? 0 : 1;
    }

    private NodeBucket newBucket(String value) {
        Long number = number(value);
        NodeBucket bucket = new NodeBucket(treeCount, column.newCode(number));
        if (number != null) {
            numbers.computeIfAbsent(number.longValue(), any -> new ArrayList<>(1))
                    .add(bucket);
        }
        return bucket;
    }

    private NodeBucket bucket(@Nullable String value) {
        NodeBucket bucket = value == null ? absent : values.get(value);
        if (bucket == null) {
            throw new IllegalStateException("no node is known to have the value \"" + value + "\"");
        }
        return bucket;
    }

    /** When it was asked for last, by whatever clock its owner has. */
    long lastAsked() {
        return lastAsked;
    }

    void setLastAsked(long value) {
        lastAsked = value;
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
        if (gone == null) {
            return;
        }
        gone.dropTrees();
        column.free(gone.code());
        Long number = number(value);
        if (number != null) {
            List<NodeBucket> equal = numbers.get(number.longValue());
            if (equal != null && equal.remove(gone) && equal.isEmpty()) {
                numbers.remove(number.longValue());
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

    /** Returns a test of nodes, by number, for a requirement on what this is about. */
    IntPredicate test(NodeRequirement requirement) {
        return column.test(requirement, this::code);
    }

    private int code(String value) {
        NodeBucket bucket = values.get(value);
        return bucket == null ? LabelColumn.ABSENT : bucket.code();
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
        for (Long2ObjectMap.Entry<List<NodeBucket>> entry :
                numbers.tailMap(least).long2ObjectEntrySet()) {
            if (entry.getLongKey() > greatest) {
                break;
            }
            for (NodeBucket bucket : entry.getValue()) {
                if (!selection.add(bucket)) {
                    return selection;
                }
            }
        }
        return selection;
    }
}
