package io.gpusched.policy;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The order in which a policy goes through the ways to lay out a pod on one node; for policies that do not leave it to the
 * lowest GPU indexes.
 *
 * <p>Containers choose one after the other. Of two layouts that one comes first in which the first container gets the
 * earlier GPUs, then the second, and so on. So a system that gives GPUs to one container after the other, and never looks
 * back, is copied where its way succeeds; where it fails, the next layout in the same order is found.
 *
 * <p>A policy that takes the GPU with the highest index:
 *
 * <pre>{@code
 * DeviceOrder highest = (node, earlier, container) ->
 *         IntStream.range(0, node.gpuCount()).map(g -> node.gpuCount() - 1 - g).toArray();
 * }</pre>
 *
 * <p>Implementations are pure functions. They are called from the thread that schedules.
 */
@FunctionalInterface
public interface DeviceOrder {
    /**
     * Returns GPU indexes for one container, the preferred first. GPUs that are left out are not taken; those without room
     * need not be left out.
     *
     * <p>An index that the node has no GPU of ends the decision with an {@link IllegalStateException}.
     *
     * @param node the node with what the containers before this one hold that keep running; for an init container, with what
     *     the sidecars hold that stand before it in the pod. What is free tells of that; the list of placements does not
     * @param earlier what the containers before this one hold, in the order in which they chose
     * @param container the container; it asks for GPUs, but not for a whole node
     */
    int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container);

    /**
     * Returns the hardware partitions that a container takes, as many as it asks for; none by default, and then scores decide. They
     * are taken where each container of a pod gets its own so, one after the other, and all find room; else scores decide, too.
     *
     * @param node the node with what the containers before this one hold
     * @param earlier what the containers before this one hold
     * @param container the container; it asks for partitions
     */
    default List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(container, "container");
        return List.of();
    }

    /**
     * Returns whether a pod gets the partitions that {@link #partitions} names and no others; false by default. If true, a node
     * where none are named for some container has no place for the pod.
     */
    default boolean namesAllPartitions() {
        return false;
    }

    /**
     * Returns the containers of a pod that ask for GPUs in the order in which they choose, each once; the pod's order by default.
     * Anything else ends the decision with an {@link IllegalStateException}.
     */
    default List<Container> containers(List<Container> containers) {
        return Objects.requireNonNull(containers, "containers");
    }

    /**
     * Returns an order that is tried on a node where this one leads to no layout; none by default. It is for orders that leave
     * out GPUs with room, so that they may miss a layout.
     */
    default Optional<DeviceOrder> fallback() {
        return Optional.empty();
    }

    /**
     * Returns whether the order alone decides on a node. True by default: the first layout that fits is taken, and the
     * policy's score of it only compares nodes. If false, the highest score wins on a node too, and the order decides
     * between equal scores; then a few thousand layouts of a node are looked at.
     */
    default boolean decides() {
        return true;
    }
}
