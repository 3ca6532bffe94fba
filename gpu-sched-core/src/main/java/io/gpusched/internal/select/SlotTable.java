package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a snapshot by slot: a small number that ascends in node order within each of the snapshot's trees. Nodes that
 * join later get slots behind all others, their order is kept in a list; once there are many of these it is time for a new
 * table. Not thread-safe.
 */
final class SlotTable {
    private static final int NONE = -1;

    private static final int FEW_LATE = 64;
    private static final int PART_LATE = 64;

    private @Nullable NodeState[] states;
    private long[] orders;
    private final SlotSet taken = new SlotSet();

    /** By {@linkplain NodeAccess#number number} of the node, as long as that is known. */
    private int[] slots;

    /** By position of a tree: from where and up to where its nodes stand, but for late ones. */
    private int[] starts = {};

    private int[] ends = {};

    /** The first slot of nodes that came later. */
    private final int firstLate;

    private int next;
    private int size;

    /** Slots of nodes that came later and left. */
    private final IntArrayList free = new IntArrayList();

    /** Slots of nodes that came later, once asked for in node order. */
    private final IntArrayList late = new IntArrayList();

    private boolean lateIsSorted = true;

    SlotTable(Cluster cluster) {
        int nodes = cluster.size();
        this.states = new NodeState[nodes];
        this.orders = new long[nodes];
        this.slots = new int[nodes];
        Arrays.fill(slots, NONE);
        for (ClassIndex tree : ClusterIndex.of(cluster).classes()) {
            // no word of a bitmap has nodes of two trees
            next = next + Long.SIZE - 1 & -Long.SIZE;
            starts = atLeast(starts, tree.position() + 1);
            ends = atLeast(ends, tree.position() + 1);
            starts[tree.position()] = next;
            tree.forEach(node -> put(next++, node));
            ends[tree.position()] = next;
        }
        this.firstLate = next;
    }

    private static int[] atLeast(int[] array, int length) {
        return length <= array.length ? array : Arrays.copyOf(array, length);
    }

    private void put(int slot, NodeState node) {
        if (slot >= states.length) {
            states = Arrays.copyOf(states, Math.max(slot + 1, states.length * 5 / 4));
            orders = Arrays.copyOf(orders, states.length);
        }
        int number = NodeAccess.number(node);
        if (number >= slots.length) {
            int known = slots.length;
            slots = Arrays.copyOf(slots, Math.max(number + 1, known * 5 / 4));
            Arrays.fill(slots, known, slots.length, NONE);
        }
        states[slot] = node;
        orders[slot] = NodeAccess.order(node);
        slots[number] = slot;
        taken.add(slot);
        size++;
    }

    /** Returns the number of nodes. */
    int size() {
        return size;
    }

    /** Whether so many nodes came later, or left, that a new table serves better. */
    boolean isWorn() {
        return late.size() > FEW_LATE + size / PART_LATE || next > 4 * size + (starts.length + 1) * 2 * Long.SIZE;
    }

    /** Returns the slot of a node of the snapshot that this is at. */
    int slot(NodeState node) {
        return slots[NodeAccess.number(node)];
    }

    /** Returns the node of a slot that is taken. */
    NodeState state(int slot) {
        NodeState state = slot < states.length ? states[slot] : null;
        if (state == null) {
            throw new IllegalStateException("no node has the slot " + slot);
        }
        return state;
    }

    /** Returns the key of a slot's node in the node order. */
    long order(int slot) {
        return orders[slot];
    }

    /** Gives a slot to a node that is new, and returns it. */
    int add(NodeState node) {
        int slot = free.isEmpty() ? next++ : free.popInt();
        put(slot, node);
        late.add(slot);
        lateIsSorted = false;
        return slot;
    }

    void remove(int slot) {
        int number = NodeAccess.number(state(slot));
        slots[number] = NONE;
        states[slot] = null;
        taken.remove(slot);
        size--;
        if (slot >= firstLate) {
            late.rem(slot);
            free.push(slot);
        }
    }

    /** Takes note of a node of a slot in another state, which stands between the same others as before. */
    void replace(int slot, NodeState node) {
        states[slot] = node;
        orders[slot] = NodeAccess.order(node);
    }

    /** Returns the slots of the nodes that came later, in node order; not to be written to. */
    IntArrayList late() {
        if (!lateIsSorted) {
            late.sort((one, other) -> Long.compare(orders[one], orders[other]));
            lateIsSorted = true;
        }
        return late;
    }

    /** Returns up to where the nodes of a tree stand, but for late ones. */
    int end(int tree) {
        return tree < ends.length ? ends[tree] : 0;
    }

    /** Returns the first slot of a tree's nodes, but for late ones, that is not before a key in the node order. */
    int start(int tree, long order) {
        if (tree >= starts.length) {
            return 0;
        }
        int from = starts[tree];
        if (order <= 0) {
            return from;
        }
        for (int to = ends[tree]; from < to; ) {
            int middle = (from + to) >>> 1;
            int slot = taken.next(middle);
            if (slot < 0 || slot >= to || orders[slot] >= order) {
                to = middle;
            } else {
                from = slot + 1;
            }
        }
        return from;
    }

    /** Returns the next slot that a node has, from this one on; -1 if there is none. */
    int next(int from) {
        return taken.next(from);
    }
}
