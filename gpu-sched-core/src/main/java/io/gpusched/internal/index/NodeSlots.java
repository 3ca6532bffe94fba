package io.gpusched.internal.index;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.objects.Object2IntOpenHashMap;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a snapshot in slots that ascend in node order: by topology, then by name. Not thread-safe.
 *
 * <p>Every eighth slot is left free at first. A node that joins takes a free slot between its neighbours; if there is none, the
 * nodes up to the nearest free slot move by one. If none is near, all slots have to be given again, in O(n): that is so after about
 * a hundred nodes that join at one place. Gaps that nodes leave behind are used again.
 */
final class NodeSlots {
    /** Is told of each node that takes or leaves a slot. */
    interface Moves {
        void changed(int slot, @Nullable NodeState before, @Nullable NodeState after);
    }

    private static final int NODES_IN_EIGHT = 7;

    /** As far as this a free slot is looked for. */
    private static final int FARTHEST = 512;

    private final @Nullable NodeState[] states;
    private final Bitmap taken;
    private final Object2IntOpenHashMap<String> names;

    /** Puts nodes, which are in node order, into slots. */
    NodeSlots(List<NodeState> nodes) {
        int capacity = Bitmap.above(nodes.size() * 8 / NODES_IN_EIGHT + Long.SIZE) << 6;
        states = new NodeState[capacity];
        taken = new Bitmap(capacity);
        names = new Object2IntOpenHashMap<>(nodes.size());
        names.defaultReturnValue(-1);
        for (int i = 0; i < nodes.size(); i++) {
            put(i + i / NODES_IN_EIGHT, nodes.get(i));
        }
    }

    private void put(int slot, NodeState node) {
        states[slot] = node;
        taken.add(slot);
        names.put(node.name(), slot);
    }

    int capacity() {
        return states.length;
    }

    /** The slots that have a node. */
    Bitmap taken() {
        return taken;
    }

    /** Returns the slots of the nodes that pass a test. */
    Bitmap where(Predicate<NodeState> test) {
        Bitmap found = new Bitmap(capacity());
        for (int slot = taken.next(0); slot >= 0; slot = taken.next(slot + 1)) {
            if (test.test(state(slot))) {
                found.add(slot);
            }
        }
        return found;
    }

    @Nullable
    NodeState get(int slot) {
        return states[slot];
    }

    /** Returns the slot of the node of this name, or -1. */
    int slot(String name) {
        return names.getInt(name);
    }

    /** Puts a node in place of one of the same name and topology. */
    void replace(int slot, NodeState node) {
        states[slot] = node;
    }

    void remove(int slot) {
        names.removeInt(state(slot).name());
        taken.remove(slot);
        states[slot] = null;
    }

    private NodeState state(int slot) {
        NodeState state = states[slot];
        if (state == null) {
            throw new IllegalStateException("no node is in slot " + slot);
        }
        return state;
    }

    /** Returns the first slot whose node stands behind a node, or the number of slots if none does. */
    private int firstBehind(Node node) {
        int from = 0;
        int to = states.length;
        while (from < to) {
            int middle = (from + to) >>> 1;
            int slot = taken.next(middle);
            if (slot < 0 || slot >= to || compare(state(slot).node(), node) > 0) {
                to = middle;
            } else {
                from = slot + 1;
            }
        }
        int slot = from >= states.length ? -1 : taken.next(from);
        return slot < 0 ? states.length : slot;
    }

    private static int compare(Node one, Node other) {
        int byTopology = one.topology().compareTo(other.topology());
        return byTopology != 0 ? byTopology : one.name().compareTo(other.name());
    }

    /** Puts a new node into a slot between its neighbours, and tells which nodes move for it; returns false, and changes nothing, if there is no room. */
    boolean insert(NodeState node, Moves moves) {
        int behind = firstBehind(node.node());
        int before = behind == 0 ? -1 : taken.previous(behind - 1);
        int slot = behind == states.length ? before + 1 : before + behind >> 1;
        if (slot == behind || slot == before) {
            slot = madeFree(before, behind, moves);
        }
        if (slot < 0) {
            return false;
        }
        put(slot, node);
        moves.changed(slot, null, node);
        return true;
    }

    /** Moves nodes by one so that there is a free slot between these neighbours, which have none between them; returns it, or -1. */
    private int madeFree(int before, int behind, Moves moves) {
        for (int distance = 0; distance < FARTHEST; distance++) {
            int up = behind + distance;
            if (up < states.length && states[up] == null) {
                for (int slot = up; slot > behind; slot--) {
                    move(slot - 1, slot, moves);
                }
                return behind;
            }
            int down = before - distance;
            if (down >= 0 && states[down] == null) {
                for (int slot = down; slot < before; slot++) {
                    move(slot + 1, slot, moves);
                }
                return before;
            }
        }
        return -1;
    }

    private void move(int from, int to, Moves moves) {
        NodeState node = state(from);
        remove(from);
        moves.changed(from, node, null);
        put(to, node);
        moves.changed(to, null, node);
    }

    /** Throws {@link IllegalStateException} unless slots ascend in node order and are found by name; returns their number. */
    int validate() {
        int count = 0;
        int last = -1;
        for (int slot = 0; slot < states.length; slot++) {
            NodeState state = states[slot];
            if ((state != null) != taken.contains(slot)) {
                throw new IllegalStateException("slot " + slot + " has " + state);
            }
            if (state == null) {
                continue;
            }
            if (last >= 0 && compare(state(last).node(), state.node()) >= 0 || slot(state.name()) != slot) {
                throw new IllegalStateException(state.name() + " is not to be in slot " + slot);
            }
            last = slot;
            count++;
        }
        return count;
    }
}
