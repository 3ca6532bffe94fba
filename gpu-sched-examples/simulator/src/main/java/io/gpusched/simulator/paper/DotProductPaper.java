package io.gpusched.simulator.paper;

/** {@code dot-product-paper}: the node whose free amounts align least with the request (Tetris, inverted). */
final class DotProductPaper implements PaperPolicy {
    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        double cpu =
                nodes.cpuLeft[rank] / BestFitPaper.MAX_CPU_MILLIS * (request.cpuMillis() / BestFitPaper.MAX_CPU_MILLIS);
        double gpu = nodes.idle[rank]
                / BestFitPaper.MAX_GPU_MILLIS
                * (request.totalGpuMillis() / BestFitPaper.MAX_GPU_MILLIS);
        return (int) (100 * (1 - (cpu + gpu) / 2));
    }
}
