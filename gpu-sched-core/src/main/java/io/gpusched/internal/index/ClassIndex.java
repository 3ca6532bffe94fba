package io.gpusched.internal.index;

import io.gpusched.internal.tree.DeferredTree;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The nodes of one class in a snapshot, to be found by what they have free. Immutable and thread-safe. */
public final class ClassIndex {
    private final NodeClass nodeClass;
    private final DeferredTree<NodeState> tree;

    /** By slot the order of its node, ascending. */
    private final int[] orders;

    /** Takes over the array. */
    public ClassIndex(NodeClass nodeClass, DeferredTree<NodeState> tree, int[] orders) {
        this.nodeClass = nodeClass;
        this.tree = tree;
        this.orders = orders;
    }

    /** Returns the class. */
    public NodeClass nodeClass() {
        return nodeClass;
    }

    /** Returns the number of its nodes. */
    public int size() {
        return orders.length;
    }

    /** Returns the node at this place among its nodes, O(log n). */
    public NodeState get(int slot) {
        return tree.get(slot);
    }

    /** Calls back with each of its nodes in node order, O(n). */
    public void forEach(Consumer<? super NodeState> action) {
        tree.settled().forEach(action);
    }

    /**
     * Returns the first of its nodes, in node order, within a range that may have the capacity and passes a test; null if
     * there is none. Subtrees without such capacity are skipped: typically O(log n), O(n) at worst.
     *
     * @param wanted the test; one that always fails visits all candidates
     */
    public @Nullable NodeState first(CapacityQuery query, NodeRange range, Predicate<? super NodeState> wanted) {
        return query.first(tree, nodeClass, slotFrom(range.from()), slotFrom(range.to()), wanted);
    }

    /**
     * Returns the least level, at least {@code percent}, that any shared GPU of the class may have left of its compute or
     * of its memory: none has one below it. -1 if none has any. O(1).
     */
    public int nextSharedLevel(int percent) {
        return NodeSummaryEncoder.nextLevel(tree, percent);
    }

    /**
     * Returns how many idle GPUs its schedulable nodes have within a range; O(n) at first, then O(log n), and once O(log n)
     * more for each node that changed since a snapshot was asked.
     */
    public long idleGpus(NodeRange range) {
        return NodeSummaryEncoder.idleGpus(count(range));
    }

    /** Returns how many of its nodes could be taken whole within a range; as costly. */
    public long emptyNodes(NodeRange range) {
        return NodeSummaryEncoder.emptyNodes(count(range));
    }

    private long count(NodeRange range) {
        return tree.settled().sum(slotFrom(range.from()), slotFrom(range.to()));
    }

    private int slotFrom(long order) {
        if (order <= 0) {
            return 0;
        }
        if (order > Integer.MAX_VALUE) {
            return orders.length;
        }
        int at = Arrays.binarySearch(orders, (int) order);
        return at >= 0 ? at : -at - 1;
    }
}
