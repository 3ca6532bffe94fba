package io.gpusched.replay;

import io.gpusched.analysis.Fragmentation;
import io.gpusched.model.Cluster;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures how much of a cluster is in use over time, and how much of the rest no usual pod could use: the latter exactly for some hundred states, and by
 * samples of more. What lasts no time at all does not count. Not thread-safe.
 */
final class Meter {
    private static final int MOST_SAMPLES = 200;

    /** Multiples of it are spread evenly over fractions of one, so that each state is kept about as often as it deserves. */
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    private final List<Sample> samples = new ArrayList<>();
    private final long from;
    private long last;
    private double draw;
    private double used;
    private double capacity;

    private record Sample(Cluster cluster, long lasted) {}

    Meter(long from) {
        this.from = from;
        this.last = from;
    }

    /** Notes that a cluster was as it is since the last time until now. */
    void until(long time, Cluster cluster) {
        long lasted = time - last;
        if (lasted == 0) {
            return;
        }
        used += (double) cluster.totals().usedGpuComputeMillis() * lasted;
        capacity += (double) cluster.totals().gpuComputeMillis() * lasted;
        last = time;
        int at = samples.size() - 1;
        if (at >= 0 && isSame(samples.get(at).cluster(), cluster)) {
            samples.set(at, new Sample(cluster, samples.get(at).lasted() + lasted));
            return;
        }
        samples.add(new Sample(cluster, lasted));
        if (samples.size() == 2 * MOST_SAMPLES) {
            halve();
        }
    }

    private static boolean isSame(Cluster one, Cluster other) {
        return JobChanges.same(one, other) || one.totals().equals(other.totals()) && one.equals(other);
    }

    /** Leaves one of each two, for both: each as often as it lasts. */
    private void halve() {
        for (int i = 0; i < MOST_SAMPLES; i++) {
            Sample one = samples.get(2 * i);
            Sample other = samples.get(2 * i + 1);
            long lasted = one.lasted() + other.lasted();
            draw = (draw + GOLDEN_RATIO) % 1;
            samples.set(i, new Sample(draw * lasted < one.lasted() ? one.cluster() : other.cluster(), lasted));
        }
        samples.subList(MOST_SAMPLES, samples.size()).clear();
    }

    /** The mean number of GPUs in use. */
    double usedGpus() {
        return used / Math.max(1, last - from) / 1_000;
    }

    /** The mean number of GPUs. */
    double gpus() {
        return capacity / Math.max(1, last - from) / 1_000;
    }

    /** What was in use one stretch of time after the other, and what of the rest a pod of this profile could not use. */
    List<Outcome.Use> uses(WorkloadProfile profile) {
        boolean isAsked = !profile.demands().isEmpty();
        return samples.stream()
                .map(sample -> new Outcome.Use(
                        sample.lasted(),
                        sample.cluster().totals().usedGpuComputeMillis() / 1_000.0,
                        isAsked ? Fragmentation.of(sample.cluster(), profile).millis() / 1_000.0 : 0))
                .toList();
    }

    /** The mean number of GPUs that were stranded in these stretches of time. */
    double strandedGpus(List<Outcome.Use> uses) {
        return uses.stream()
                        .mapToDouble(use -> use.strandedGpus() * use.lasted())
                        .sum()
                / Math.max(1, last - from);
    }
}
