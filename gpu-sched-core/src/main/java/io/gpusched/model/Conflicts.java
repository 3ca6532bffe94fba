package io.gpusched.model;

import org.jspecify.annotations.Nullable;

/** What a cluster says of a change that does not go with it. */
final class Conflicts {
    private Conflicts() {}

    static PlacementConflictException alreadyPlaced(Placement placement, String where) {
        return new PlacementConflictException(
                placement.pod(),
                where,
                "pod",
                "cannot place pod \"" + placement.pod() + "\" on node \""
                        + placement.node() + "\": it already runs on node \""
                        + where
                        + "\"\nMaybe release it first, or give the new pod another name.");
    }

    static PlacementConflictException alreadyThere(Placement placement, String node, Placement running) {
        return new PlacementConflictException(
                placement.pod(),
                node,
                "pod",
                "cannot place pod \"" + placement.pod() + "\" on node \"" + node
                        + "\": the pod already runs there: " + running
                        + "\nMaybe the placement was decided on another snapshot than the one it is applied to.");
    }

    static PlacementConflictException notThere(Placement placement, String node, @Nullable Placement other) {
        return new PlacementConflictException(
                placement.pod(),
                node,
                "pod",
                "node \"" + node + "\": cannot release " + placement + ": "
                        + (other == null ? "the pod does not run there" : "what runs there is " + other));
    }

    static PlacementConflictException notPlaced(PodId pod) {
        return new PlacementConflictException(pod, null, "pod", "cannot release pod \"" + pod + "\": it is not placed");
    }

    static IllegalArgumentException twoOfName(Node node) {
        return new IllegalArgumentException("cluster: two nodes have the name \"" + node.name() + "\"");
    }

    static PlacementConflictException unknownNode(String node, int nodes) {
        return new PlacementConflictException(null, node, "node", there(node, nodes));
    }

    static PlacementConflictException unknownNode(Placement placement, int nodes) {
        return new PlacementConflictException(
                placement.pod(),
                placement.node(),
                "node",
                "pod \"" + placement.pod() + "\": " + there(placement.node(), nodes));
    }

    private static String there(String node, int nodes) {
        return "there is no node \"" + node + "\" among the " + nodes + (nodes == 1 ? " node" : " nodes");
    }

    static PlacementConflictException notEmpty(String node, int pods, Placement first) {
        return new PlacementConflictException(
                null,
                node,
                "pods",
                "cannot remove node \"" + node + "\": " + (pods == 1 ? "1 pod runs" : pods + " pods run")
                        + " there, first \"" + first.pod() + "\"\nMaybe release them first, or cordon the node.");
    }
}
