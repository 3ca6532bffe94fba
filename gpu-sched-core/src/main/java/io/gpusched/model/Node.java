package io.gpusched.model;

import io.gpusched.check.Checks;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A machine: what it has and what it admits, without what runs on it.
 *
 * @param name unique in its cluster, not blank
 * @param mode what it admits on its GPUs
 * @param capacity CPU, memory and other resources for pods
 * @param maxPods how many pods it takes, 0..1,000,000
 * @param labels labels by key, in key order
 * @param taints taints in the order given
 * @param topology where it stands
 * @param gpus its GPUs by index, at most 64; different models in one node are allowed
 * @param links how its GPUs are connected, {@link GpuLinks#NONE} where that is not known
 * @param cordoned whether new pods are kept away
 * @param residents pods that belong to the machine, such as a DaemonSet's pods. They are no tenants: the
 *     whole node may be given beside them, and a drain leaves them where they are. Capacity and {@code maxPods} leave out
 *     what they take; their labels, ports and rules count for other pods as those of any pod do. They hold no GPUs
 */
public record Node(
        String name,
        NodeMode mode,
        Resources capacity,
        int maxPods,
        Map<String, String> labels,
        List<Taint> taints,
        Topology topology,
        List<Gpu> gpus,
        GpuLinks links,
        boolean cordoned,
        List<Placement> residents) {
    /** The greatest number of GPUs in a node. */
    public static final int MAX_GPUS = 64;

    static final int MOST_PODS = 1_000_000;

    /** The number of pods a node takes where nothing else is said, as in Kubernetes. */
    public static final int DEFAULT_MAX_PODS = 110;

    /**
     * Copies the collections and checks the values.
     *
     * @throws IllegalArgumentException if the name is blank, a number is out of range, the GPUs are not numbered
     *     0, 1, 2, ... in order, two GPUs have the same UUID, the links are of another number of GPUs, or a resident names
     *     another node or holds GPUs
     */
    public Node {
        Objects.requireNonNull(links, "links");
        Checks.notBlank("node", "name", name);
        String what = "node \"" + name + "\"";
        Checks.inRange(what, "maxPods", maxPods, 0, MOST_PODS);
        labels = Checks.ascending("labels", labels);
        taints = Checks.list("taints", taints);
        gpus = Checks.list("gpus", gpus);
        residents = Checks.list("residents", residents);
        checkResidents(name, residents);
        Checks.inRange(what, "number of gpus", gpus.size(), 0, MAX_GPUS);
        checkGpus(what, gpus);
        java.util.Objects.requireNonNull(mode, "mode");
        java.util.Objects.requireNonNull(capacity, "capacity");
        Checks.inRange(what, "cpuMillis", capacity.cpuMillis(), 0, Resources.MAX);
        Checks.inRange(what, "memoryMib", capacity.memoryMib(), 0, Resources.MAX);
        java.util.Objects.requireNonNull(topology, "topology");
        if (!links.isNone()) {
            Checks.inRange(what, "number of linked gpus", links.gpuCount(), gpus.size(), gpus.size());
        }
    }

    private static void checkResidents(String name, List<Placement> residents) {
        for (Placement resident : residents) {
            String what = "node \"" + name + "\": resident \"" + resident.pod() + "\"";
            if (!resident.node().equals(name)) {
                throw new IllegalArgumentException(what + " must be on this node, got \"" + resident.node() + "\"");
            }
            if (resident.containers().stream().anyMatch(container -> !(container.gpus() instanceof GpuGrant.None))) {
                throw new IllegalArgumentException(what + " must hold no gpu, got " + resident.containers()
                        + "\nMaybe it is a tenant and belongs into the cluster as a placement.");
            }
        }
    }

    private static void checkGpus(String what, List<Gpu> gpus) {
        Map<String, Integer> seen = new LinkedHashMap<>();
        for (int i = 0; i < gpus.size(); i++) {
            Gpu gpu = gpus.get(i);
            if (gpu.index() != i) {
                throw new IllegalArgumentException(
                        what + ": gpu at position " + i + " must have index " + i + ", got " + gpu.index());
            }
            Integer other = seen.put(gpu.uuid(), i);
            if (other != null) {
                throw new IllegalArgumentException(
                        what + ": gpus " + other + " and " + i + " have the same uuid \"" + gpu.uuid() + "\"");
            }
        }
    }

    /**
     * Starts a node of this name: mixed mode, no CPU, no memory, {@value #DEFAULT_MAX_PODS} pods, no labels, no taints,
     * no GPUs, not cordoned.
     */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    /** Returns a builder that holds everything this node has. */
    public Builder toBuilder() {
        Builder builder = new Builder(name);
        builder.mode = mode;
        builder.capacity = capacity;
        builder.maxPods = maxPods;
        builder.labels.putAll(labels);
        builder.taints.addAll(taints);
        builder.topology = topology;
        builder.gpus.addAll(gpus);
        builder.links = links;
        builder.cordoned = cordoned;
        builder.residents.addAll(residents);
        return builder;
    }

    /** Returns this node, cordoned or not. */
    public Node withCordoned(boolean cordon) {
        return cordon == cordoned
                ? this
                : new Node(name, mode, capacity, maxPods, labels, taints, topology, gpus, links, cordon, residents);
    }

    /**
     * Returns this node with one GPU healthy or not.
     *
     * @throws IllegalArgumentException if there is no GPU of this index
     */
    public Node withGpuHealth(int index, boolean healthy) {
        if (gpus.isEmpty()) {
            throw new IllegalArgumentException("node \"" + name + "\": it has no gpus, got gpu index " + index);
        }
        Checks.inRange("node \"" + name + "\"", "gpu index", index, 0, gpus.size() - 1);
        List<Gpu> changed = new ArrayList<>(gpus);
        changed.set(index, gpus.get(index).withHealthy(healthy));
        return new Node(name, mode, capacity, maxPods, labels, taints, topology, changed, links, cordoned, residents);
    }

    @Override
    public String toString() {
        return "node " + name + ": " + mode + ", " + capacity + ", " + gpus.size() + " gpus"
                + (gpus.isEmpty() ? "" : " " + gpus.get(0).model().name()) + (cordoned ? ", cordoned" : "");
    }

    /** Collects what a node has. May be used again after {@link #build()}. Not thread-safe. */
    public static final class Builder {
        private final String name;
        private NodeMode mode = NodeMode.MIXED;
        private Resources capacity = Resources.NONE;
        private int maxPods = DEFAULT_MAX_PODS;
        private final Map<String, String> labels = new TreeMap<>();
        private final List<Taint> taints = new ArrayList<>();
        private Topology topology = Topology.NONE;
        private final List<Gpu> gpus = new ArrayList<>();
        private GpuLinks links = GpuLinks.NONE;
        private boolean cordoned;
        private final List<Placement> residents = new ArrayList<>();

        private Builder(String name) {
            this.name = Checks.notBlank("node", "name", name);
        }

        /** Sets what the node admits on its GPUs; the last call counts. */
        public Builder mode(NodeMode value) {
            Objects.requireNonNull(value, "value");
            mode = value;
            return this;
        }

        /** Sets CPU in milli and memory in MiB; the last call counts. */
        public Builder capacity(long cpuMillis, long memoryMib) {
            capacity = new Resources(cpuMillis, memoryMib, capacity.named());
            return this;
        }

        /** Sets CPU, memory and all other resources; the last call counts. */
        public Builder capacity(Resources value) {
            capacity = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets the amount of a {@linkplain NamedAmounts named} resource; the last call for a name counts. */
        public Builder resource(String name, long amount) {
            capacity = capacity.with(name, amount);
            return this;
        }

        /** Sets how many pods the node takes; the last call counts. */
        public Builder maxPods(int count) {
            maxPods = count;
            return this;
        }

        /** Sets a label; a second value for the same key replaces the first. */
        public Builder label(String key, String value) {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(value, "value");
            labels.put(Checks.notBlank("node \"" + name + "\"", "label key", key), value);
            return this;
        }

        /** Sets several labels, as if one by one. */
        public Builder labels(Map<String, String> values) {
            Checks.noNulls("values", values);
            values.forEach(this::label);
            return this;
        }

        /** Adds a taint. */
        public Builder taint(Taint taint) {
            Objects.requireNonNull(taint, "taint");
            taints.add(taint);
            return this;
        }

        /** Sets where the node stands; the last call counts. */
        public Builder topology(Topology value) {
            Objects.requireNonNull(value, "value");
            topology = value;
            return this;
        }

        /** Adds a GPU; its index must be the number of GPUs added before. */
        public Builder gpu(Gpu gpu) {
            Objects.requireNonNull(gpu, "gpu");
            gpus.add(gpu);
            return this;
        }

        /** Adds {@code count} healthy GPUs of one model, named {@code <node>-gpu-<index>}. */
        public Builder gpus(int count, GpuModel model) {
            return gpus(count, model, PartitionGeometry.NONE);
        }

        /** Adds {@code count} healthy GPUs of one model, named {@code <node>-gpu-<index>}, to be cut as this geometry says. */
        public Builder gpus(int count, GpuModel model, PartitionGeometry geometry) {
            Objects.requireNonNull(model, "model");
            Objects.requireNonNull(geometry, "geometry");
            String what = "node \"" + name + "\"";
            Checks.inRange(what, "number of gpus", count, 0, MAX_GPUS);
            Checks.inRange(what, "number of gpus", gpus.size() + count, 0, MAX_GPUS);
            for (int i = 0; i < count; i++) {
                int index = gpus.size();
                gpus.add(Gpu.of(index, name + "-gpu-" + index, model).withPartitions(geometry));
            }
            return this;
        }

        /** Sets how the GPUs are connected; the last call counts. */
        public Builder links(GpuLinks value) {
            links = Objects.requireNonNull(value, "value");
            return this;
        }

        /** Sets whether new pods are kept away; the last call counts. */
        public Builder cordoned(boolean value) {
            cordoned = value;
            return this;
        }

        /** Adds a pod that belongs to the machine; capacity and the number of pods must leave out what it takes. */
        public Builder resident(Placement pod) {
            residents.add(Objects.requireNonNull(pod, "pod"));
            return this;
        }

        /**
         * Builds the node.
         *
         * @throws IllegalArgumentException as the constructor of {@link Node} does
         */
        public Node build() {
            return new Node(name, mode, capacity, maxPods, labels, taints, topology, gpus, links, cordoned, residents);
        }
    }
}
