package io.gpusched.simulator.trace;

import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a GPU that a job asks for, of each of its GPUs. Without compute and memory it is a slot of a GPU that several share by turns.
 *
 * @param computeMillis compute in thousandths of a GPU, 0..1000; of a partition what is counted as in use
 * @param memoryMib memory in MiB, 0 for none
 * @param profile the profile of a hardware partition, such as {@code 1g.10gb}; empty for a share or a whole GPU
 */
public record GpuPart(int computeMillis, long memoryMib, String profile) {
    /** A whole GPU. */
    public static final GpuPart WHOLE = new GpuPart(TracePod.WHOLE_GPU_MILLIS, 0, "");

    private static final Pattern PROFILE = Pattern.compile("([1-7])g\\.(\\d{1,4})gb(\\+[\\w.]+)?");
    private static final int MIG_SLICES = 7;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if an amount is out of its range
     */
    public GpuPart {
        if (computeMillis < 0 || computeMillis > TracePod.WHOLE_GPU_MILLIS || memoryMib < 0) {
            throw new IllegalArgumentException(
                    "gpu part: computeMillis must be in 0..1000 and memoryMib at least 0, got " + computeMillis
                            + " and " + memoryMib);
        }
    }

    /**
     * Returns the partition of a MIG profile; its compute is counted as its slices of seven.
     *
     * @throws IllegalArgumentException if it is no such profile
     */
    public static GpuPart mig(String profile) {
        Matcher parts = PROFILE.matcher(profile);
        if (!parts.matches()) {
            throw new IllegalArgumentException("expected a MIG profile such as 1g.10gb, got \"" + profile + "\"");
        }
        return new GpuPart(Integer.parseInt(parts.group(1)) * TracePod.WHOLE_GPU_MILLIS / MIG_SLICES, 0, profile);
    }

    /** Returns whether a text ends like a MIG profile, with the model before it or not: {@code a100_1g.5gb}. */
    static boolean isMig(String text) {
        return PROFILE.matcher(profileOf(text)).matches();
    }

    /** Returns {@code 1g.5gb} of {@code a100_1g.5gb}. */
    static String profileOf(String text) {
        return text.substring(Math.max(text.lastIndexOf('_'), text.lastIndexOf('-')) + 1);
    }

    boolean isWhole() {
        return equals(WHOLE);
    }

    /** Returns the request for so many GPUs, of each this part. */
    GpuRequest request(int gpus, GpuSelector selector) {
        if (gpus == 0) {
            return GpuRequest.none();
        }
        if (isWhole()) {
            return GpuRequest.exclusive(gpus, selector);
        }
        if (!profile.isEmpty()) {
            return GpuRequest.partition(profile, gpus).withSelector(selector);
        }
        return GpuRequest.share(computeMillis, memoryMib == 0 ? GpuMemory.none() : GpuMemory.mib(memoryMib))
                .withCount(gpus)
                .withSelector(selector);
    }
}
