package io.gpusched.simulator.paper;

import java.util.Arrays;

/** {@code gpu-packing-paper}: GPUs in use before untouched GPUs of used nodes before untouched nodes. */
final class GpuPackingPaper implements PaperPolicy {
    @Override
    public int score(PaperNodes nodes, int rank, PaperRequest request) {
        if (request.gpus() == 0) {
            return 0;
        }
        int free = nodes.freeGpus[rank];
        if (free == nodes.left[rank].length) {
            return Math.max(33 - free, free);
        }
        int[] ascending = nodes.left[rank].clone();
        Arrays.sort(ascending);
        int taken = 0;
        int untouched = 0;
        int percents = 0;
        for (int i = 0; i < ascending.length && taken < request.gpus(); i++) {
            if (ascending[i] >= request.gpuMillis()) {
                taken++;
                untouched += ascending[i] == 1_000 ? 1 : 0;
                percents += ascending[i] * 100 / 1_000;
            }
        }
        return untouched > 0 ? Math.max(50 - untouched, 33) : Math.max(100 - percents / 10, 50);
    }
}
