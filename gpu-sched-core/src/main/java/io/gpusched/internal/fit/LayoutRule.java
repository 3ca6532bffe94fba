package io.gpusched.internal.fit;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says which of the layouts of a pod on one node is best. */
public interface LayoutRule {
    /** Takes the first layout that fits. */
    LayoutRule FIRST = new LayoutRule() {
        @Override
        public long score(NodeState before, NodeState after, Pod pod) {
            return 0;
        }

        @Override
        public Costs costs(NodeState before, Pod pod) {
            return Costs.NONE;
        }
    };

    /** Returns the score of a layout; higher is better. */
    long score(NodeState before, NodeState after, Pod pod);

    /** Returns whether scores follow from what is free, so that a state need not say which pods hold the rest. */
    default boolean seesOccupancyOnly() {
        return true;
    }

    /** Returns what bounds the scores, or null if nothing does. */
    default @Nullable Costs costs(NodeState before, Pod pod) {
        return null;
    }

    /** Returns the order in which layouts are gone through, or null for the lowest GPU indexes first. */
    default @Nullable Order order() {
        return null;
    }

    /** What the GPUs of one node cost one pod. A layout whose costs add up to {@code c} never scores above {@code bestScore(c)}. */
    interface Costs {
        /** Nothing costs anything, and all scores are 0. */
        Costs NONE = new Costs() {
            @Override
            public long cost(int gpu, int computeMillis, long memoryMib, int slots) {
                return 0;
            }

            @Override
            public long bestScore(long totalCost) {
                return 0;
            }
        };

        /** Returns what it costs to take this much of a GPU, at least 0; taking more never costs less. */
        long cost(int gpu, int computeMillis, long memoryMib, int slots);

        /** Returns the highest score of any layout that costs at least this much in all. */
        long bestScore(long totalCost);
    }

    /** The order in which containers choose their GPUs; what is said of {@code policy.DeviceOrder} holds here. */
    interface Order {
        /** Returns the containers that ask for GPUs in the order in which they choose. */
        List<Container> containers(List<Container> containers);

        /** Returns the GPUs that a container may get, the preferred first. */
        int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container);

        /** Returns the partitions that a container gets, or none. */
        List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container);

        /** Returns whether a pod gets the partitions that are named and no others. */
        boolean namesAllPartitions();

        /** Returns whether the first layout that fits is taken, whatever its score. */
        boolean decides();

        /** Returns the order that is tried where this one leads to no layout, or null. */
        @Nullable
        Order fallback();
    }
}
