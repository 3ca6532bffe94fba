package io.gpusched.model;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.index.ClusterStore;
import io.gpusched.internal.index.NodeLocation;

/** Hands to the machinery what this package shows to nobody else. Its classes are made by {@link NodeAccess} and {@link ClusterAccess}, by their names. */
final class ModelSecrets {
    private ModelSecrets() {}

    /** What nodes, placements and pods keep to themselves. */
    static final class OfNodes extends NodeAccess {
        OfNodes() {}

        @Override
        protected NodeLocation locationOf(NodeState node) {
            return node.location();
        }

        @Override
        protected long orderOf(NodeState node) {
            return node.order();
        }

        @Override
        protected int numberOf(NodeState node) {
            return node.number();
        }

        @Override
        protected int pathOf(NodeState node) {
            return node.path();
        }

        @Override
        protected int treeOf(NodeState node) {
            return node.tree();
        }

        @Override
        protected long orderOf(Placement placement) {
            return placement.order();
        }

        @Override
        protected int pathOf(Placement placement) {
            return placement.path();
        }

        @Override
        protected int treeOf(Placement placement) {
            return placement.tree();
        }

        @Override
        protected long podHashOf(Placement placement) {
            return placement.podHash();
        }

        @Override
        protected NodeState emptyNode(Node node, NodeClass nodeClass, NodeLocation location) {
            return new NodeState(node, nodeClass, location);
        }

        @Override
        protected NodeState movedTo(NodeState state, Node node, NodeClass nodeClass, NodeLocation location) {
            return state.on(node, nodeClass, location);
        }

        @Override
        protected NodeState plusNew(NodeState node, Placement placement) {
            return node.withNew(placement);
        }

        @Override
        protected NodeState plusRunning(NodeState node, Placement placement) {
            return node.withRunning(placement);
        }

        @Override
        protected long hashOf(PodId pod) {
            return pod.hash64();
        }

        @Override
        protected TopologyDomain newDomain(Topology path, int size, long from, long to) {
            return new TopologyDomain(path, size, from, to);
        }

        @Override
        protected long fromOf(TopologyDomain domain) {
            return domain.from();
        }

        @Override
        protected long toOf(TopologyDomain domain) {
            return domain.to();
        }
    }

    /** What clusters keep to themselves. */
    static final class OfClusters extends ClusterAccess {
        OfClusters() {}

        @Override
        protected ClusterStore storeOf(Cluster cluster) {
            return cluster.store();
        }
    }
}
