package io.gpusched.model;

import io.gpusched.internal.index.HashIndex;
import java.util.List;

/**
 * Of each node the state that was made last in any of the snapshots that share an {@link Inventory}, and so most likely the
 * one that it has in the snapshot at hand.
 *
 * <p>Any thread writes here, and nobody relies on what is found; but it is always a state of the node asked for. Of
 * snapshots that nobody has any more, this keeps one state of each node alive at most.
 */
final class LatestStates {
    /** So many that there is a slot for each node of the largest cluster. */
    private static final int SLOT_BITS = Integer.bitCount(HashIndex.MAX_VALUE);

    /** By class index and slot. */
    private final NodeState[][] states;

    LatestStates(List<NodeClass> classes) {
        states = new NodeState[classes.size()][];
        for (NodeClass nodeClass : classes) {
            states[nodeClass.index()] = new NodeState[nodeClass.size()];
        }
    }

    /** A class and a slot in it as one number; -1 if there are too many classes for that. */
    static int home(int classIndex, int slot) {
        return classIndex <= Integer.MAX_VALUE >> SLOT_BITS ? classIndex << SLOT_BITS | slot : -1;
    }

    static int classIndex(int home) {
        return home >>> SLOT_BITS;
    }

    static int slot(int home) {
        return home & HashIndex.MAX_VALUE;
    }

    /** Whether there is such a home: it may come from another inventory. */
    boolean has(int home) {
        return home >= 0 && classIndex(home) < states.length && slot(home) < states[classIndex(home)].length;
    }

    /** The latest state of the node at a home that there is. */
    NodeState at(int home) {
        return states[classIndex(home)][slot(home)];
    }

    /** Remembers a state; each is to be told of as it is made. */
    void note(NodeState state) {
        states[state.nodeClass().index()][state.slot()] = state;
    }
}
