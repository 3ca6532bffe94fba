package io.gpusched.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where a pod runs and what it holds there.
 *
 * <p>What the pod holds of a GPU is the greater of two amounts: the sum over its ordinary containers, and the greatest
 * amount of any one init container. A GPU that any of its containers holds whole is held whole. Immutable; two placements
 * are equal if all they state is.
 */
public final class Placement {
    private static final long UNKNOWN = -1;

    private final PodId pod;
    private final String node;
    private final Resources resources;
    private final List<ContainerGrant> containers;

    /*
     * What a cluster asks of a placement each time it is placed or released, kept here so that it need not look it up
     * in the objects above: in a large cluster they lie all over the memory.
     */
    private final long podHash;

    /** The GPUs it holds, where that follows without a look at the node. */
    private final long simpleGpus;

    /** What it holds of each of them, a {@link GpuWord}; {@link #UNKNOWN} where only a look at the node tells. */
    private final long simpleWord;

    private final boolean wholeNode;
    private final long nodeHome;

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
        this(pod, Checks.notBlank("pod \"" + pod + "\"", "node", node), resources, containers, -1);
    }

    private Placement(PodId pod, String node, Resources resources, List<ContainerGrant> containers, long nodeHome) {
        this.pod = pod;
        this.node = node;
        this.resources = Objects.requireNonNull(resources, "resources");
        this.containers = List.copyOf(containers);
        this.podHash = pod.hash64();
        Holdings simple = Holdings.simple(this.containers);
        this.simpleGpus = simple == null ? 0 : simple.whole() | simple.parts();
        this.simpleWord = simple == null ? UNKNOWN : simple.whole() != 0 ? GpuWord.WHOLE : simple.word();
        this.wholeNode = holdsWholeNode(pod, this.containers);
        this.nodeHome = nodeHome;
    }

    /**
     * Returns a placement on this node, as {@link #Placement} with its name does; a cluster finds its node faster.
     *
     * @throws IllegalArgumentException if more than one container holds the whole node
     */
    public static Placement on(NodeState node, PodId pod, Resources resources, List<ContainerGrant> containers) {
        return new Placement(pod, node.name(), resources, containers, node.home());
    }

    private static boolean holdsWholeNode(PodId pod, List<ContainerGrant> containers) {
        int wholeNodes = 0;
        for (int i = 0; i < containers.size(); i++) {
            wholeNodes += containers.get(i).gpus() instanceof GpuGrant.WholeNode ? 1 : 0;
        }
        if (wholeNodes > 1) {
            throw new IllegalArgumentException(
                    "pod \"" + pod + "\": at most one container may hold the whole node, got " + wholeNodes);
        }
        return wholeNodes == 1;
    }

    /** Returns the pod. */
    public PodId pod() {
        return pod;
    }

    /** Returns the name of the node. */
    public String node() {
        return node;
    }

    /** Returns the CPU and memory it holds; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead. */
    public Resources resources() {
        return resources;
    }

    /** Returns what each container holds, in the order of the pod's containers. */
    public List<ContainerGrant> containers() {
        return containers;
    }

    /** Returns whether the pod holds its node as a whole. */
    public boolean holdsWholeNode() {
        return wholeNode;
    }

    /** Returns the indexes of all GPUs of which the pod holds anything, ascending, each once. */
    public List<Integer> gpus() {
        return containers.stream()
                .flatMap(container -> container.gpus().indexes().stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** The hash of its pod. */
    long podHash() {
        return podHash;
    }

    /** What it holds where that follows without a look at its node, or null. */
    @Nullable
    Holdings simpleHoldings() {
        if (simpleWord == UNKNOWN) {
            return null;
        }
        return GpuWord.isWhole(simpleWord) ? Holdings.ofWhole(simpleGpus) : Holdings.ofPart(simpleGpus, simpleWord);
    }

    /** The {@link NodeState#home} of its node when it was made, or -1: to be checked before it is believed. */
    long nodeHome() {
        return nodeHome;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Placement placement
                        && podHash == placement.podHash
                        && pod.equals(placement.pod)
                        && node.equals(placement.node)
                        && resources.equals(placement.resources)
                        && containers.equals(placement.containers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(pod, node, resources, containers);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("pod ").append(pod).append(" on ").append(node);
        for (ContainerGrant container : containers) {
            if (!(container.gpus() instanceof GpuGrant.None)) {
                text.append(", ").append(container);
            }
        }
        return text.append(", ").append(resources).toString();
    }
}
