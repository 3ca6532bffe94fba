package io.gpusched.dialect.hami;

import java.util.Objects;

/**
 * How a HAMi installation is configured, as far as it changes what a request means.
 *
 * <p>A resource whose name is empty cannot be asked for.
 *
 * @param countResource resource that counts GPUs
 * @param memoryResource resource for memory of each GPU
 * @param percentageResource resource for memory of each GPU in percent
 * @param coresResource resource for compute of each GPU in percent
 * @param memoryFactor MiB for each unit of memory asked, at least 1
 * @param defaultMemoryMib memory where none is asked for, in MiB; 0 for the whole GPU's
 * @param defaultCores compute where none is asked for, 0..100
 * @param defaultGpus how many GPUs where only memory or compute is asked for; 0 for none
 * @param lenient whether out-of-range values are read as HAMi's scheduler reads them (a percentage above 100 as 100, one
 *     below 1 as none, compute above 100 as 100) instead of being refused
 */
public record HamiSettings(
        String countResource,
        String memoryResource,
        String percentageResource,
        String coresResource,
        int memoryFactor,
        long defaultMemoryMib,
        int defaultCores,
        int defaultGpus,
        boolean lenient) {
    /** HAMi's own defaults: resources named {@code nvidia.com/...}, factor 1, no default amounts, strict. */
    public static final HamiSettings DEFAULT = named("nvidia.com");

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public HamiSettings {
        Objects.requireNonNull(countResource, "countResource");
        Objects.requireNonNull(memoryResource, "memoryResource");
        Objects.requireNonNull(percentageResource, "percentageResource");
        Objects.requireNonNull(coresResource, "coresResource");
        if (memoryFactor < 1 || defaultMemoryMib < 0 || defaultCores < 0 || defaultCores > 100 || defaultGpus < 0) {
            throw new IllegalArgumentException("hami settings: memoryFactor must be at least 1, got " + memoryFactor
                    + "; defaultMemoryMib at least 0, got " + defaultMemoryMib + "; defaultCores in 0..100, got "
                    + defaultCores + "; defaultGpus at least 0, got " + defaultGpus);
        }
    }

    /** Returns the default settings with resources of this domain: {@code <domain>/gpu}, {@code <domain>/gpumem}, ... */
    public static HamiSettings named(String domain) {
        Objects.requireNonNull(domain, "domain");
        return new HamiSettings(
                domain + "/gpu",
                domain + "/gpumem",
                domain + "/gpumem-percentage",
                domain + "/gpucores",
                1,
                0,
                0,
                1,
                false);
    }

    /** Returns these settings with other amounts: MiB per unit of memory, and what is given where nothing is asked. */
    public HamiSettings withDefaults(int factor, long memoryMib, int cores) {
        return new HamiSettings(
                countResource,
                memoryResource,
                percentageResource,
                coresResource,
                factor,
                memoryMib,
                cores,
                defaultGpus,
                lenient);
    }

    /** Returns these settings, reading out-of-range values as HAMi's scheduler does or refusing them. */
    public HamiSettings withLenient(boolean value) {
        return new HamiSettings(
                countResource,
                memoryResource,
                percentageResource,
                coresResource,
                memoryFactor,
                defaultMemoryMib,
                defaultCores,
                defaultGpus,
                value);
    }
}
