package io.gpusched.internal.index;

import io.gpusched.model.NodeState;
import java.util.Arrays;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The slots of nodes by name: an open hash table of slots that keeps no names, but looks at the nodes. A node that is the same
 * object is found without comparing names. Not thread-safe.
 */
final class SlotNames {
    private static final int NONE = -1;

    private final IntFunction<@Nullable NodeState> states;
    private int[] table;
    private int size;

    SlotNames(int nodes, IntFunction<@Nullable NodeState> states) {
        this.states = states;
        this.table = table(nodes);
    }

    private static int[] table(int nodes) {
        int[] table = new int[Integer.highestOneBit(Math.max(4, nodes)) << 2];
        Arrays.fill(table, NONE);
        return table;
    }

    private int home(String name) {
        int hash = name.hashCode() * 0x9E3779B9;
        return (hash ^ hash >>> 15) & table.length - 1;
    }

    private NodeState state(int slot) {
        NodeState state = states.apply(slot);
        if (state == null) {
            throw new IllegalStateException("no node is in slot " + slot);
        }
        return state;
    }

    /** Returns the slot of the node of this name, or -1. */
    int slot(String name) {
        for (int at = home(name); table[at] != NONE; at = at + 1 & table.length - 1) {
            if (state(table[at]).name().equals(name)) {
                return table[at];
            }
        }
        return -1;
    }

    /** Returns the slot of this node, which is in the table. */
    @SuppressWarnings("ReferenceEquality") // the same object is the usual case, and quick
    int slot(NodeState node) {
        int at = home(node.name());
        for (; table[at] != NONE; at = at + 1 & table.length - 1) {
            if (states.apply(table[at]) == node) {
                return table[at];
            }
        }
        return slot(node.name());
    }

    /** Adds a slot, whose node is there already and has a new name. */
    void add(int slot) {
        if (2 * ++size > table.length) {
            int[] old = table;
            table = table(old.length);
            for (int other : old) {
                if (other != NONE) {
                    put(other);
                }
            }
        }
        put(slot);
    }

    private void put(int slot) {
        int at = home(state(slot).name());
        while (table[at] != NONE) {
            at = at + 1 & table.length - 1;
        }
        table[at] = slot;
    }

    /** Removes a slot whose node is still there. */
    void remove(int slot) {
        int at = home(state(slot).name());
        while (table[at] != slot) {
            at = at + 1 & table.length - 1;
        }
        size--;
        // closes the gap, so that no search ends there too early
        for (int next = at + 1 & table.length - 1; table[next] != NONE; next = next + 1 & table.length - 1) {
            int home = home(state(table[next]).name());
            if ((next - home & table.length - 1) >= (next - at & table.length - 1)) {
                table[at] = table[next];
                at = next;
            }
        }
        table[at] = NONE;
    }
}
