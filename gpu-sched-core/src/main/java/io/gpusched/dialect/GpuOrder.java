package io.gpusched.dialect;

import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.Comparator;

/** The order in which a system looks at the GPUs of a node; ties end in the lowest index unless it says otherwise. */
@FunctionalInterface
public interface GpuOrder {
    /** Returns the order of GPU indexes on a node in this state, for a container that asks this. */
    Comparator<Integer> on(NodeState node, GpuRequest request);

    /** Lowest index first. */
    static GpuOrder lowestIndex() {
        return (node, request) -> Comparator.naturalOrder();
    }

    /** Least free compute first, then lowest index. */
    static GpuOrder leastComputeFree() {
        return (node, request) ->
                Comparator.<Integer>comparingInt(node::freeComputeMillis).thenComparing(gpu -> gpu);
    }

    /** Least free memory first, then lowest index. */
    static GpuOrder leastMemoryFree() {
        return (node, request) -> Comparator.<Integer>comparingLong(gpu -> node.freeMemoryMib(gpu))
                .thenComparing(gpu -> gpu);
    }

    /** The other way round, ties included. */
    default GpuOrder reversed() {
        return (node, request) -> on(node, request).reversed();
    }
}
