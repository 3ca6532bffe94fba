package io.gpusched.model;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.access.StateNote;
import io.gpusched.internal.index.ClusterStore;
import io.gpusched.internal.index.NodeLocation;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.GpuKind;
import io.gpusched.internal.usage.GpuUsage;
import io.gpusched.internal.usage.Holdings;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
        protected GpuUsage gpusOf(NodeState node) {
            return node.gpus();
        }

        @Override
        protected @Nullable PartitionTable partitionsOf(NodeClass nodeClass, int gpu) {
            return nodeClass.partitions(gpu);
        }

        @Override
        protected boolean hasPartitionsIn(NodeClass nodeClass) {
            return nodeClass.hasPartitions();
        }

        @Override
        protected boolean isClosedNode(NodeState node) {
            return node.isClosed();
        }

        @Override
        protected boolean haveSameOccupancy(NodeState one, NodeState other) {
            return NodeOccupancy.isSame(one, other);
        }

        @Override
        protected int occupancyHashOf(NodeState node) {
            return node.occupancyHash();
        }

        @Override
        protected @Nullable StateNote noteOn(NodeState node) {
            return node.note();
        }

        @Override
        protected void leaveNoteOn(NodeState node, StateNote note) {
            node.setNote(note);
        }

        @Override
        protected NodeState sparingOn(NodeState node, List<ContainerGrant> containers) {
            return node.sparing(containers);
        }

        @Override
        protected NodeState assumingOn(NodeState node, Resources held, Holdings taken) {
            return node.assuming(held, taken);
        }

        @Override
        protected List<GpuKind> gpuKindsOf(NodeClass nodeClass) {
            return nodeClass.gpuKinds();
        }

        @Override
        protected boolean isMixedClass(NodeClass nodeClass) {
            return nodeClass.isMixed();
        }

        @Override
        protected NodeClass mixed(NodeClass nodeClass) {
            return nodeClass.toMixed();
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
