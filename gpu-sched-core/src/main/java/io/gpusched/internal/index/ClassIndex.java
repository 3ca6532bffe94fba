package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.tree.BufferedTree;
import io.gpusched.internal.tree.KeyedTree;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one class in a snapshot, to be found by what they have free; or nodes of several rare classes, if its class is
 * {@linkplain io.gpusched.internal.access.NodeAccess#isMixed mixed}. Immutable and thread-safe.
 */
public final class ClassIndex implements NodeIndex {
    private final NodeClass nodeClass;
    private final int position;
    private final BufferedTree<NodeState> tree;

    private ClassIndex(NodeClass nodeClass, int position, BufferedTree<NodeState> tree) {
        this.nodeClass = nodeClass;
        this.position = position;
        this.tree = tree;
    }

    /**
     * Returns the index of these nodes.
     *
     * @param nodeClass their class, or the mixed class of all of theirs
     * @param keys their keys in the node order, ascending
     */
    public static ClassIndex of(NodeClass nodeClass, int position, long[] keys, NodeState[] nodes) {
        return new ClassIndex(
                nodeClass,
                position,
                BufferedTree.of(KeyedTree.of(NodeSummaryEncoder.of(nodeClass.capacity()), keys, nodes)));
    }

    /** Returns an index without nodes, of use only to have some put into it. */
    static ClassIndex empty(NodeClass nodeClass, int position) {
        return of(nodeClass, position, new long[0], new NodeState[0]);
    }

    @Override
    public NodeClass nodeClass() {
        return nodeClass;
    }

    @Override
    public boolean isOfAdmitted() {
        return false;
    }

    /** Returns its position among those of the snapshot, which nodes know as {@link NodeLocation#tree()}; not all are taken. */
    public int position() {
        return position;
    }

    /** Returns the number of its nodes, at least 1. */
    public int size() {
        return tree.size();
    }

    /** Returns the node with this key in the node order, or null, O(log n). */
    public @Nullable NodeState get(long order) {
        return tree.get(order);
    }

    /** Returns the node that is most likely the one with this key, or null, sooner than {@link #get} does. */
    @Nullable
    NodeState likely(long order, int path) {
        return tree.likely(order, path);
    }

    /** Returns this index with a node in another state. */
    ClassIndex with(NodeState before, NodeState after) {
        return new ClassIndex(
                nodeClass, position, tree.with(NodeAccess.order(before), after, before, NodeAccess.path(before)));
    }

    /** Returns this index with a node in place of the one with this key, or as one more. */
    ClassIndex with(long order, NodeState node) {
        return new ClassIndex(nodeClass, position, tree.with(order, node));
    }

    /** Returns this index without the node with this key, or null if that was the only one. */
    @Nullable
    ClassIndex without(long order) {
        return size() == 1 ? null : new ClassIndex(nodeClass, position, tree.without(order));
    }

    /** Returns this index with many nodes put or, where null stands under a key, removed. */
    public ClassIndex withAll(Long2ObjectMap<@Nullable NodeState> nodes) {
        return new ClassIndex(nodeClass, position, tree.withAll(nodes));
    }

    /** Returns the first of its nodes in node order, at most so many, O(log n + most). */
    public List<NodeState> firstNodes(int most) {
        return tree.first(most);
    }

    /** Returns the first of its nodes in node order. */
    NodeState firstNode() {
        return firstNodes(1).get(0);
    }

    /** Calls back with each of its nodes in node order, O(n). */
    public void forEach(Consumer<? super NodeState> action) {
        tree.forEach(action);
    }

    /** Calls back with each of its nodes within a range in node order, O(log n + nodes of the range). */
    public void forEach(NodeRange range, Consumer<? super NodeState> action) {
        tree.forEach(range.from(), range.to(), (key, node) -> action.accept(node));
    }

    /** Calls back with each node that is not the same object in another version, null where there is none. */
    void forEachChange(ClassIndex other, PersistentVector.Change<NodeState> change) {
        tree.forEachChange(other.tree, (key, before, after) -> change.accept(after, before));
    }

    /** Subtrees without such capacity are skipped: typically O(log n), O(n) at worst. */
    @Override
    public @Nullable NodeState first(CapacityQuery query, NodeRange range, Predicate<? super NodeState> wanted) {
        return query.first(tree, nodeClass, range, wanted);
    }

    @Override
    public int nextSharedLevel(int percent) {
        return NodeSummaryEncoder.nextLevel(tree::nextBucket, percent);
    }

    /**
     * Returns how many idle GPUs its schedulable nodes have within a range; O(n) at first, then O(log n), and once O(log n)
     * more for each node that changed since a snapshot was asked.
     */
    public long idleGpus(NodeRange range) {
        return NodeSummaryEncoder.idleGpus(count(range));
    }

    @Override
    public boolean mayHavePartitions(int level) {
        return NodeSummaryEncoder.hasPartitions(tree::nextBucket, level);
    }

    /** Returns how many of its nodes could be taken whole within a range; as costly. */
    public long emptyNodes(NodeRange range) {
        return NodeSummaryEncoder.emptyNodes(count(range));
    }

    private long count(NodeRange range) {
        return tree.sum(range.from(), range.to());
    }

    /** Throws {@link IllegalStateException} unless every summary equals that of what is below it; O(n). */
    void validate() {
        tree.validate();
    }
}
