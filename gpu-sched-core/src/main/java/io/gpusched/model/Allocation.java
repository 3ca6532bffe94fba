package io.gpusched.model;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a pod holds of a node, whichever it is: CPU, memory and other resources, and what each container has of the GPUs. Pods of one spec
 * that got the same GPUs by index hold equal allocations, so a large cluster needs few.
 *
 * <p>Immutable; two allocations are equal if all they state is.
 */
final class Allocation {
    private final Resources resources;
    private final List<ContainerGrant> containers;
    private final boolean wholeNode;

    /** What it takes of the GPUs where that follows without a look at the node. */
    private final @Nullable Holdings simple;

    /**
     * Creates an allocation; the list is copied.
     *
     * @param pod the pod that holds it, to be named in errors
     * @param resources CPU, memory and other resources; with a {@link GpuGrant.WholeNode} grant it is all of the node's instead
     * @param containers what each container holds, in the order of the pod's containers
     * @throws IllegalArgumentException if more than one container holds the whole node
     */
    Allocation(PodId pod, Resources resources, List<ContainerGrant> containers) {
        this.resources = Objects.requireNonNull(resources, "resources");
        this.containers = Checks.list("containers", containers);
        this.wholeNode = holdsWholeNode(pod, this.containers);
        this.simple = Holdings.simple(this.containers);
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

    /** Returns CPU, memory and other resources; with a {@link GpuGrant.WholeNode} grant it is all of the node's instead. */
    Resources resources() {
        return resources;
    }

    /** Returns what each container holds, in the order of the pod's containers. */
    List<ContainerGrant> containers() {
        return containers;
    }

    /** Returns whether it is the node as a whole. */
    boolean isWholeNode() {
        return wholeNode;
    }

    /** What it takes of the GPUs where that follows without a look at the node, or null. */
    @Nullable
    Holdings simpleHoldings() {
        return simple;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof Allocation allocation
                        && resources.equals(allocation.resources)
                        && containers.equals(allocation.containers);
    }

    @Override
    public int hashCode() {
        return Objects.hash(resources, containers);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (ContainerGrant container : containers) {
            if (!(container.gpus() instanceof GpuGrant.None)) {
                text.append(container).append(", ");
            }
        }
        return text.append(resources).toString();
    }
}
