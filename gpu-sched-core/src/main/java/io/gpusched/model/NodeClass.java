package io.gpusched.model;

import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a node is, apart from its name, labels and place: mode, pod limit, GPUs (UUIDs and health aside) and their links, taints, and CPU
 * and memory rounded up (machines of one kind report slightly different amounts).
 *
 * <p>A request that a class cannot serve skips all its nodes at once, and a policy may keep what it works out for a class. Two classes are equal if all they state is. Immutable and thread-safe.
 */
public final class NodeClass {
    private final NodeMode mode;
    private final Resources capacity;
    private final int maxPods;
    private final List<Taint> taints;
    private final List<Gpu> gpus;
    private final GpuLinks links;
    private final int hash;
    private final List<Gpu> kinds;

    /** By GPU: the GPUs that no tenant can tell from it, itself among them, as a mask by index. */
    private final long[] alike;

    /** The GPUs that are always cut into partitions, as a mask by index. */
    private final long alwaysCut;

    /** All of each GPU. */
    private final long[] words;

    /** By index what each GPU's partitions are; nothing at all if none can be cut. */
    private final @Nullable PartitionTable[] partitions;

    private NodeClass(
            NodeMode mode, Resources capacity, int maxPods, List<Taint> taints, List<Gpu> gpus, GpuLinks links) {
        this.mode = mode;
        this.capacity = capacity;
        this.maxPods = maxPods;
        this.taints = taints;
        this.gpus = gpus;
        this.links = links;
        this.hash = hash();
        this.alike = alike(gpus, links);
        this.kinds = gpus.stream()
                .filter(gpu -> Long.lowestOneBit(alike[gpu.index()]) == 1L << gpu.index())
                .toList();
        this.alwaysCut = alwaysCut(gpus);
        this.words = gpus.stream().mapToLong(Gpu::word).toArray();
        this.partitions = partitions(gpus);
    }

    /** The GPUs that can be had in partitions only. */
    static long alwaysCut(List<Gpu> gpus) {
        long mask = 0;
        for (int g = 0; g < gpus.size(); g++) {
            mask |= gpus.get(g).partitions().isAlwaysCut() ? 1L << g : 0;
        }
        return mask;
    }

    /** All that one class is, but without taints. */
    private NodeClass(NodeClass tainted) {
        this.mode = tainted.mode;
        this.capacity = tainted.capacity;
        this.maxPods = tainted.maxPods;
        this.taints = List.of();
        this.gpus = tainted.gpus;
        this.links = tainted.links;
        this.hash = hash();
        this.alike = tainted.alike;
        this.kinds = tainted.kinds;
        this.alwaysCut = tainted.alwaysCut;
        this.words = tainted.words;
        this.partitions = tainted.partitions;
    }

    private static long[] alike(List<Gpu> gpus, GpuLinks links) {
        long[] alike = new long[gpus.size()];
        for (int g = 0; g < alike.length; g++) {
            for (int other = 0; other < alike.length; other++) {
                boolean same = gpus.get(g).hasSameHardware(gpus.get(other));
                alike[g] |= same && (links.isNone() || links.areAlike(g, other)) ? 1L << other : 0;
            }
        }
        return alike;
    }

    private int hash() {
        int hash = Objects.hash(mode, capacity, maxPods, taints, links);
        for (Gpu gpu : gpus) {
            hash = 31 * hash
                    + Objects.hash(
                            gpu.model(),
                            gpu.partitions(),
                            gpu.computeMillis(),
                            gpu.memoryMib(),
                            gpu.slots(),
                            gpu.numaNode());
        }
        return hash;
    }

    private static @Nullable PartitionTable[] partitions(List<Gpu> gpus) {
        boolean any = gpus.stream().anyMatch(gpu -> !gpu.partitions().isNone());
        @Nullable PartitionTable[] tables = new PartitionTable[any ? gpus.size() : 0];
        for (int g = 0; g < tables.length; g++) {
            PartitionGeometry geometry = gpus.get(g).partitions();
            tables[g] = geometry.isNone() ? null : geometry.table();
        }
        return tables;
    }

    /** Returns the class of a node. */
    public static NodeClass of(Node node) {
        Objects.requireNonNull(node, "node");
        List<Gpu> gpus = new ArrayList<>(node.gpus().size());
        for (Gpu gpu : node.gpus()) {
            gpus.add(nameless(gpu));
        }
        return new NodeClass(
                node.mode(),
                CapacitySteps.roundUp(node.capacity()),
                node.maxPods(),
                node.taints(),
                List.copyOf(gpus),
                node.links());
    }

    private static Gpu nameless(Gpu gpu) {
        return new Gpu(
                gpu.index(),
                "gpu-" + gpu.index(),
                gpu.model(),
                gpu.computeMillis(),
                gpu.memoryMib(),
                gpu.slots(),
                gpu.numaNode(),
                true,
                gpu.partitions());
    }

    /** Returns what its nodes admit. */
    public NodeMode mode() {
        return mode;
    }

    /**
     * Returns the resources of its nodes: CPU and memory rounded up by less than a sixteenth, others to powers of two.
     */
    public Resources capacity() {
        return capacity;
    }

    /** Returns how many pods each of its nodes takes. */
    public int maxPods() {
        return maxPods;
    }

    /** Returns the GPUs of each of its nodes, all healthy; their UUIDs mean nothing. */
    public List<Gpu> gpus() {
        return gpus;
    }

    /** The GPUs of each of its nodes that can be had in partitions only, as a mask by index. */
    /** Returns all of a GPU as a {@link io.gpusched.internal.word.GpuWord}. */
    long word(int gpu) {
        return words[gpu];
    }

    long alwaysCut() {
        return alwaysCut;
    }

    /** Returns whether any GPU can be cut into partitions. */
    public boolean hasPartitions() {
        return partitions.length > 0;
    }

    /** Returns the partitions that a GPU can be cut into; null if it cannot be cut. */
    public @Nullable PartitionTable partitions(int gpu) {
        return partitions.length == 0 ? null : partitions[gpu];
    }

    /** Returns how the GPUs of each of its nodes are connected. */
    public GpuLinks links() {
        return links;
    }

    /** Returns one GPU of each kind that each of its nodes has: the lowest GPU among equals. */
    public List<Gpu> kinds() {
        return kinds;
    }

    /**
     * Returns the GPUs that no tenant can tell from this one but by index and UUID, itself among them, as a mask: they are of equal
     * model, amounts, slots, NUMA node and links.
     */
    public long alike(int gpu) {
        return alike[gpu];
    }

    /** Returns the taints of each of its nodes. */
    public List<Taint> taints() {
        return taints;
    }

    /** Returns the class of equal nodes without taints. */
    public NodeClass withoutTaints() {
        return taints.isEmpty() ? this : new NodeClass(this);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof NodeClass that
                        && hash == that.hash
                        && mode == that.mode
                        && maxPods == that.maxPods
                        && capacity.equals(that.capacity)
                        && taints.equals(that.taints)
                        && gpus.equals(that.gpus)
                        && links.equals(that.links);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return "nodes of " + capacity + ", " + gpus.size() + " gpus"
                + (gpus.isEmpty() ? "" : " " + gpus.get(0).model().name()) + ", " + mode;
    }
}
