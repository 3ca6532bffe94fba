package io.gpusched.simulator.replay;

import java.util.ArrayList;
import java.util.List;

/** Adds up what is in use over time, slice by slice. */
final class UsageMeter {
    private static final double HOUR_SECONDS = 3_600;

    private final long sliceSeconds;
    private final double gpuMillis;
    private final List<double[]> slices = new ArrayList<>();
    private long now;

    /**
     * Creates a meter.
     *
     * @param spanSeconds the time of main interest, cut into {@code slices} slices; what comes later makes more of them
     */
    UsageMeter(long spanSeconds, int slices, double gpuMillis) {
        this.sliceSeconds = Math.max(1, (spanSeconds + slices - 1) / slices);
        this.gpuMillis = gpuMillis;
    }

    /** Says that from the last call until now so much was in use, fragmented, running and waiting. */
    void until(long seconds, double usedMillis, double fragmentMillis, int running, int waiting) {
        while (now < seconds) {
            int slice = (int) (now / sliceSeconds);
            long end = Math.min(seconds, (slice + 1) * sliceSeconds);
            while (slices.size() <= slice) {
                slices.add(new double[4]);
            }
            double[] sums = slices.get(slice);
            double passed = end - now;
            sums[0] += usedMillis * passed;
            sums[1] += fragmentMillis * passed;
            sums[2] += running * passed;
            sums[3] += waiting * passed;
            now = end;
        }
    }

    /** Returns how many slices cover a time from the start. */
    int slices(long seconds) {
        return (int) ((seconds + sliceSeconds - 1) / sliceSeconds);
    }

    /** Returns the means of each slice; the last one may be shorter and is counted in full. */
    List<Sample> samples() {
        List<Sample> samples = new ArrayList<>(slices.size());
        for (int slice = 0; slice < slices.size(); slice++) {
            double[] sums = slices.get(slice);
            samples.add(new Sample(
                    (slice + 1) * sliceSeconds / HOUR_SECONDS,
                    100 * sums[0] / sliceSeconds / gpuMillis,
                    100 * sums[1] / sliceSeconds / gpuMillis,
                    sums[2] / sliceSeconds,
                    sums[3] / sliceSeconds));
        }
        return samples;
    }
}
