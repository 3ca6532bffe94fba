package io.gpusched.simulator.paper;

/**
 * {@code gpu-clustering-paper}: nodes that only ever had pods with as many GPUs, before others that had such pods, before
 * nodes that had none; fuller nodes first. What a node once had is never forgotten.
 */
final class GpuClusteringPaper implements PaperPolicy {
    /** For each node a bit for each class of pods that was ever placed there. */
    private int[] classes = {};

    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        if (request.gpus() == 0) {
            return 0;
        }
        int part = 25 * (8_000 - nodes.idle[rank]) / 8_000;
        int mine = classBit(request);
        if ((classes[rank] & mine) != 0) {
            return part + (classes[rank] == mine ? 75 : 50);
        }
        return part + (classes[rank] == 0 ? 25 : 0);
    }

    @Override
    public int choose(PaperNodes nodes, int[] feasible, int count, PaperRequest request) {
        if (classes.length == 0) {
            classes = new int[nodes.size];
        }
        int rank = PaperPolicy.super.choose(nodes, feasible, count, request);
        classes[rank] |= request.gpus() == 0 ? 0 : classBit(request);
        return rank;
    }

    /** Bit 0 for shares, and one bit for each order of magnitude of whole GPUs: 1, 2, 4, 8. */
    private static int classBit(PaperRequest request) {
        return request.isShare() ? 1 : 2 << Integer.numberOfTrailingZeros(request.gpus());
    }
}
