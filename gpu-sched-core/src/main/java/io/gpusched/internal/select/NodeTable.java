package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All nodes that a {@link SelectionIndex} knows, by name, by key in the node order and by a small number of their own, which
 * columns of labels are indexed by. Not thread-safe.
 */
final class NodeTable {
    private static final int NONE = -1;

    private final Map<String, KnownNode> byName = new HashMap<>();
    private final Long2IntOpenHashMap byOrder = new Long2IntOpenHashMap();
    private @Nullable KnownNode[] byId = new KnownNode[16];

    /** Numbers of nodes that left. */
    private final IntArrayList free = new IntArrayList();

    private int nextId;

    NodeTable() {
        byOrder.defaultReturnValue(NONE);
    }

    int size() {
        return byName.size();
    }

    @Nullable
    KnownNode find(String name) {
        return byName.get(name);
    }

    /** Adds a node whose name is new. */
    KnownNode add(NodeSpot spot) {
        int id = free.isEmpty() ? nextId++ : free.popInt();
        KnownNode node = new KnownNode(id, spot);
        if (id == byId.length) {
            byId = Arrays.copyOf(byId, 2 * id);
        }
        byId[id] = node;
        byName.put(spot.node().name(), node);
        byOrder.put(node.order(), id);
        return node;
    }

    void remove(KnownNode node) {
        byName.remove(node.spot().node().name());
        forgetOrder(node);
        byId[node.id()] = null;
        free.push(node.id());
    }

    /** Another node may have moved to its place by now. */
    private void forgetOrder(KnownNode node) {
        if (byOrder.get(node.order()) == node.id()) {
            byOrder.remove(node.order());
        }
    }

    /** Takes note of a node in another state, perhaps at another place. */
    void move(KnownNode node, NodeSpot spot) {
        long before = node.order();
        long after = NodeAccess.order(spot.node());
        if (before != after) {
            forgetOrder(node);
            byOrder.put(after, node.id());
        }
        node.setSpot(spot);
    }

    /** Returns the node with this key in the node order, or null. */
    @Nullable
    KnownNode at(long order) {
        int id = byOrder.get(order);
        return id == NONE ? null : byId[id];
    }

    /** Returns the number of the node with this key in the node order, negative if there is none. */
    int id(long order) {
        return byOrder.get(order);
    }

    /** Returns the node of this number, which must be there. */
    KnownNode get(int id) {
        KnownNode node = byId[id];
        if (node == null) {
            throw new IllegalStateException("no node has the number " + id);
        }
        return node;
    }

    /** Calls back with every node. */
    void forEach(Consumer<? super KnownNode> action) {
        for (int id = 0; id < nextId; id++) {
            KnownNode node = byId[id];
            if (node != null) {
                action.accept(node);
            }
        }
    }
}
