package io.gpusched.internal.access;

import io.gpusched.internal.index.NodeLocation;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;

/**
 * What nodes, placements and pods keep to themselves and the machinery needs, as the JDK shares secrets between its
 * packages. All static; the compiler of the virtual machine sees through it, for there is one implementation.
 */
public abstract class NodeAccess {
    private static final NodeAccess ACCESS = Secrets.of(NodeAccess.class, "io.gpusched.model.ModelSecrets$OfNodes");

    /** Returns a node's key in the node order (topology, then name); ties end in this order. */
    public static long order(NodeState node) {
        return ACCESS.orderOf(node);
    }

    /** Returns where a node stands. */
    public static NodeLocation location(NodeState node) {
        return ACCESS.locationOf(node);
    }

    /** Returns the number of a node, which stays as long as the node does. */
    public static int number(NodeState node) {
        return ACCESS.numberOf(node);
    }

    /** Returns where in its tree a node most likely stands, as {@code KeyedTree.path} tells. */
    public static int path(NodeState node) {
        return ACCESS.pathOf(node);
    }

    /** Returns the position of the tree that holds a node. */
    public static int tree(NodeState node) {
        return ACCESS.treeOf(node);
    }

    /** Returns the key of a placement's node when it was made; to be checked before use, and of no node if that is unknown. */
    public static long order(Placement placement) {
        return ACCESS.orderOf(placement);
    }

    /** Returns where in its tree the node of a placement stood when it was made. */
    public static int path(Placement placement) {
        return ACCESS.pathOf(placement);
    }

    /** Returns the position of the tree that held a placement's node when it was made; to be checked before use. */
    public static int tree(Placement placement) {
        return ACCESS.treeOf(placement);
    }

    /** Returns the {@linkplain #hash hash} of the pod of a placement. */
    public static long podHash(Placement placement) {
        return ACCESS.podHashOf(placement);
    }

    /** Returns a node on which nothing runs. */
    public static NodeState empty(Node node, NodeClass nodeClass, NodeLocation location) {
        return ACCESS.emptyNode(node, nodeClass, location);
    }

    /** Returns the same pods on a machine on which they take as much, wherever that stands. */
    public static NodeState on(NodeState state, Node node, NodeClass nodeClass, NodeLocation location) {
        return ACCESS.movedTo(state, node, nodeClass, location);
    }

    /** Does what {@link NodeState#with} does for a pod that is known not to run there. */
    public static NodeState withNew(NodeState node, Placement placement) {
        return ACCESS.plusNew(node, placement);
    }

    /** Does what {@link NodeState#with} does for a pod that runs already, so that its GPUs need not be healthy. */
    public static NodeState withRunning(NodeState node, Placement placement) {
        return ACCESS.plusRunning(node, placement);
    }

    /** Returns a 64-bit hash of a pod's namespace and name. */
    public static long hash(PodId pod) {
        return ACCESS.hashOf(pod);
    }

    /** Returns a domain of so many nodes, whose keys are from {@code from} up to but not including {@code to}. */
    public static TopologyDomain domain(Topology path, int size, long from, long to) {
        return ACCESS.newDomain(path, size, from, to);
    }

    /** Returns the key of the first node of a domain. */
    public static long from(TopologyDomain domain) {
        return ACCESS.fromOf(domain);
    }

    /** Returns the key up to which the nodes of a domain reach, not included. */
    public static long to(TopologyDomain domain) {
        return ACCESS.toOf(domain);
    }

    protected abstract NodeLocation locationOf(NodeState node);

    protected abstract long orderOf(NodeState node);

    protected abstract int numberOf(NodeState node);

    protected abstract int pathOf(NodeState node);

    protected abstract int treeOf(NodeState node);

    protected abstract long orderOf(Placement placement);

    protected abstract int treeOf(Placement placement);

    protected abstract int pathOf(Placement placement);

    protected abstract long podHashOf(Placement placement);

    protected abstract NodeState emptyNode(Node node, NodeClass nodeClass, NodeLocation location);

    protected abstract NodeState movedTo(NodeState state, Node node, NodeClass nodeClass, NodeLocation location);

    protected abstract NodeState plusNew(NodeState node, Placement placement);

    protected abstract NodeState plusRunning(NodeState node, Placement placement);

    protected abstract long hashOf(PodId pod);

    protected abstract TopologyDomain newDomain(Topology path, int size, long from, long to);

    protected abstract long fromOf(TopologyDomain domain);

    protected abstract long toOf(TopologyDomain domain);
}
