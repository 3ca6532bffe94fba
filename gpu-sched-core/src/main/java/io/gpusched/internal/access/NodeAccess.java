package io.gpusched.internal.access;

import io.gpusched.internal.index.NodeLocation;
import io.gpusched.internal.partition.PartitionTable;
import io.gpusched.internal.usage.GpuKind;
import io.gpusched.internal.usage.GpuUsage;
import io.gpusched.internal.usage.GpuWord;
import io.gpusched.internal.usage.Holdings;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.model.Topology;
import io.gpusched.model.TopologyDomain;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /** Returns what is held of a node's GPUs. */
    public static GpuUsage gpus(NodeState node) {
        return ACCESS.gpusOf(node);
    }

    /** Returns which GPUs are healthy and nobody's, as a bit mask by index. */
    public static long idleMask(NodeState node) {
        return gpus(node).idleMask();
    }

    /** Returns which GPUs, healthy or not, parts are held of, as a bit mask by index. */
    public static long sharedMask(NodeState node) {
        return gpus(node).sharedMask();
    }

    /** Returns which GPUs, healthy or not, are cut into partitions, as a bit mask by index. */
    public static long cutMask(NodeState node) {
        return gpus(node).cutMask();
    }

    /** Returns what the partitions of a GPU of each node of a class are, or null if it cannot be cut. */
    public static @Nullable PartitionTable partitions(NodeClass nodeClass, int gpu) {
        return ACCESS.partitionsOf(nodeClass, gpu);
    }

    /** Returns whether any GPU of the nodes of a class can be cut into partitions. */
    public static boolean hasPartitions(NodeClass nodeClass) {
        return ACCESS.hasPartitionsIn(nodeClass);
    }

    /** Returns whether nothing can be placed on a node whatever its size. */
    public static boolean isClosed(NodeState node) {
        return ACCESS.isClosedNode(node);
    }

    /**
     * Returns whether two nodes are in the same state as far as a request can tell that looks at neither names nor labels
     * nor pods. O(GPUs).
     */
    public static boolean sameOccupancy(NodeState one, NodeState other) {
        return ACCESS.haveSameOccupancy(one, other);
    }

    /** Returns a hash that agrees with {@link #sameOccupancy}; O(GPUs) when first asked for. */
    public static int occupancyHash(NodeState node) {
        return ACCESS.occupancyHashOf(node);
    }

    /** Returns what the policy that looked at a state last has worked out of it, or null. */
    public static @Nullable StateNote note(NodeState node) {
        return ACCESS.noteOn(node);
    }

    /** Leaves what a policy has worked out of a state with it, in place of what another has. */
    public static void leaveNote(NodeState node, StateNote note) {
        ACCESS.leaveNoteOn(node, note);
    }

    /**
     * Returns a node as if one more pod, without a name, held these resources and these GPUs whole: for comparing
     * possibilities cheaply. Nothing is checked, the placements stay as they are. O(GPUs).
     *
     * @param held CPU and memory; no more than is free
     * @param wholeGpus the GPUs as a bit mask by index; only idle ones
     */
    public static NodeState assumingWhole(NodeState node, Resources held, long wholeGpus) {
        return ACCESS.assumingOn(node, held, Holdings.ofWhole(wholeGpus));
    }

    /** Returns a node as {@link #assumingWhole} does, where the pod holds a part of one GPU; no more than is free. */
    public static NodeState assumingShare(NodeState node, Resources held, GpuShare share) {
        return ACCESS.assumingOn(node, held, Holdings.ofPart(1L << share.gpu(), GpuWord.of(share)));
    }

    /** Returns a node as {@link #assumingWhole} does, where the pod holds what is given of the GPUs; no more than is free. */
    public static NodeState assuming(NodeState node, Resources held, Holdings taken) {
        return ACCESS.assumingOn(node, held, taken);
    }

    /** Returns a node as if ordinary containers of one pod, which are known to be held here, did not hold their GPUs. O(GPUs + grants). */
    public static NodeState sparing(NodeState node, List<ContainerGrant> containers) {
        return ACCESS.sparingOn(node, containers);
    }

    /** Returns the kinds of GPUs that each node of a class has, in the order of the first of each. */
    public static List<GpuKind> gpuKinds(NodeClass nodeClass) {
        return ACCESS.gpuKindsOf(nodeClass);
    }

    /** Returns whether a class stands for nodes of several classes, each of which has to be looked at. */
    public static boolean isMixed(NodeClass nodeClass) {
        return ACCESS.isMixedClass(nodeClass);
    }

    /** Returns what a class has in common with many others: it turns nothing away that one of them takes. */
    public static NodeClass toMixed(NodeClass nodeClass) {
        return ACCESS.mixed(nodeClass);
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

    protected abstract GpuUsage gpusOf(NodeState node);

    protected abstract @Nullable PartitionTable partitionsOf(NodeClass nodeClass, int gpu);

    protected abstract boolean hasPartitionsIn(NodeClass nodeClass);

    protected abstract boolean isClosedNode(NodeState node);

    protected abstract boolean haveSameOccupancy(NodeState one, NodeState other);

    protected abstract int occupancyHashOf(NodeState node);

    protected abstract @Nullable StateNote noteOn(NodeState node);

    protected abstract void leaveNoteOn(NodeState node, StateNote note);

    protected abstract NodeState sparingOn(NodeState node, List<ContainerGrant> containers);

    protected abstract NodeState assumingOn(NodeState node, Resources held, Holdings taken);

    protected abstract List<GpuKind> gpuKindsOf(NodeClass nodeClass);

    protected abstract boolean isMixedClass(NodeClass nodeClass);

    protected abstract NodeClass mixed(NodeClass nodeClass);

    protected abstract NodeState emptyNode(Node node, NodeClass nodeClass, NodeLocation location);

    protected abstract NodeState movedTo(NodeState state, Node node, NodeClass nodeClass, NodeLocation location);

    protected abstract NodeState plusNew(NodeState node, Placement placement);

    protected abstract NodeState plusRunning(NodeState node, Placement placement);

    protected abstract long hashOf(PodId pod);

    protected abstract TopologyDomain newDomain(Topology path, int size, long from, long to);

    protected abstract long fromOf(TopologyDomain domain);

    protected abstract long toOf(TopologyDomain domain);
}
