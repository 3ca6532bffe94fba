package io.gpusched.internal.select;

import it.unimi.dsi.fastutil.objects.ObjectOpenHashSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Nodes that have one value of a label, or none; often very many, often a single one. Not thread-safe. */
final class NodeBucket {
    private @Nullable KnownNode only;

    /** All of them, if there ever were several. */
    private @Nullable ObjectOpenHashSet<KnownNode> all;

    int size() {
        ObjectOpenHashSet<KnownNode> nodes = all;
        return nodes != null ? nodes.size() : only == null ? 0 : 1;
    }

    void add(KnownNode node) {
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

    @SuppressWarnings("ReferenceEquality") // there is one for each node
    void remove(KnownNode node) {
        ObjectOpenHashSet<KnownNode> nodes = all;
        boolean removed = nodes != null ? nodes.remove(node) : only == node;
        only = null;
        if (!removed) {
            throw new IllegalStateException("node \"" + node.state().name() + "\" is not where its labels say");
        }
    }

    void forEach(Consumer<? super KnownNode> action) {
        if (all != null) {
            all.forEach(action);
        } else if (only != null) {
            action.accept(only);
        }
    }
}
