package io.gpusched.dialect.volcano;

import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads what a container asks of Volcano's vgpu from its resource maps.
 *
 * <p>The number of GPUs must be a limit; a limit on memory alone asks for one GPU. A percentage wins over an amount of
 * memory; without both a container gets the whole memory of its GPUs. Volcano reads a quantity that is no whole number
 * as 0; this throws.
 */
final class VolcanoRequests {
    /** How many GPUs. */
    static final String NUMBER = "volcano.sh/vgpu-number";

    /** Memory of each in MiB. */
    static final String MEMORY = "volcano.sh/vgpu-memory";

    /** Memory of each in percent. */
    static final String PERCENTAGE = "volcano.sh/vgpu-memory-percentage";

    /** Compute of each in percent. */
    static final String CORES = "volcano.sh/vgpu-cores";

    /** What the plugin gpushare reads: memory on one GPU, and idle GPUs. */
    private static final List<String> OLDER = List.of("volcano.sh/gpu-memory", "volcano.sh/gpu-number");

    /** What Volcano takes for a percentage that is not given. */
    private static final long UNSET_PERCENT = 101;

    private VolcanoRequests() {}

    /**
     * Returns what a container asks, or nothing if it asks for no GPU.
     *
     * @throws IllegalArgumentException if a quantity is no whole number or out of range, or the older plugin is asked
     */
    static Optional<VgpuRequest> parse(Map<String, String> limits, Map<String, String> requests) {
        AskedAmounts all = new AskedAmounts(limits, requests);
        for (String older : OLDER) {
            if (all.number(older, 0) != 0) {
                throw new IllegalArgumentException(
                        older + ": is for Volcano's older gpushare plugin, which is not supported"
                                + " together with vgpu, got " + all.text(older) + "\nMaybe " + NUMBER + " is meant.");
            }
        }
        if (!limits.containsKey(NUMBER) && !limits.containsKey(MEMORY)) {
            return Optional.empty();
        }
        long count = limits.containsKey(NUMBER) ? all.number(NUMBER, 0) : 1;
        if (AskedAmounts.inRange(NUMBER, count, 0, Integer.MAX_VALUE) == 0) {
            return Optional.empty();
        }
        long memory = AskedAmounts.inRange(MEMORY, all.number(MEMORY, 0), 0, Integer.MAX_VALUE);
        OptionalInt percent = percent(all, memory);
        long cores = AskedAmounts.inRange(CORES, all.number(CORES, 0), 0, 100);
        return Optional.of(
                new VgpuRequest((int) count, VgpuRequest.NVIDIA, percent.isPresent() ? 0 : memory, percent, cores));
    }

    private static OptionalInt percent(AskedAmounts asked, long memory) {
        long percent = asked.number(PERCENTAGE, UNSET_PERCENT);
        if (percent == UNSET_PERCENT || percent == 0) {
            return memory == 0 ? OptionalInt.of(100) : OptionalInt.empty();
        }
        return OptionalInt.of((int) AskedAmounts.inRange(PERCENTAGE, percent, 1, 100));
    }
}
