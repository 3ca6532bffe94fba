package io.gpusched.internal.select;

import io.gpusched.internal.index.ClassIndex;
import it.unimi.dsi.fastutil.objects.ObjectOpenHashSet;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Nodes that are alike in one thing, such as a value of a label; often very many, often a single one. Not thread-safe. */
final class NodeBucket {
    private final TreeCount treeCount;
    private final int code;
    private @Nullable KnownNode only;

    /** All of them, if there ever were several. */
    private @Nullable ObjectOpenHashSet<KnownNode> all;

    /** Made when first asked for, and dropped once so much has changed that they are as quickly made anew. */
    private @Nullable BucketTrees trees;

    /**
     * @param code what {@link LabelColumn} knows the value by
     */
    NodeBucket(TreeCount treeCount, int code) {
        this.treeCount = treeCount;
        this.code = code;
    }

    int code() {
        return code;
    }

    int size() {
        ObjectOpenHashSet<KnownNode> nodes = all;
        return nodes != null ? nodes.size() : only == null ? 0 : 1;
    }

    void add(KnownNode node) {
        insert(node);
        note(null, node.spot());
    }

    private void insert(KnownNode node) {
        ObjectOpenHashSet<KnownNode> nodes = all;
        KnownNode first = only;
        if (nodes == null && first == null) {
            only = node;
            return;
        }
        if (nodes == null) {
            nodes = new ObjectOpenHashSet<>(2);
            all = nodes;
        }
        if (first != null) {
            nodes.add(first);
            only = null;
        }
        nodes.add(node);
    }

    void remove(KnownNode node) {
        remove(node, node.spot());
    }

    /** Removes a node that may have gone to another state since this was told of it last. */
    @SuppressWarnings("ReferenceEquality") // there is one for each node
    void remove(KnownNode node, NodeSpot last) {
        ObjectOpenHashSet<KnownNode> nodes = all;
        boolean removed = nodes != null ? nodes.remove(node) : only == node;
        only = null;
        if (!removed) {
            throw new IllegalStateException("node \"" + node.spot().node().name() + "\" is not where it is looked for");
        }
        note(last, null);
    }

    /** Takes note of a node of it in another state. */
    void note(@Nullable NodeSpot before, @Nullable NodeSpot after) {
        BucketTrees known = trees;
        if (known != null) {
            known.replace(before, after);
            if (known.noted() > size() / 2 + 1) {
                dropTrees();
            }
        }
    }

    void forEach(Consumer<? super KnownNode> action) {
        if (all != null) {
            all.forEach(action);
        } else if (only != null) {
            action.accept(only);
        }
    }

    /** Adds trees that hold its nodes. */
    void addTrees(List<ClassIndex> found) {
        BucketTrees known = trees;
        if (known == null) {
            List<NodeSpot> spots = new ArrayList<>(size());
            forEach(node -> spots.add(node.spot()));
            known = new BucketTrees(spots);
            trees = known;
            treeCount.add(1);
        }
        known.addTo(found);
    }

    /** Forgets the trees, if there are any. */
    void dropTrees() {
        if (trees != null) {
            trees = null;
            treeCount.add(-1);
        }
    }
}
