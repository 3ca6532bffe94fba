package io.gpusched.internal.select;

import io.gpusched.workload.NodeRequirement;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectRBTreeMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectSortedMap;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Nodes by their value of one label, or of whatever else is like one. Not thread-safe. */
final class NodePartition {
    /** So many sets of single values are worth being looked up and joined. */
    private static final int MOST_SETS = 32;

    private final Map<String, NodeSet> values = new HashMap<>();

    /** The values that are whole numbers; "7" and "07" are the same one. */
    private final Long2ObjectSortedMap<List<NodeSet>> numbers = new Long2ObjectRBTreeMap<>();

    private final LabelColumn column = new LabelColumn();

    /** The nodes without the label. */
    private final NodeSet absent = new NodeSet(LabelColumn.ABSENT);

    /** The nodes that have it, whatever the value. */
    private final NodeSet present = new NodeSet(LabelColumn.ABSENT);

    private long lastAsked;

    /** The ends of a range that has more numbers than are worth it, as long as none is forgotten; the first above the last if none is known. */
    private long wideFrom = Long.MAX_VALUE;

    private long wideTo = Long.MIN_VALUE;

    void add(int slot, @Nullable String value) {
        NodeSet set = value == null ? absent : values.computeIfAbsent(value, this::newSet);
        set.add(slot);
        column.set(slot, set.code());
        if (value != null) {
            present.add(slot);
        }
    }

    private NodeSet newSet(String value) {
        Long number = number(value);
        NodeSet set = new NodeSet(column.newCode(number));
        if (number != null) {
            numbers.computeIfAbsent(number.longValue(), any -> new ArrayList<>(1))
                    .add(set);
        }
        return set;
    }

    /** When it was asked for last, by whatever clock its owner has. */
    long lastAsked() {
        return lastAsked;
    }

    void setLastAsked(long value) {
        lastAsked = value;
    }

    void remove(int slot, @Nullable String value) {
        NodeSet set = value == null ? absent : values.get(value);
        if (set == null) {
            throw new IllegalStateException("no node is known to have the value \"" + value + "\"");
        }
        set.remove(slot);
        if (value != null) {
            present.remove(slot);
            if (set.size() == 0) {
                forget(value);
            }
        }
    }

    private void forget(String value) {
        NodeSet gone = values.remove(value);
        if (gone == null) {
            return;
        }
        column.free(gone.code());
        Long number = number(value);
        if (number != null) {
            wideFrom = Long.MAX_VALUE;
            wideTo = Long.MIN_VALUE;
            List<NodeSet> equal = numbers.get(number.longValue());
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
        NodeSet set = values.get(value);
        return set == null ? LabelColumn.ABSENT : set.code();
    }

    /** Returns the nodes that have a value. */
    NodeSet present() {
        return present;
    }

    /** Returns the nodes that have no value. */
    NodeSet absent() {
        return absent;
    }

    /** Returns the nodes with one of these values. */
    Lead in(Collection<String> wanted) {
        List<NodeSet> sets = new ArrayList<>(wanted.size());
        for (String value : wanted) {
            NodeSet set = values.get(value);
            if (set != null) {
                sets.add(set);
            }
        }
        return Lead.of(sets);
    }

    /** Returns the nodes with none of these values, null if that takes joining many sets. */
    @Nullable
    Lead notIn(Collection<String> unwanted) {
        if (values.size() > MOST_SETS) {
            return null;
        }
        List<NodeSet> sets = new ArrayList<>();
        sets.add(absent);
        values.forEach((value, set) -> {
            if (!unwanted.contains(value)) {
                sets.add(set);
            }
        });
        return Lead.of(sets);
    }

    /** Returns the nodes whose value is a whole number of a range, its ends included; null if that takes joining many sets. */
    @Nullable
    Lead numbers(long least, long greatest) {
        if (least <= wideFrom && wideFrom <= wideTo && wideTo <= greatest) {
            return null;
        }
        List<NodeSet> sets = new ArrayList<>();
        for (Long2ObjectMap.Entry<List<NodeSet>> entry : numbers.tailMap(least).long2ObjectEntrySet()) {
            if (entry.getLongKey() > greatest) {
                break;
            }
            sets.addAll(entry.getValue());
            if (sets.size() > MOST_SETS) {
                wideFrom = numbers.tailMap(least).firstLongKey();
                wideTo = entry.getLongKey();
                return null;
            }
        }
        return Lead.of(sets);
    }
}
