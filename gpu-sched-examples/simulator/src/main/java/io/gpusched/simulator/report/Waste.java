package io.gpusched.simulator.report;

import java.util.Collection;
import java.util.function.ToDoubleFunction;

/**
 * The idle GPU compute of a cluster by what keeps typical pods from using it, in GPUs; the parts add up to all that is idle.
 *
 * <p>Each idle thousandth of a GPU is judged by every typical pod that asks for GPUs, and the judgements are weighed by
 * how many pods of the workload are of that shape. Where several things are missing the first of these counts.
 *
 * @param usable what they can use
 * @param outOfService on nodes that take nothing new
 * @param model on GPUs of another model than asked for
 * @param gpus where too few GPUs have as much left as is asked for, in one node; the rest of a GPU too
 * @param cpu where CPU is missing
 * @param memory where memory is missing
 */
public record Waste(double usable, double outOfService, double model, double gpus, double cpu, double memory) {
    /** Returns the mean of several; nothing anywhere without any. */
    static Waste mean(Collection<Waste> all) {
        return new Waste(
                mean(all, Waste::usable),
                mean(all, Waste::outOfService),
                mean(all, Waste::model),
                mean(all, Waste::gpus),
                mean(all, Waste::cpu),
                mean(all, Waste::memory));
    }

    private static double mean(Collection<Waste> all, ToDoubleFunction<Waste> part) {
        return Math.round(1_000 * all.stream().mapToDouble(part).average().orElse(0)) / 1_000.0;
    }
}
