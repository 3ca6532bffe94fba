package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import it.unimi.dsi.fastutil.ints.Int2ObjectMap;
import it.unimi.dsi.fastutil.ints.Int2ObjectOpenHashMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.Collection;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The next store after nodes have joined, left or changed. */
public final class NodeEdits {
    private final ClusterStore store;
    private final NodeDirectory nodes;
    private final PersistentVector<ClassIndex> trees;
    private final PodIndex pods;
    private final Usage usage;

    /** Edits of this store, which stays as it is. */
    public NodeEdits(ClusterStore store) {
        this.store = store;
        this.nodes = store.nodes;
        this.trees = store.trees;
        this.pods = store.pods;
        this.usage = store.usage;
    }

    /** Returns the store with one more node, on which nothing runs and whose name is new. */
    public ClusterStore with(Node node) {
        NodeDirectory.Change change = nodes.plus(node);
        NodeState fresh = NodeAccess.empty(node, change.entry().nodeClass(), change.location());
        return new ClusterStore(
                change.directory(),
                put(moved(trees, change), change, fresh),
                pods,
                usage.plus(fresh),
                store.namespaces);
    }

    /** Returns the store with more nodes, on which nothing runs and whose names are new: each costs less than one alone. */
    public ClusterStore withAll(Collection<Node> added) {
        NodeDirectory.Additions change = added.size() < 2 ? null : nodes.plusAll(added);
        if (change == null) {
            ClusterStore all = store;
            for (Node node : added) {
                all = new NodeEdits(all).with(node);
            }
            return all;
        }
        Usage sum = usage;
        Int2ObjectMap<Long2ObjectMap<@Nullable NodeState>> byTree = new Int2ObjectOpenHashMap<>();
        Int2ObjectMap<ClassEntry> entries = new Int2ObjectOpenHashMap<>();
        for (int i = 0; i < change.locations().length; i++) {
            NodeLocation location = change.locations()[i];
            ClassEntry entry = change.entries()[i];
            NodeState fresh = NodeAccess.empty(change.nodes().get(i), entry.nodeClass(), location);
            entries.putIfAbsent(location.tree(), entry);
            byTree.computeIfAbsent(location.tree(), tree -> new Long2ObjectOpenHashMap<>())
                    .put(location.order(), fresh);
            sum = sum.plus(fresh);
        }
        PersistentVector<ClassIndex> grown = trees;
        for (Int2ObjectMap.Entry<Long2ObjectMap<@Nullable NodeState>> entry : byTree.int2ObjectEntrySet()) {
            int position = entry.getIntKey();
            ClassIndex tree = grown.get(position);
            NodeClass nodeClass = change.directory().classes().treeClass(entries.get(position));
            ClassIndex whole = tree == null ? ClassIndex.empty(nodeClass, position) : tree;
            grown = grown.with(position, whole.withAll(entry.getValue()));
        }
        return new ClusterStore(change.directory(), grown, pods, sum, store.namespaces);
    }

    /** Returns the store without a node of it, on which nothing runs. */
    public ClusterStore without(NodeState node) {
        NodeLocation location = NodeAccess.location(node);
        return new ClusterStore(
                nodes.minus(location, node.node()),
                removed(trees, location),
                pods,
                usage.minus(node),
                store.namespaces);
    }

    /**
     * Returns the store with another machine of the same name in place of one; what runs there stays, on GPUs that are not
     * healthy too.
     */
    public ClusterStore with(NodeState before, Node machine) {
        NodeLocation location = NodeAccess.location(before);
        NodeDirectory.Change change = nodes.replaced(location, before.node(), machine);
        NodeState after = carried(before, machine, change);
        PersistentVector<ClassIndex> without = isSame(location, change.location()) ? trees : removed(trees, location);
        return new ClusterStore(
                change.directory(),
                put(moved(without, change), change, after),
                pods,
                usage.minus(before).plus(after),
                store.namespaces);
    }

    @SuppressWarnings("ReferenceEquality") // a location that did not change is the same object
    private static boolean isSame(NodeLocation one, NodeLocation other) {
        return one == other;
    }

    private static NodeState carried(NodeState before, Node machine, NodeDirectory.Change change) {
        NodeClass nodeClass = change.entry().nodeClass();
        if (nodeClass.equals(before.nodeClass()) && machine.capacity().equals(before.capacity())) {
            return NodeAccess.on(before, machine, nodeClass, change.location());
        }
        NodeState after = NodeAccess.empty(machine, nodeClass, change.location());
        for (Placement placement : before.placements()) {
            after = NodeAccess.withRunning(after, placement);
        }
        return after;
    }

    /** The trees with a node in its place; where there is no tree yet, the change tells of which class it is to be. */
    private static PersistentVector<ClassIndex> put(
            PersistentVector<ClassIndex> trees, NodeDirectory.Change change, NodeState node) {
        NodeLocation location = change.location();
        ClassIndex tree = trees.get(location.tree());
        if (tree != null) {
            return trees.with(location.tree(), tree.with(location.order(), node));
        }
        NodeClass nodeClass = change.directory().classes().treeClass(change.entry());
        ClassIndex first =
                ClassIndex.of(nodeClass, location.tree(), new long[] {location.order()}, new NodeState[] {node});
        return trees.with(location.tree(), first);
    }

    private static PersistentVector<ClassIndex> removed(PersistentVector<ClassIndex> trees, NodeLocation location) {
        ClassIndex tree = trees.get(location.tree());
        return tree == null ? trees : trees.with(location.tree(), tree.without(location.order()));
    }

    /** The trees with the nodes moved whose keys had to change. */
    private PersistentVector<ClassIndex> moved(PersistentVector<ClassIndex> before, NodeDirectory.Change change) {
        Int2ObjectMap<Long2ObjectMap<@Nullable NodeState>> byTree = new Int2ObjectOpenHashMap<>();
        for (NodeDirectory.Move move : change.moved()) {
            Long2ObjectMap<@Nullable NodeState> changes =
                    byTree.computeIfAbsent(move.from().tree(), tree -> new Long2ObjectOpenHashMap<>());
            NodeState state = store.state(move.from());
            // a node may move to where another stood
            changes.putIfAbsent(move.from().order(), null);
            changes.put(move.to().order(), NodeAccess.on(state, state.node(), state.nodeClass(), move.to()));
        }
        PersistentVector<ClassIndex> changed = before;
        for (Int2ObjectMap.Entry<Long2ObjectMap<@Nullable NodeState>> entry : byTree.int2ObjectEntrySet()) {
            ClassIndex tree = Objects.requireNonNull(changed.get(entry.getIntKey()), "tree");
            changed = changed.with(entry.getIntKey(), tree.withAll(entry.getValue()));
        }
        return changed;
    }
}
