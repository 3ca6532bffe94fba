package io.gpusched.workload;

import io.gpusched.model.ContainerKind;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A pod that asks for a place.
 *
 * @param id its name
 * @param containers its containers, init containers included, in their order; at least one
 * @param nodeSelector which nodes it accepts
 * @param tolerations which taints it puts up with
 * @param overhead CPU and memory that it takes beside its containers, such as what its sandbox needs
 */
public record Pod(
        PodId id,
        List<Container> containers,
        NodeSelector nodeSelector,
        List<Toleration> tolerations,
        Resources overhead) {
    private static final int MAX_CONTAINERS = 1_000;

    /**
     * Copies the lists and checks the containers.
     *
     * @throws IllegalArgumentException if there is no container, two have the same name, more than one asks for the
     *     whole node, one asks for the whole node and another for GPUs, or their CPU or memory sums up to more than
     *     {@link Resources#MAX}
     */
    public Pod {
        containers = List.copyOf(containers);
        tolerations = List.copyOf(tolerations);
        if (containers.isEmpty() || containers.size() > MAX_CONTAINERS) {
            Checks.inRange(what(id), "number of containers", containers.size(), 1, MAX_CONTAINERS);
        }
        checkNames(id, containers);
        checkRequests(id, containers, overhead);
        java.util.Objects.requireNonNull(nodeSelector, "nodeSelector");
    }

    /** A pod that takes nothing beside its containers. */
    public Pod(PodId id, List<Container> containers, NodeSelector nodeSelector, List<Toleration> tolerations) {
        this(id, containers, nodeSelector, tolerations, Resources.NONE);
    }

    private static String what(PodId id) {
        return "pod \"" + id + "\"";
    }

    private static void checkNames(PodId id, List<Container> containers) {
        if (containers.size() == 1) {
            return;
        }
        Set<String> names = new HashSet<>();
        for (Container container : containers) {
            if (!names.add(container.name())) {
                throw new IllegalArgumentException(
                        what(id) + ": two containers have the name \"" + container.name() + "\"");
            }
        }
    }

    private static void checkRequests(PodId id, List<Container> containers, Resources overhead) {
        long cpuMillis = overhead.cpuMillis();
        long memoryMib = overhead.memoryMib();
        int wholeNodes = 0;
        int gpuContainers = 0;
        for (int i = 0; i < containers.size(); i++) {
            Container container = containers.get(i);
            cpuMillis += container.resources().cpuMillis();
            memoryMib += container.resources().memoryMib();
            wholeNodes += container.gpu() instanceof GpuRequest.WholeNode ? 1 : 0;
            gpuContainers += container.gpu() instanceof GpuRequest.None ? 0 : 1;
        }
        if (cpuMillis > Resources.MAX || memoryMib > Resources.MAX) {
            Checks.inRange(what(id), "sum of cpuMillis", cpuMillis, 0, Resources.MAX);
            Checks.inRange(what(id), "sum of memoryMib", memoryMib, 0, Resources.MAX);
        }
        if (wholeNodes > 1 || wholeNodes == 1 && gpuContainers > 1) {
            throw new IllegalArgumentException(
                    what(id) + ": at most one container may ask for the whole node, and then no "
                            + "other may ask for gpus; got " + wholeNodes + " for the whole node and " + gpuContainers
                            + " with gpu requests");
        }
    }

    /** Returns a pod of one container, named {@code main}, that accepts every node without taints. */
    public static Pod of(String id, Resources resources, GpuRequest gpu) {
        return builder(id).container(Container.of("main", resources, gpu)).build();
    }

    /** Starts a pod of this name (see {@link PodId#of}) that accepts every node without taints. */
    public static Builder builder(String id) {
        return new Builder(PodId.of(id));
    }

    /** Returns this pod under another name. */
    public Pod withId(PodId other) {
        return new Pod(other, containers, nodeSelector, tolerations, overhead);
    }

    /**
     * Returns the CPU and memory that must be free, as Kubernetes counts them: of each the greater of what runs together in
     * the end (ordinary containers and sidecars) and what any init container needs beside the sidecars before it; then
     * the overhead.
     *
     * <p>A sidecar of 1 core, an init container of 3 after it and an ordinary container of 2: max(1 + 2, 3 + 1) = 4 cores.
     */
    public Resources resources() {
        if (containers.size() == 1) {
            return containers.get(0).resources().plus(overhead);
        }
        Resources sum = Resources.NONE;
        Resources sidecars = Resources.NONE;
        Resources init = Resources.NONE;
        for (Container container : containers) {
            if (container.init()) {
                init = init.max(sidecars.plus(container.resources()));
            } else {
                sum = sum.plus(container.resources());
                sidecars = container.kind() == ContainerKind.SIDECAR ? sidecars.plus(container.resources()) : sidecars;
            }
        }
        return sum.max(init).plus(overhead);
    }

    /** Returns whether the other pod asks for the same, names of pods and containers aside. */
    public boolean hasSameShape(Pod other) {
        if (containers.size() != other.containers.size()
                || !nodeSelector.equals(other.nodeSelector)
                || !tolerations.equals(other.tolerations)
                || !overhead.equals(other.overhead)) {
            return false;
        }
        for (int i = 0; i < containers.size(); i++) {
            Container mine = containers.get(i);
            Container theirs = other.containers.get(i);
            if (mine.kind() != theirs.kind()
                    || !mine.resources().equals(theirs.resources())
                    || !mine.gpu().equals(theirs.gpu())) {
                return false;
            }
        }
        return true;
    }

    /** Returns a hash that agrees with {@link #hasSameShape}. */
    public int shapeHash() {
        int hash = (nodeSelector.hashCode() * 31 + tolerations.hashCode()) * 31 + overhead.hashCode();
        for (Container container : containers) {
            hash = hash * 31 + container.resources().hashCode();
            hash = hash * 31 + container.gpu().hashCode();
            hash = hash * 31 + container.kind().name().hashCode();
        }
        return hash;
    }

    /** Collects what a pod asks. May be used again after {@link #build()}. Not thread-safe. */
    public static final class Builder {
        private final PodId id;
        private final List<Container> containers = new ArrayList<>();
        private NodeSelector nodeSelector = NodeSelector.ANY;
        private final List<Toleration> tolerations = new ArrayList<>();
        private Resources overhead = Resources.NONE;

        private Builder(PodId id) {
            this.id = id;
        }

        /** Adds a container. */
        public Builder container(Container container) {
            containers.add(container);
            return this;
        }

        /** Adds an ordinary container. */
        public Builder container(String name, Resources resources, GpuRequest gpu) {
            return container(Container.of(name, resources, gpu));
        }

        /** Demands what this selector demands, on top of what earlier calls demand. */
        public Builder nodeSelector(NodeSelector selector) {
            nodeSelector = nodeSelector.and(selector);
            return this;
        }

        /** Adds a toleration. */
        public Builder toleration(Toleration toleration) {
            tolerations.add(toleration);
            return this;
        }

        /** Sets the CPU and memory that the pod takes beside its containers; the last call counts. */
        public Builder overhead(Resources value) {
            overhead = value;
            return this;
        }

        /**
         * Builds the pod.
         *
         * @throws IllegalArgumentException as the constructor of {@link Pod} does
         */
        public Pod build() {
            return new Pod(id, containers, nodeSelector, tolerations, overhead);
        }
    }
}
