package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import it.unimi.dsi.fastutil.longs.Long2ObjectMap;
import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a bucket to be found by what they have free, in a tree for each class of nodes that has one in the cluster.
 * What changes is noted and carried out when it is next asked for. Not thread-safe.
 */
final class BucketTrees {
    private final Map<NodeClass, Tree> trees = new LinkedHashMap<>();
    private int noted;

    private static final class Tree {
        private ClassIndex index;
        private final Long2ObjectMap<@Nullable NodeState> changes = new Long2ObjectOpenHashMap<>(2);

        Tree(ClassIndex index) {
            this.index = index;
        }

        ClassIndex current() {
            if (!changes.isEmpty()) {
                index = index.withAll(changes);
                changes.clear();
            }
            return index;
        }
    }

    /** Makes trees of these nodes. */
    BucketTrees(Iterable<NodeSpot> nodes) {
        Map<NodeClass, List<NodeState>> byClass = new LinkedHashMap<>();
        for (NodeSpot spot : nodes) {
            byClass.computeIfAbsent(spot.treeClass(), any -> new ArrayList<>()).add(spot.node());
        }
        byClass.forEach((nodeClass, members) -> {
            members.sort(Comparator.comparingLong(NodeAccess::order));
            trees.put(nodeClass, new Tree(index(nodeClass, members)));
        });
    }

    private static ClassIndex index(NodeClass nodeClass, List<NodeState> members) {
        long[] keys = members.stream().mapToLong(NodeAccess::order).toArray();
        return ClassIndex.of(nodeClass, -1, keys, members.toArray(NodeState[]::new));
    }

    /** Takes note of a node in another state. */
    void replace(@Nullable NodeSpot before, @Nullable NodeSpot after) {
        if (before != null) {
            Tree tree = tree(before.treeClass());
            long order = NodeAccess.order(before.node());
            NodeState there = tree.changes.get(order);
            // another node may have moved to its place by now
            if (there == null || there.name().equals(before.node().name())) {
                note(tree, order, null);
            }
        }
        if (after != null) {
            note(tree(after.treeClass()), NodeAccess.order(after.node()), after.node());
        }
    }

    private Tree tree(NodeClass nodeClass) {
        return trees.computeIfAbsent(nodeClass, any -> new Tree(index(any, List.of())));
    }

    private void note(Tree tree, long order, @Nullable NodeState node) {
        int before = tree.changes.size();
        tree.changes.put(order, node);
        noted += tree.changes.size() - before;
    }

    /** Returns how many changes are noted. */
    int noted() {
        return noted;
    }

    /** Adds the trees that have nodes as they are now. */
    void addTo(List<ClassIndex> all) {
        for (Tree tree : trees.values()) {
            all.add(tree.current());
        }
        noted = 0;
    }
}
