package io.gpusched.internal.rank;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.objects.ObjectRBTreeSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Nodes that score equally, in node order. Most groups have one node, a few have very many. */
final class NodeGroup {
    private static final Comparator<NodeState> NODE_ORDER =
            Comparator.<NodeState>comparingLong(NodeAccess::order).thenComparing(NodeState::name);

    private @Nullable NodeState first;

    /** The nodes behind the first; null if there never were any. */
    private @Nullable ObjectRBTreeSet<NodeState> others;

    /** The place in the log of {@link NodeGroups} where it stands last, -1 if nowhere. */
    private long logged = -1;

    /** Marks the group as visited by a walk. */
    private long visited;

    /** Adds a node and returns whether it is the first by now. */
    boolean add(NodeState node) {
        NodeState head = first;
        if (head == null) {
            first = node;
            return true;
        }
        boolean leads = NODE_ORDER.compare(node, head) < 0;
        ObjectRBTreeSet<NodeState> behind = others;
        if (behind == null) {
            behind = new ObjectRBTreeSet<>(NODE_ORDER);
            others = behind;
        }
        behind.add(leads ? head : node);
        first = leads ? node : head;
        return leads;
    }

    /** Removes a node, found by its place in the order. */
    void remove(NodeState node) {
        NodeState head = first;
        ObjectRBTreeSet<NodeState> behind = others;
        if (head != null && NODE_ORDER.compare(node, head) == 0) {
            first = null;
            if (behind != null && !behind.isEmpty()) {
                first = behind.first();
                behind.remove(first);
            }
        } else if (behind == null || !behind.remove(node)) {
            throw new IllegalStateException("node \"" + node.name() + "\" is not in its group");
        }
    }

    /** Puts a node in the place of one of the same name and place in the order. */
    void replace(NodeState before, NodeState after) {
        NodeState head = first;
        if (head != null && NODE_ORDER.compare(before, head) == 0) {
            first = after;
        } else {
            remove(before);
            add(after);
        }
    }

    boolean isEmpty() {
        return first == null;
    }

    /** Returns the first node in node order, null if there is none. */
    @Nullable
    NodeState first() {
        return first;
    }

    /** Returns the nodes behind the first in node order. */
    Iterator<NodeState> behindFirst() {
        return others == null ? Collections.emptyIterator() : others.iterator();
    }

    long logged() {
        return logged;
    }

    void setLogged(long position) {
        logged = position;
    }

    /** Marks the group; returns whether this mark is new to it. */
    boolean visit(long mark) {
        boolean isNew = visited != mark;
        visited = mark;
        return isNew;
    }
}
