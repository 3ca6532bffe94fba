package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells which nodes differ between two snapshots. A node that moved from one tree to another, or to another place in the
 * order, is gone in one place and new in the other: both are joined by its name.
 */
final class StoreDiff {
    private final BiConsumer<@Nullable NodeState, @Nullable NodeState> change;
    private final Map<String, NodeState> gone = new LinkedHashMap<>();
    private final Map<String, NodeState> come = new LinkedHashMap<>();

    StoreDiff(BiConsumer<@Nullable NodeState, @Nullable NodeState> change) {
        this.change = change;
    }

    /** Takes note of a tree that differs. */
    void tree(@Nullable ClassIndex now, @Nullable ClassIndex before) {
        if (now != null && before != null) {
            now.forEachChange(before, this::node);
        } else if (now != null) {
            now.forEach(state -> node(state, null));
        } else if (before != null) {
            before.forEach(state -> node(null, state));
        }
    }

    private void node(@Nullable NodeState now, @Nullable NodeState before) {
        if (now != null && before != null && areOfOneNode(now, before)) {
            change.accept(before, now);
            return;
        }
        if (before != null) {
            gone.put(before.name(), before);
        }
        if (now != null) {
            come.put(now.name(), now);
        }
    }

    @SuppressWarnings("ReferenceEquality") // mostly the same machine, whose name need not be fetched then
    private static boolean areOfOneNode(NodeState now, NodeState before) {
        return now.node() == before.node() || now.name().equals(before.name());
    }

    /** Tells of what is left over when all trees have been noted. */
    void finish() {
        gone.forEach((name, before) -> change.accept(before, come.remove(name)));
        come.values().forEach(now -> change.accept(null, now));
    }
}
