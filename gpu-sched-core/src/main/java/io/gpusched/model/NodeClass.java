package io.gpusched.model;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Nodes of one cluster that no request can tell apart but by what runs on them, where they stand, their names and their
 * rarer labels: equal mode, pod limit, GPUs (UUIDs and health aside), taints and common labels, and nearly equal CPU and
 * memory (machines of one kind report slightly different amounts).
 *
 * <p>A cluster keeps a tree for each class, so a request that a class cannot serve skips all its nodes at once. Labels
 * count as common while classes stay few (at most 256, and eight nodes each on average); a label that tells too many
 * nodes apart, such as the host name, is not. Compared by identity; an instance belongs to one inventory, and snapshots
 * that differ only in what runs share it. Immutable and thread-safe.
 */
public final class NodeClass {
    private final int index;
    private final Node sample;
    private final Resources leastCapacity;
    private final Resources capacity;
    private final Map<String, String> labels;
    private final Set<String> commonKeys;
    private final int size;
    private final List<GpuKind> gpuKinds;

    NodeClass(
            int index,
            Node sample,
            Resources leastCapacity,
            Resources capacity,
            Map<String, String> labels,
            Set<String> commonKeys,
            int size) {
        this.commonKeys = commonKeys;
        this.index = index;
        this.sample = sample;
        this.leastCapacity = leastCapacity;
        this.capacity = capacity;
        this.labels = Map.copyOf(labels);
        this.size = size;
        this.gpuKinds = GpuKind.of(sample.gpus());
    }

    /** Returns the position of this class among its cluster's classes, from 0. */
    public int index() {
        return index;
    }

    /** Returns the number of its nodes, at least 1. */
    public int size() {
        return size;
    }

    /** Returns what all its nodes admit. */
    public NodeMode mode() {
        return sample.mode();
    }

    /** Returns the greatest CPU and the greatest memory among its nodes, which differ by a few percent at most. */
    public Resources capacity() {
        return capacity;
    }

    /** Returns the least CPU and the least memory among its nodes. */
    public Resources leastCapacity() {
        return leastCapacity;
    }

    /** Returns how many pods each of its nodes takes. */
    public int maxPods() {
        return sample.maxPods();
    }

    /** Returns the GPUs of each of its nodes; UUIDs and health are those of one of the nodes. */
    public List<Gpu> gpus() {
        return sample.gpus();
    }

    /** Returns the kinds of GPUs that each of its nodes has, in the order of the first of each. */
    public List<GpuKind> gpuKinds() {
        return gpuKinds;
    }

    /** Whether two GPUs of each of its nodes are of one kind. */
    boolean areOfOneKind(int gpu, int other) {
        return gpuKinds.size() == 1 || gpus().get(gpu).hardwareEquals(gpus().get(other));
    }

    /** Returns the taints of each of its nodes. */
    public List<Taint> taints() {
        return sample.taints();
    }

    /** Returns the labels that all its nodes have in common and that are part of what makes the class. */
    public Map<String, String> labels() {
        return labels;
    }

    /**
     * Returns whether all its nodes have the same value for a label, or all lack it, so that {@link #labels()} tells what
     * a node would.
     */
    public boolean decidesLabel(String key) {
        return commonKeys.contains(key);
    }

    @Override
    public String toString() {
        return "class " + index + ": " + size + " nodes of " + capacity() + ", " + gpus().size() + " gpus"
                + (gpus().isEmpty() ? "" : " " + gpus().get(0).model().name()) + ", " + mode();
    }
}
