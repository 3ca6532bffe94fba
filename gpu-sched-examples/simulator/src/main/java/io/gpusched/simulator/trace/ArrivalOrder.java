package io.gpusched.simulator.trace;

import java.util.List;

/**
 * A recorded run order: which rows of a pod list arrive, and how ties between nodes end.
 *
 * @param seed the seed that the order was made with
 * @param rows rows of the pod list in order of arrival, from 0; a row that occurs again is one more pod of that shape
 * @param nodeRanks for each row of the node list its rank, a permutation of 0..n-1; the lowest rank wins a tie
 */
public record ArrivalOrder(long seed, List<Integer> rows, List<Integer> nodeRanks) {
    /** Copies the lists. */
    public ArrivalOrder {
        rows = List.copyOf(rows);
        nodeRanks = List.copyOf(nodeRanks);
    }
}
