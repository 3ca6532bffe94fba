package io.gpusched.dialect.hami;

import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.dialect.vgpu.VgpuRequest;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads what a container asks of HAMi from its resource maps: limits count before requests.
 *
 * <p>Without memory and percentage a container gets the whole memory of its GPUs. A percentage of 0 is none. HAMi reads
 * {@linkplain AskedAmounts#plain plain} whole numbers. Where it drops the whole request because the memory is none that is in
 * range after the memory factor ({@code 16Gi} is 17,179,869,184 MiB, {@code 3.0} is not plain), the container would run without a GPU: this
 * throws, unless the settings are lenient. Another amount that is not plain is to HAMi as if it were not there.
 */
final class HamiRequests {
    private final HamiSettings settings;

    private HamiRequests(HamiSettings settings) {
        this.settings = settings;
    }

    /** Returns a reader for an installation with these settings. */
    static HamiRequests of(HamiSettings settings) {
        return new HamiRequests(settings);
    }

    /**
     * Returns what a container asks, or nothing if it asks for no GPU.
     *
     * @param limits its resource limits, quantities as text
     * @param requests its resource requests
     * @throws IllegalArgumentException unless the settings are lenient: if a quantity is no whole number or out of range
     */
    Optional<VgpuRequest> parse(Map<String, String> limits, Map<String, String> requests) {
        AskedAmounts asked = new AskedAmounts(limits, requests);
        long count = plain(asked, settings.countResource(), 0);
        if (count == 0) {
            return Optional.empty();
        }
        AskedAmounts.inRange(settings.countResource(), count, 0, Integer.MAX_VALUE);
        if (settings.lenient() && memoryRefusal(asked).isPresent()) {
            return Optional.empty();
        }
        long memoryMib = memoryMib(asked);
        OptionalInt percent = percent(asked);
        if (memoryMib == 0 && percent.isEmpty()) {
            memoryMib = settings.defaultMemoryMib();
            percent = memoryMib == 0 ? OptionalInt.of(100) : percent;
        }
        return Optional.of(new VgpuRequest((int) count, VgpuRequest.NVIDIA, memoryMib, percent, cores(asked)));
    }

    private long memoryMib(AskedAmounts asked) {
        memoryRefusal(asked).ifPresent(rule -> {
            throw new IllegalArgumentException(settings.memoryResource() + ": " + rule
                    + "\nMaybe it was written with a unit, such as 16Gi; write the number of MiB, such as 16384.");
        });
        return asked.number(settings.memoryResource(), 0) * settings.memoryFactor();
    }

    private Optional<String> memoryRefusal(AskedAmounts asked) {
        String text = asked.text(settings.memoryResource());
        if (text == null) {
            return Optional.empty();
        }
        long most = Integer.MAX_VALUE / settings.memoryFactor();
        OptionalLong units = asked.plain(settings.memoryResource());
        if (units.isEmpty()) {
            return Optional.of("must be a whole number in 0.." + most + ", got \"" + text + "\"");
        }
        return units.getAsLong() >= 0 && units.getAsLong() <= most
                ? Optional.empty()
                : Optional.of("must be in 0.." + most + ", got " + units.getAsLong());
    }

    /** Where it is not plain, HAMi takes it as if it were not there. */
    private long plain(AskedAmounts asked, String resource, long absent) {
        OptionalLong plain = asked.plain(resource);
        return plain.isPresent() || settings.lenient() ? plain.orElse(absent) : asked.number(resource, absent);
    }

    private OptionalInt percent(AskedAmounts asked) {
        long percent = plain(asked, settings.percentageResource(), 0);
        if (!settings.lenient()) {
            AskedAmounts.inRange(settings.percentageResource(), percent, 0, 100);
        }
        return percent <= 0 ? OptionalInt.empty() : OptionalInt.of((int) Math.min(percent, 100));
    }

    private long cores(AskedAmounts asked) {
        long cores = plain(asked, settings.coresResource(), settings.defaultCores());
        return AskedAmounts.inRange(settings.coresResource(), cores, 0, settings.lenient() ? Integer.MAX_VALUE : 100);
    }
}
