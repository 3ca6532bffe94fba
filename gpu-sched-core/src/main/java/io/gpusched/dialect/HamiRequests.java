package io.gpusched.dialect;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a container asks of HAMi from its resource maps: limits count before requests.
 *
 * <p>Without memory and percentage a container gets the whole memory of its GPUs. A percentage of 0 is none. Where
 * HAMi drops the whole request because the memory is no whole number in range ({@code 16Gi} is read as bytes), so that
 * the container runs without a GPU, this throws.
 */
public final class HamiRequests {
    private final HamiSettings settings;

    private HamiRequests(HamiSettings settings) {
        this.settings = settings;
    }

    /** Returns a reader for an installation with these settings. */
    public static HamiRequests of(HamiSettings settings) {
        return new HamiRequests(settings);
    }

    /**
     * Returns what a container asks, or nothing if it asks for no GPU.
     *
     * @param limits its resource limits, quantities as text
     * @param requests its resource requests
     * @throws IllegalArgumentException if a quantity is no whole number, is out of range, or, unless the settings are
     *     lenient, is a percentage outside 0..100
     */
    public Optional<VgpuRequest> parse(Map<String, String> limits, Map<String, String> requests) {
        Quantities asked = new Quantities(limits, requests);
        long count = asked.number(settings.countResource(), 0);
        if (count == 0) {
            return Optional.empty();
        }
        inRange(settings.countResource(), count, 0, Integer.MAX_VALUE);
        long memoryMib = memoryMib(asked);
        OptionalInt percent = percent(asked);
        if (memoryMib == 0 && percent.isEmpty()) {
            memoryMib = settings.defaultMemoryMib();
            percent = memoryMib == 0 ? OptionalInt.of(100) : percent;
        }
        return Optional.of(new VgpuRequest((int) count, VgpuRequest.NVIDIA, memoryMib, percent, cores(asked)));
    }

    private long memoryMib(Quantities asked) {
        long units = asked.number(settings.memoryResource(), 0);
        long most = Integer.MAX_VALUE / settings.memoryFactor();
        if (units < 0 || units > most) {
            throw new IllegalArgumentException(settings.memoryResource() + ": must be in 0.." + most + ", got " + units
                    + "\nMaybe it was written with a unit, such as 16Gi; write the number of MiB, such as 16384.");
        }
        return units * settings.memoryFactor();
    }

    private OptionalInt percent(Quantities asked) {
        long percent = asked.number(settings.percentageResource(), 0);
        if (!settings.lenient()) {
            inRange(settings.percentageResource(), percent, 0, 100);
        }
        return percent <= 0 ? OptionalInt.empty() : OptionalInt.of((int) Math.min(percent, 100));
    }

    private long cores(Quantities asked) {
        long cores = asked.number(settings.coresResource(), settings.defaultCores());
        return inRange(settings.coresResource(), cores, 0, settings.lenient() ? Integer.MAX_VALUE : 100);
    }

    static long inRange(String resource, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(resource + ": must be in " + min + ".." + max + ", got " + value);
        }
        return value;
    }

    /** A container's resource maps, limits before requests. */
    record Quantities(Map<String, String> limits, Map<String, String> requests) {
        @Nullable
        String text(String resource) {
            String limit = limits.get(resource);
            return limit == null ? requests.get(resource) : limit;
        }

        boolean has(String resource) {
            return text(resource) != null;
        }

        long number(String resource, long absent) {
            String text = text(resource);
            return text == null ? absent : whole(resource, text);
        }

        static long whole(String resource, String text) {
            String amount = text.trim();
            try {
                return amount.startsWith("-")
                        ? -Quantity.parse(amount.substring(1)).wholeNumber()
                        : Quantity.parse(amount).wholeNumber();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
            }
        }
    }
}
