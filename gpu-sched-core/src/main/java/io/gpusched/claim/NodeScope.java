package io.gpusched.claim;

import io.gpusched.model.Node;
import io.gpusched.workload.NodeSelector;
import java.util.Objects;

/** From which nodes the devices of a slice, or one device, can be reached. */
public sealed interface NodeScope {
    /**
     * One node.
     *
     * @param node its name
     */
    record Named(String node) implements NodeScope {
        /** Checks that nothing is null. */
        public Named {
            Objects.requireNonNull(node, "node");
        }
    }

    /** Every node. */
    record AllNodes() implements NodeScope {}

    /**
     * Nodes that a selector accepts.
     *
     * @param selector the selector; {@link NodeSelector#ANY} would be every node
     */
    record Selected(NodeSelector selector) implements NodeScope {
        /** Checks that nothing is null. */
        public Selected {
            Objects.requireNonNull(selector, "selector");
        }
    }

    /** Each device of the slice says so itself. */
    record PerDevice() implements NodeScope {}

    /** No node: a kind of scope that this version does not know. The slice is ignored. */
    record Nowhere() implements NodeScope {}

    /** Returns whether the node is in the scope; false if each device says so itself. */
    default boolean reaches(Node node) {
        Objects.requireNonNull(node, "node");
        if (this instanceof Named named) {
            return named.node().equals(node.name());
        }
        return this instanceof AllNodes
                || this instanceof Selected selected && selected.selector().matches(node);
    }
}
