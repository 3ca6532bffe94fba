package io.gpusched.policy;

import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.Map;

/**
 * A policy that also looks at the cluster as a whole: what a placement takes away costs a price that depends on sums over
 * all nodes. A placement ranks by its {@linkplain #score score} minus its {@linkplain Prices#price price}; the highest
 * wins, ties end as always. Which GPUs a pod gets on a given node is decided by the score alone.
 *
 * <p>Prices depend on three things only: the sums, the class of the node, and a small {@linkplain Market#key key} that
 * says what is taken away. That is what lets a scheduler remember: when the sums change, no node has to be looked at
 * again, for nodes of one class whose keys are equal pay the same.
 *
 * <p>All parts must be pure functions, as in {@link PlacementPolicy}.
 */
public interface ClusterAwarePolicy extends PlacementPolicy {
    /**
     * Returns how this policy looks at the clusters whose nodes are of these classes. Called once for each inventory of
     * nodes, so it may take milliseconds.
     *
     * @param classes the number of nodes of each class, as {@link io.gpusched.model.Cluster#classes()} returns them
     */
    Market market(Map<NodeClass, Integer> classes);

    /** What is summed over the nodes of a cluster, and what placements take away of it. Immutable and thread-safe. */
    interface Market {
        /** Returns the number of sums. */
        int size();

        /**
         * Adds a node's part to the sums, or takes it away.
         *
         * @param sums of length {@link #size()}
         * @param sign 1 to add, -1 to take away what was added for an equal node before
         */
        void count(NodeState node, int sign, long[] sums);

        /**
         * Returns what a placement takes away, as far as prices depend on it. There should be few distinct keys in a
         * class, 0 the most frequent.
         */
        long key(NodeState before, NodeState after);

        /** Returns what pods of this shape pay. */
        Tariff tariff(Pod pod);
    }

    /** What pods of one shape pay. Immutable and thread-safe. */
    @FunctionalInterface
    interface Tariff {
        /** Returns the prices when the cluster's sums are these; the array belongs to the caller and changes later. */
        Prices prices(long[] sums);
    }

    /** The prices of one moment. */
    @FunctionalInterface
    interface Prices {
        /** Returns the price, at least 0, of placements on nodes of this class that take this away. */
        long price(NodeClass nodeClass, long key);
    }
}
