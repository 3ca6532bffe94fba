package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import io.gpusched.model.amount.NamedAmounts;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The nodes that have anything free of a resource counted by name, for the names asked for last. Not thread-safe. */
final class ResourceSets {
    /** This many names are followed; each costs a look for every node that changes. */
    private static final int MOST_NAMES = 16;

    private final NodeSlots nodes;
    private final Map<String, Bitmap> having = new LatestMap<>(MOST_NAMES);

    ResourceSets(NodeSlots nodes) {
        this.nodes = nodes;
    }

    /** Takes note of a node that changed; null where there was, or is, none. */
    void changed(int slot, @Nullable NodeState after) {
        if (!having.isEmpty()) {
            having.forEach((name, some) -> some.set(slot, after != null && after.free(name) > 0));
        }
    }

    /** Adds, for each of these resources, the nodes that have any of it free. O(n) for a name not asked for lately. */
    void addConditions(NamedAmounts wanted, List<NodeCondition> conditions) {
        List<String> names = wanted.names();
        for (int i = 0; i < names.size() && i < MOST_NAMES; i++) {
            conditions.add(NodeCondition.in(
                    having.computeIfAbsent(names.get(i), name -> nodes.where(node -> node.free(name) > 0))));
        }
    }
}
