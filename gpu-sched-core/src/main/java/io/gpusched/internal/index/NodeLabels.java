package io.gpusched.internal.index;

import io.gpusched.model.Node;
import io.gpusched.workload.NodeRequirement;
import org.jspecify.annotations.Nullable;

/** What requirements, rules and preferences read of a node. */
public final class NodeLabels {
    private NodeLabels() {}

    /** A label, or the node's name under {@link NodeRequirement#NAME}; null if it has no such label. */
    public static @Nullable String value(String key, Node node) {
        return key.equals(NodeRequirement.NAME) ? node.name() : node.labels().get(key);
    }
}
