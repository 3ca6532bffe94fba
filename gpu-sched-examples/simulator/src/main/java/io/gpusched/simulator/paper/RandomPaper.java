package io.gpusched.simulator.paper;

import java.util.SplittableRandom;

/** {@code random-paper}: any node that fits, and on it any GPU that fits a share. */
final class RandomPaper implements PaperPolicy {
    private final SplittableRandom random;

    RandomPaper(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        return 0;
    }

    @Override
    public int choose(PaperNodes nodes, int[] feasible, int count, PaperRequest request) {
        return feasible[random.nextInt(count)];
    }

    @Override
    public int gpu(PaperNodes nodes, int rank, PaperRequest request) {
        int[] left = nodes.left[rank];
        int fitting = 0;
        int chosen = -1;
        for (int gpu = 0; gpu < left.length; gpu++) {
            if (left[gpu] >= request.gpuMillis() && random.nextInt(++fitting) == 0) {
                chosen = gpu;
            }
        }
        return chosen;
    }
}
