package io.gpusched.replay;

import io.gpusched.analysis.Fragmentation;
import io.gpusched.model.Cluster;
import io.gpusched.workload.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/** Measures how much of a cluster is in use over time, and at some hundred times how much of the rest no usual pod could use. Not thread-safe. */
final class Meter {
    private static final int MOST_SAMPLES = 200;

    private final List<Cluster> samples = new ArrayList<>();
    private final long from;
    private long step = 1;
    private long last;
    private long due;
    private double used;
    private double capacity;

    Meter(long from) {
        this.from = from;
        this.last = from;
        this.due = from;
    }

    /** Notes that a cluster was as it is since the last time until now. */
    void until(long time, Cluster cluster) {
        used += (double) cluster.totals().usedGpuComputeMillis() * (time - last);
        capacity += (double) cluster.totals().gpuComputeMillis() * (time - last);
        last = time;
        if (time >= due) {
            samples.add(cluster);
            if (samples.size() == MOST_SAMPLES) { // half of them, and half as many from now on
                for (int i = MOST_SAMPLES / 2 - 1; i >= 0; i--) {
                    samples.remove(2 * i + 1);
                }
                step *= 2;
            }
            due = time + step;
        }
    }

    /** The mean number of GPUs in use. */
    double usedGpus() {
        return used / Math.max(1, last - from) / 1_000;
    }

    /** The mean number of GPUs. */
    double gpus() {
        return capacity / Math.max(1, last - from) / 1_000;
    }

    /** The mean number of GPUs that were free, and that a pod of this profile could not use. */
    double strandedGpus(WorkloadProfile profile) {
        return profile.demands().isEmpty()
                ? 0
                : samples.stream()
                                .mapToDouble(cluster ->
                                        Fragmentation.of(cluster, profile).millis())
                                .average()
                                .orElse(0)
                        / 1_000;
    }
}
