package io.gpusched.simulator.mig;

import io.gpusched.model.partition.PartitionProfile;
import java.util.Arrays;
import java.util.List;

/** What pods ask for. */
enum MigMix {
    /** All profiles alike. */
    UNIFORM,
    /** The smaller, the more often: by the inverse of their units. */
    SMALL_HEAVY,
    /** The larger, the more often: by their units. */
    LARGE_HEAVY,
    /** Nine of ten ask for the smallest or the largest. */
    BIMODAL;

    /** The part of the pods that asks for each profile. */
    double[] parts(List<PartitionProfile> profiles) {
        int last = profiles.size() - 1;
        double[] parts = new double[profiles.size()];
        for (int p = 0; p <= last; p++) {
            int size = profiles.get(p).size();
            parts[p] = switch (this) {
                case UNIFORM -> 1;
                case SMALL_HEAVY -> 1.0 / size;
                case LARGE_HEAVY -> size;
                case BIMODAL -> p == 0 || p == last ? 0.45 : 0.1 / Math.max(1, last - 1);
            };
        }
        double sum = Arrays.stream(parts).sum();
        return Arrays.stream(parts).map(part -> part / sum).toArray();
    }

    @Override
    public String toString() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
