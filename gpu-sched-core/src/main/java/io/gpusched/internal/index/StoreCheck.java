package io.gpusched.internal.index;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that all parts of a snapshot agree with its nodes. */
final class StoreCheck {
    private final ClusterStore store;
    private final NodeDirectory nodes;
    private final PersistentVector<ClassIndex> trees;
    private final PodIndex pods;
    private final Usage usage;

    private final Map<NodeClass, Integer> classes = new HashMap<>();
    private Usage expectedUsage = Usage.NOTHING;
    private Capacity expectedCapacity = Capacity.NOTHING;
    private int placements;
    private int ownTrees;

    StoreCheck(
            ClusterStore store, NodeDirectory nodes, PersistentVector<ClassIndex> trees, PodIndex pods, Usage usage) {
        this.store = store;
        this.nodes = nodes;
        this.trees = trees;
        this.pods = pods;
        this.usage = usage;
    }

    void check() {
        nodes.order().validate();
        nodes.names().validate();
        pods.validate();
        trees.forEach(this::checkTree);
        requireEqual("usage", expectedUsage, usage);
        requireEqual("capacity", expectedCapacity, nodes.capacity());
        requireEqual("nodes in order", expectedCapacity.nodes(), nodes.order().size());
        requireEqual("names", expectedCapacity.nodes(), nodes.names().size());
        requireEqual("pods", placements, pods.size());
        nodes.order().forEach(location -> requireEqual("location", location, nodes.find(location.name())));
        Map<NodeClass, Integer> counted = new HashMap<>();
        nodes.classes().forEach(entry -> counted.put(entry.nodeClass(), entry.nodes()));
        requireEqual("classes", classes, counted);
        requireEqual("own trees", ownTrees, nodes.classes().own());
    }

    private void checkTree(ClassIndex tree) {
        tree.validate();
        require(tree.size() > 0, "there is an empty tree at " + tree.position());
        ownTrees += tree.nodeClass().isMixed() ? 0 : 1;
        tree.forEach(node -> checkNode(tree, node));
    }

    @SuppressWarnings("ReferenceEquality") // the very objects, not equal ones
    private void checkNode(ClassIndex tree, NodeState node) {
        NodeLocation location = NodeAccess.location(node);
        requireEqual("location", nodes.find(node.name()), location);
        requireEqual("tree", tree.position(), location.tree());
        require(tree.get(location.order()) == node, "node \"" + node.name() + "\" is not under its key");
        requireEqual(
                "node of number " + location.number(), location, nodes.numbers().at(location.number()));
        requireEqual("number", location.number(), NodeAccess.number(node));
        requireEqual("topology", node.node().topology(), location.topology());
        requireEqual("class", NodeClass.of(node.node()), node.nodeClass());
        NodeClass held = tree.nodeClass().isMixed() ? node.nodeClass().toMixed() : node.nodeClass();
        requireEqual("class of tree", held, tree.nodeClass());
        requireEqual("state", rebuilt(node), node);
        classes.merge(node.nodeClass(), 1, Integer::sum);
        expectedUsage = expectedUsage.plus(node);
        expectedCapacity = expectedCapacity.plus(node.node());
        for (Placement placement : node.placements()) {
            placements++;
            require(
                    store.placement(placement.pod()) == placement,
                    "pod \"" + placement.pod() + "\" is not indexed where it runs");
        }
    }

    /** The node with all that runs there placed anew. */
    private static NodeState rebuilt(NodeState node) {
        NodeState fresh = NodeAccess.empty(node.node(), node.nodeClass(), NodeAccess.location(node));
        for (Placement placement : node.placements()) {
            fresh = NodeAccess.withRunning(fresh, placement);
        }
        require(fresh.hasSameOccupancy(node), "amounts of " + node + ", expected " + fresh);
        return fresh;
    }

    private static void requireEqual(String what, @Nullable Object expected, @Nullable Object actual) {
        require(Objects.equals(expected, actual), what + ": expected " + expected + ", but it is " + actual);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalStateException(otherwise);
        }
    }
}
