package io.gpusched.model;

/** What a cluster says of a change that does not go with it. */
final class Conflicts {
    private Conflicts() {}

    static PlacementConflictException alreadyPlaced(Placement placement, NodeState where) {
        return new PlacementConflictException("cannot place pod \"" + placement.pod() + "\" on node \""
                + placement.node() + "\": it already runs on node \""
                + where.name()
                + "\"\nMaybe release it first, or give the new pod another name.");
    }

    static PlacementConflictException notPlaced(PodId pod) {
        return new PlacementConflictException("cannot release pod \"" + pod + "\": it is not placed");
    }

    static PlacementConflictException unknownNode(String node, int nodes) {
        return new PlacementConflictException(there(node, nodes));
    }

    static PlacementConflictException unknownNode(Placement placement, int nodes) {
        return new PlacementConflictException("pod \"" + placement.pod() + "\": " + there(placement.node(), nodes));
    }

    private static String there(String node, int nodes) {
        return "there is no node \"" + node + "\" among the " + nodes + " nodes";
    }

    static PlacementConflictException notEmpty(NodeState state) {
        return new PlacementConflictException("cannot remove node \"" + state.name() + "\": " + state.podCount()
                + " pods run there, first \"" + state.placements().get(0).pod()
                + "\"\nMaybe release them first, or cordon the node.");
    }
}
