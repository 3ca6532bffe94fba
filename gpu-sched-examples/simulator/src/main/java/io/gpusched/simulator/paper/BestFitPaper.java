package io.gpusched.simulator.paper;

/**
 * {@code best-fit-paper}: the node with the least left afterwards, CPU and GPU weighing the same; scores are whole
 * numbers, stretched to 0..100 over the nodes that fit.
 */
final class BestFitPaper implements PaperPolicy {
    /** The most CPU and the most GPU compute of any node, by which amounts are scaled. */
    static final double MAX_CPU_MILLIS = 128_000;

    static final double MAX_GPU_MILLIS = 8_000;

    private int[] raw = {};

    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        double cpu = 0.5 * (nodes.cpuLeft[rank] - request.cpuMillis()) / MAX_CPU_MILLIS;
        double gpu = 0.5 * (nodes.idle[rank] - request.totalGpuMillis()) / MAX_GPU_MILLIS;
        return (int) (100 * (1 - cpu - gpu));
    }

    @Override
    public int choose(PaperNodes nodes, int[] feasible, int count, PaperRequest request) {
        if (raw.length < count) {
            raw = new int[nodes.size];
        }
        int low = Integer.MAX_VALUE;
        int high = Integer.MIN_VALUE;
        for (int i = 0; i < count; i++) {
            raw[i] = score(nodes, feasible[i], request);
            low = Math.min(low, raw[i]);
            high = Math.max(high, raw[i]);
        }
        int best = 0;
        int bestScore = -1;
        for (int i = 0; i < count; i++) {
            int score = high == low ? 0 : (raw[i] - low) * 100 / (high - low);
            if (score > bestScore) {
                bestScore = score;
                best = i;
            }
        }
        return feasible[best];
    }
}
