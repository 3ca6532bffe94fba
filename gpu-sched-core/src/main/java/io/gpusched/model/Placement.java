package io.gpusched.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod runs and what it holds there.
 *
 * <p>What the pod holds of a GPU is the greater of two amounts: the sum over its ordinary containers and sidecars, and the
 * greatest amount of any one init container together with the sidecars before it. A GPU that any of its containers holds
 * whole is held whole. Immutable; two placements are equal if all they state is.
 */
public final class Placement {
    /*
     * The id of the pod, taken apart: a full cluster keeps one placement for each of its pods, and every object more is one
     * more for the garbage collector to copy and to find again in memory.
     */
    private final String podNamespace;
    private final String podName;
    private final long podHash;

    private final String node;

    /** The {@link NodeState#home} of the node when this was made, or -1: to be checked before it is believed. */
    private final int nodeHome;

    private final Allocation allocation;

    /**
     * Creates a placement; the list is copied.
     *
     * @param pod the pod
     * @param node the name of its node
     * @param resources CPU and memory it holds; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead
     * @param containers what each container holds, in the order of the pod's containers
     * @throws IllegalArgumentException if the node name is blank, or more than one container holds the whole node
     */
    public Placement(PodId pod, String node, Resources resources, List<ContainerGrant> containers) {
        this(pod, Checks.notBlank("pod \"" + pod + "\"", "node", node), new Allocation(pod, resources, containers), -1);
    }

    private Placement(PodId pod, String node, Allocation allocation, int nodeHome) {
        this.podNamespace = pod.namespace();
        this.podName = pod.name();
        this.podHash = pod.hash64();
        this.node = node;
        this.nodeHome = nodeHome;
        this.allocation = allocation;
    }

    /**
     * Returns a placement on this node, as {@link #Placement} with its name does; a cluster finds its node faster.
     *
     * @throws IllegalArgumentException if more than one container holds the whole node
     */
    public static Placement on(NodeState node, PodId pod, Resources resources, List<ContainerGrant> containers) {
        return on(node, pod, new Allocation(pod, resources, containers));
    }

    /** Returns a placement on this node; a cluster finds its node faster than by its name. */
    public static Placement on(NodeState node, PodId pod, Allocation allocation) {
        return new Placement(pod, node.name(), Objects.requireNonNull(allocation, "allocation"), node.home());
    }

    /** Returns the pod, in an object made for the asking; {@link #isOf} asks without one. */
    public PodId pod() {
        return new PodId(podNamespace, podName, podHash);
    }

    /** Returns whether it is this pod that runs there. */
    public boolean isOf(PodId pod) {
        return podHash == pod.hash64() && podName.equals(pod.name()) && podNamespace.equals(pod.namespace());
    }

    /** Returns the name of the node. */
    public String node() {
        return node;
    }

    /** Returns what it holds there. */
    public Allocation allocation() {
        return allocation;
    }

    /** Returns the CPU and memory it holds; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead. */
    public Resources resources() {
        return allocation.resources();
    }

    /** Returns what each container holds, in the order of the pod's containers. */
    public List<ContainerGrant> containers() {
        return allocation.containers();
    }

    /** Returns whether the pod holds its node as a whole. */
    public boolean holdsWholeNode() {
        return allocation.isWholeNode();
    }

    /** Returns the indexes of all GPUs of which the pod holds anything, ascending, each once. */
    public List<Integer> gpus() {
        return containers().stream()
                .flatMap(container -> container.gpus().indexes().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** The hash of its pod. */
    long podHash() {
        return podHash;
    }

    /** The {@link NodeState#home} of its node when it was made, or -1: to be checked before it is believed. */
    int nodeHome() {
        return nodeHome;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Placement placement
                        && podHash == placement.podHash
                        && podName.equals(placement.podName)
                        && podNamespace.equals(placement.podNamespace)
                        && node.equals(placement.node)
                        && allocation.equals(placement.allocation);
    }

    @Override
    public int hashCode() {
        return Objects.hash(podHash, node, allocation);
    }

    @Override
    public String toString() {
        return "pod " + pod() + " on " + node + ", " + allocation;
    }
}
