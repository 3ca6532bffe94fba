package io.gpusched.simulator.paper;

/**
 * How a policy of the paper chooses among the nodes that can take a pod, and a GPU for a share.
 *
 * <p>Unless said otherwise the highest score wins, ties end with the lowest rank, and a share goes to the GPU with the
 * least left that is enough.
 */
interface PaperPolicy {
    /** Returns the score of a node; higher is better. */
    int score(PaperNodes nodes, int rank, PaperRequest request);

    /** Returns the rank of the chosen node; {@code feasible} holds {@code count} ranks, ascending, at least one. */
    default int choose(PaperNodes nodes, int[] feasible, int count, PaperRequest request) {
        int best = feasible[0];
        int bestScore = Integer.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            int score = score(nodes, feasible[i], request);
            if (score > bestScore) {
                bestScore = score;
                best = feasible[i];
            }
        }
        return best;
    }

    /** Returns the GPU of the chosen node for a share. */
    default int gpu(PaperNodes nodes, int rank, PaperRequest request) {
        return nodes.bestFittingGpu(rank, request.gpuMillis());
    }
}
