package io.gpusched.internal.index;

import io.gpusched.internal.rules.Places;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes by their domain of one {@linkplain Places key}, which for nodes that have it as a label is its value. Not thread-safe. */
final class LabelColumn {
    private static final ValueSlots NONE = new ValueSlots();

    private final String key;
    private final int capacity;
    private final Map<String, ValueSlots> values = new HashMap<>();

    LabelColumn(String key, NodeSlots nodes) {
        this.key = key;
        this.capacity = nodes.capacity();
        for (int slot = nodes.taken().next(0); slot >= 0; slot = nodes.taken().next(slot + 1)) {
            NodeState node = nodes.get(slot);
            changed(slot, null, node == null ? null : node.node());
        }
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    void changed(int slot, @Nullable Node before, @Nullable Node after) {
        String had = before == null ? null : Places.domain(key, before);
        String has = after == null ? null : Places.domain(key, after);
        if (had != null && !had.equals(has)) {
            ValueSlots left = slots(had);
            left.remove(slot);
            if (left.size() == 0) {
                values.remove(had);
            }
        }
        if (has != null && !has.equals(had)) {
            values.computeIfAbsent(has, value -> new ValueSlots()).add(slot, capacity);
        }
    }

    /** Returns the nodes with a value. */
    ValueSlots slots(String value) {
        return values.getOrDefault(value, NONE);
    }
}
