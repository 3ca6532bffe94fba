package io.gpusched.policy;

import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Optional;

/**
 * Decides which of the legal placements is best: a pure function of a node and a request.
 *
 * <p>A scheduler asks for the score of each way to place a pod on each node that can take it, and picks the highest;
 * equal scores end in node order, then in the lowest GPU indexes. A policy of your own is one method:
 *
 * <pre>{@code
 * PlacementPolicy fewestPods = (before, after, pod) -> -before.podCount();
 * }</pre>
 *
 * <p>A policy that also looks at what is scarce in the whole cluster is a {@link ClusterAwarePolicy}.
 *
 * <p>Of GPUs on a node that no tenant can tell apart (equal hardware, health and use) only the lowest indexes are
 * offered, so a score should not depend on the index or UUID of a GPU.
 *
 * <p>Implementations must be deterministic and should be integer arithmetic. They are called from the thread that
 * schedules.
 */
@FunctionalInterface
public interface PlacementPolicy {
    /** What a score may depend on; the less, the more a scheduler can remember. */
    enum Scope {
        /**
         * Only on the node's class and on what is free: nodes of one class with the same amounts free, the same use and health of
         * each GPU, the same cordon and equally many pods score equally for pods of the same spec. Of the pod what its containers ask for, not what labels it selects and which
         * taints it tolerates.
         */
        OCCUPANCY,
        /** On anything about the node, but of the pod only on its spec: names of pods and containers do not matter. */
        NODE,
        /** On anything about the node and the pod. */
        POD
    }

    /**
     * Returns how good a placement is; higher is better.
     *
     * @param before the node as it is
     * @param after the node with the pod placed on it in one particular way
     * @param pod the request
     */
    long score(NodeState before, NodeState after, Pod pod);

    /**
     * Returns the order in which ways to lay out a pod on one node are gone through, or nothing for the usual order: equal
     * scores end in the lowest GPU indexes. Nothing by default.
     */
    default Optional<DeviceOrder> deviceOrder() {
        return Optional.empty();
    }

    /** Returns what the score depends on; {@link Scope#NODE} unless overridden. */
    default Scope scope() {
        return Scope.NODE;
    }
}
