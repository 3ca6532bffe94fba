package io.gpusched.simulator;

import io.gpusched.simulator.trace.TracePod;
import java.util.Comparator;

/**
 * What pods ask for, their memory aside.
 *
 * @param cpuMillis CPU in milli
 * @param gpuMillis compute of each GPU in thousandths
 * @param gpus how many GPUs
 * @param gpuSpec the models accepted, as the trace writes them
 */
public record TypicalShape(long cpuMillis, int gpuMillis, int gpus, String gpuSpec) {
    /** Orders by CPU, then compute, then GPUs, then models: the order in which the experiments of the paper end ties. */
    static final Comparator<TypicalShape> ORDER = Comparator.comparingLong(TypicalShape::cpuMillis)
            .thenComparingInt(TypicalShape::gpuMillis)
            .thenComparingInt(TypicalShape::gpus)
            .thenComparing(TypicalShape::gpuSpec);

    /** Returns the shape of a pod. */
    public static TypicalShape of(TracePod pod) {
        return new TypicalShape(pod.cpuMillis(), pod.gpuMillis(), pod.gpus(), pod.gpuSpec());
    }

    /** Returns whether the pods ask for CPU alone. */
    public boolean isCpuOnly() {
        return gpuMillis == 0;
    }
}
