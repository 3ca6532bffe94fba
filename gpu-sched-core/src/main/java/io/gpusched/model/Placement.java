package io.gpusched.model;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod runs and what it holds there.
 *
 * <p>What the pod holds of a GPU is the greater of two amounts: the sum over its ordinary containers and sidecars, and the
 * greatest amount of any one init container together with the sidecars before it. A GPU that any of its containers holds
 * whole is held whole. Immutable; two placements are equal if all they state is, what the pod asks and its group included.
 */
public final class Placement {
    /**
     * What a pod asks, its name aside. A placement carries that of the pod it serves; pods that ask for the same share one
     * object, so it costs a placement no more than a reference.
     *
     * <p>Immutable and thread-safe. {@code io.gpusched.workload.Pod.of(placement)} gives the whole pod back.
     */
    public interface Spec {
        /** Returns the CPU, memory and other resources that must be free for the pod. */
        Resources resources();

        /** Returns whether the pod, while it runs, has a say in where others go, or in how pods are counted; false unless told. */
        default boolean concernsOthers() {
            return false;
        }
    }

    private final PodId pod;
    private final String node;

    private final Allocation allocation;

    /** What the pod asks, or null where that is not known. */
    private final @Nullable Spec spec;

    /** The group it belongs to, or null if it is in none that is known. */
    private final @Nullable GroupMembership group;

    /**
     * Creates a placement; the list is copied.
     *
     * @param pod the pod
     * @param node the name of its node
     * @param resources what it holds beside GPUs; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead
     * @param containers what each container holds, in the order of the pod's containers
     * @throws IllegalArgumentException if the node name is blank, or more than one container holds the whole node
     */
    public Placement(PodId pod, String node, Resources resources, List<ContainerGrant> containers) {
        this(
                pod,
                Checks.notBlank("pod \"" + pod + "\"", "node", node),
                new Allocation(pod, resources, containers),
                null,
                null);
    }

    Placement(PodId pod, String node, Allocation allocation, @Nullable Spec spec, @Nullable GroupMembership group) {
        this.pod = Objects.requireNonNull(pod, "pod");
        this.node = node;
        this.allocation = Objects.requireNonNull(allocation, "allocation");
        this.spec = spec;
        this.group = group;
    }

    /** Returns this placement with what its pod asks, so that the pod can be moved and explained later. */
    public Placement withSpec(Spec asked) {
        return new Placement(pod, node, allocation, Objects.requireNonNull(asked, "asked"), group);
    }

    /** Returns this placement of a member of a group, or, if that is empty, of a pod that is in none. */
    public Placement withGroup(Optional<GroupMembership> membership) {
        Objects.requireNonNull(membership, "membership");
        GroupMembership other = membership.orElse(null);
        return Objects.equals(group, other) ? this : new Placement(pod, node, allocation, spec, other);
    }

    /**
     * Returns the group that the pod belongs to and how close its members must be; empty if it is in none, or that is not known.
     * Placements of a {@code PodGroup}'s members have it.
     */
    public Optional<GroupMembership> group() {
        return Optional.ofNullable(group);
    }

    /**
     * Returns the placement in which another pod, which asks for this, holds the same on another node. What both hold is one object, so
     * that a large cluster needs few of them. The other pod is in no group. Nothing is checked.
     */
    public Placement heldBy(PodId other, Spec asked, String otherNode) {
        Objects.requireNonNull(other, "other");
        Objects.requireNonNull(otherNode, "otherNode");
        return new Placement(other, otherNode, allocation, Objects.requireNonNull(asked, "asked"), null);
    }

    /** Returns whether the same is held as by another placement, whichever pods and nodes the two name. */
    public boolean holdsLike(Placement other) {
        Objects.requireNonNull(other, "other");
        return allocation.equals(other.allocation);
    }

    /** Returns what the pod asks; empty if that is not known. The scheduler always sets it. */
    public Optional<Spec> spec() {
        return Optional.ofNullable(spec);
    }

    /** Returns whether others are decided on with its pod in mind: it has a {@linkplain Spec#concernsOthers() say} about them, or is in a group. */
    public boolean concernsOthers() {
        return group != null || spec != null && spec.concernsOthers();
    }

    /** Returns the pod. */
    public PodId pod() {
        return pod;
    }

    /** Returns whether it is this pod that runs there. */
    public boolean isOf(PodId other) {
        Objects.requireNonNull(other, "other");
        return pod.equals(other);
    }

    /** Returns the name of the node. */
    public String node() {
        return node;
    }

    /** What it holds there. */
    Allocation allocation() {
        return allocation;
    }

    /** Returns what it holds beside GPUs; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead. */
    public Resources resources() {
        return allocation.resources();
    }

    /**
     * Returns what it holds beside GPUs of its node: all that the node has if it holds the whole of it, else {@link #resources}.
     *
     * @throws IllegalArgumentException if it is another node
     */
    public Resources resourcesOn(Node itsNode) {
        Objects.requireNonNull(itsNode, "itsNode");
        if (!itsNode.name().equals(node)) {
            throw new IllegalArgumentException(
                    "pod \"" + pod + "\": it is on node \"" + node + "\", got \"" + itsNode.name() + "\"");
        }
        return holdsWholeNode() ? itsNode.capacity() : resources();
    }

    /** Returns what each container holds, in the order of the pod's containers. */
    public List<ContainerGrant> containers() {
        return allocation.containers();
    }

    /** Returns whether the pod holds its node as a whole. */
    public boolean holdsWholeNode() {
        return allocation.isWholeNode();
    }

    /** Returns the indexes of all GPUs that the pod holds or has a part of, ascending, each once. */
    public List<Integer> gpus() {
        return containers().stream()
                .flatMap(container -> container.gpus().indexes().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether it is of the same pod, which holds the same on the same node. */
    boolean holdsSame(Placement other) {
        return pod.equals(other.pod) && node.equals(other.node) && allocation.equals(other.allocation);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Placement placement
                        && holdsSame(placement)
                        && Objects.equals(spec, placement.spec)
                        && Objects.equals(group, placement.group);
    }

    @Override
    public int hashCode() {
        return Objects.hash(pod, node, allocation);
    }

    @Override
    public String toString() {
        return "pod " + pod + " on " + node + ", " + allocation;
    }
}
