package io.gpusched.model;

import java.util.List;

/**
 * Where a pod runs and what it holds there.
 *
 * <p>What the pod holds of a GPU is the greater of two amounts: the sum over its ordinary containers, and the greatest
 * amount of any one init container. A GPU that any of its containers holds whole is held whole.
 *
 * @param pod the pod
 * @param node the name of its node
 * @param resources CPU and memory it holds; with a {@link GpuGrant.WholeNode} grant it holds all of the node's instead
 * @param containers what each container holds, in the order of the pod's containers
 */
public record Placement(PodId pod, String node, Resources resources, List<ContainerGrant> containers) {
    /**
     * Copies the list and checks it.
     *
     * @throws IllegalArgumentException if the node name is blank, or more than one container holds the whole node
     */
    public Placement {
        containers = List.copyOf(containers);
        if (node.isBlank()) {
            throw new IllegalArgumentException("pod \"" + pod + "\": node must not be blank, got \"" + node + "\"");
        }
        java.util.Objects.requireNonNull(resources, "resources");
        int wholeNodes = 0;
        for (ContainerGrant container : containers) {
            wholeNodes += container.gpus() instanceof GpuGrant.WholeNode ? 1 : 0;
        }
        if (wholeNodes > 1) {
            throw new IllegalArgumentException(
                    "pod \"" + pod + "\": at most one container may hold the whole node, got " + wholeNodes);
        }
    }

    /** Returns whether the pod holds its node as a whole. */
    public boolean holdsWholeNode() {
        for (ContainerGrant container : containers) {
            if (container.gpus() instanceof GpuGrant.WholeNode) {
                return true;
            }
        }
        return false;
    }

    /** Returns the indexes of all GPUs of which the pod holds anything, ascending, each once. */
    public List<Integer> gpus() {
        return containers.stream()
                .flatMap(container -> container.gpus().indexes().stream())
                .distinct()
                .sorted()
                .toList();
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
