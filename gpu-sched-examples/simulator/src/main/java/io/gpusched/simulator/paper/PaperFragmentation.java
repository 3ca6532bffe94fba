package io.gpusched.simulator.paper;

import io.gpusched.simulator.TypicalMix;
import io.gpusched.simulator.TypicalShape;

/**
 * Fragmentation of one node in doubles, summed in the order in which the experiments summed it: the policy truncates a
 * function of it to whole numbers, so that the last bit counts.
 *
 * <p>There are seven sums, one for each reason why a typical pod cannot use what is idle, and the total adds them in a
 * fixed order, leaving out what can be used.
 */
final class PaperFragmentation {
    private static final int LACKS_BOTH = 0;
    private static final int LACKS_GPU = 1;
    private static final int SERVED = 2;
    private static final int LACKS_CPU = 3;
    private static final int CPU_ONLY_SERVED = 4;
    private static final int CPU_ONLY_LACKS_CPU = 5;
    private static final int NO_ACCESS = 6;

    private final TypicalShape[] shapes;
    private final double[] frequencies;
    private final PaperRequest.AcceptedModels[] accepts;
    private final double[] sums = new double[7];

    PaperFragmentation(TypicalMix mix, PaperNodes nodes) {
        int count = mix.shapes().size();
        shapes = mix.shapes().toArray(TypicalShape[]::new);
        accepts = new PaperRequest.AcceptedModels[count];
        frequencies = new double[count];
        double total = mix.pods();
        double covered = mix.covered() / total;
        for (int i = 0; i < count; i++) {
            accepts[i] = PaperPlacer.acceptedModels(nodes, shapes[i].gpuSpec());
            frequencies[i] = mix.counts().get(i) / total / covered;
        }
    }

    /** Returns the fragments of a node with this model, this CPU left and this left of each GPU, in thousandths. */
    double of(int model, long cpuLeft, int[] left) {
        java.util.Arrays.fill(sums, 0);
        int idle = 0;
        for (int millis : left) {
            idle += millis;
        }
        for (int i = 0; i < shapes.length; i++) {
            add(i, model, cpuLeft, left, idle);
        }
        double total = 0;
        for (int reason = 0; reason < sums.length; reason++) {
            total += reason == SERVED ? 0 : sums[reason];
        }
        return total;
    }

    private void add(int at, int model, long cpuLeft, int[] left, int idle) {
        TypicalShape shape = shapes[at];
        boolean cpuFits = cpuLeft >= shape.cpuMillis();
        if (shape.isCpuOnly()) {
            sums[cpuFits ? CPU_ONLY_SERVED : CPU_ONLY_LACKS_CPU] += frequencies[at] * idle;
            return;
        }
        if (!accepts[at].test(model)) {
            sums[NO_ACCESS] += frequencies[at] * idle;
            return;
        }
        int fitting = 0;
        int tooSmall = 0;
        for (int millis : left) {
            if (millis >= shape.gpuMillis()) {
                fitting++;
            } else {
                tooSmall += millis;
            }
        }
        boolean gpuFits = fitting >= shape.gpus();
        if (gpuFits && cpuFits) {
            sums[LACKS_GPU] += frequencies[at] * tooSmall;
            sums[SERVED] += frequencies[at] * (idle - tooSmall);
        } else {
            sums[gpuFits ? LACKS_CPU : cpuFits ? LACKS_GPU : LACKS_BOTH] += frequencies[at] * idle;
        }
    }
}
