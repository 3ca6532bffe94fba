package io.gpusched.model;

import io.gpusched.internal.persistent.HashTrie;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks that all parts of a snapshot agree with its nodes. */
final class ClusterCheck {
    private final HashTrie<String, NodeState> nodes;
    private final HashTrie<PodId, Placement> pods;
    private final Machines machines;
    private final Usage usage;
    private Machines expectedMachines = Machines.NONE;
    private Usage expectedUsage = Usage.NOTHING;
    private int placements;

    ClusterCheck(HashTrie<String, NodeState> nodes, HashTrie<PodId, Placement> pods, Machines machines, Usage usage) {
        this.nodes = nodes;
        this.pods = pods;
        this.machines = machines;
        this.usage = usage;
    }

    void check() {
        nodes.validate(NodeState::hash);
        pods.validate(PodId::hashCode);
        nodes.forEach(this::checkNode);
        requireEqual("usage", expectedUsage, usage);
        requireEqual("capacity", expectedMachines.capacity(), machines.capacity());
        requireEqual("classes", expectedMachines.classes(), machines.classes());
        requireEqual("pods", placements, pods.size());
    }

    @SuppressWarnings("ReferenceEquality") // the very objects, not equal ones
    private void checkNode(NodeState node) {
        NodeClass nodeClass = NodeClass.of(node.node());
        require(machines.shared(nodeClass) == node.nodeClass(), "class of " + node + " is not shared");
        requireEqual("class", nodeClass, node.nodeClass());
        requireEqual("state", rebuilt(node), node);
        expectedUsage = expectedUsage.plus(node);
        expectedMachines = expectedMachines.plus(node.node());
        for (Placement placement : node.placements()) {
            placements++;
            PodId pod = placement.pod();
            require(pods.get(pod.hashCode(), pod) == placement, "pod \"" + pod + "\" is not indexed where it runs");
        }
    }

    /** The node after all that runs there is placed again, one pod after the other. */
    private static NodeState rebuilt(NodeState node) {
        NodeState fresh = new NodeState(node.node(), node.nodeClass());
        for (Placement placement : node.placements()) {
            fresh = fresh.plus(placement, false);
        }
        require(fresh.isEquallyUsed(node), "amounts of " + node + ", expected " + fresh);
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
