package io.gpusched.internal.dialect;

import io.gpusched.dialect.Quantity;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that a container asks, by resource: limits are read before requests.
 *
 * @param limits its limits, quantities as text
 * @param requests its requests
 */
public record AskedAmounts(Map<String, String> limits, Map<String, String> requests) {
    /** Returns the amount as it is written, or null. */
    public @Nullable String text(String resource) {
        String limit = limits.get(resource);
        return limit == null ? requests.get(resource) : limit;
    }

    /** Returns whether the resource is named. */
    public boolean has(String resource) {
        return text(resource) != null;
    }

    /**
     * Returns a whole number, which may be negative.
     *
     * @throws IllegalArgumentException if it is none; the message names the resource
     */
    public long number(String resource, long absent) {
        String text = text(resource);
        if (text == null) {
            return absent;
        }
        String amount = text.trim();
        try {
            return amount.startsWith("-")
                    ? -Quantity.parse(amount.substring(1)).wholeNumber()
                    : Quantity.parse(amount).wholeNumber();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns the value if it is in range.
     *
     * @throws IllegalArgumentException if it is not; the message names the resource
     */
    public static long inRange(String resource, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(resource + ": must be in " + min + ".." + max + ", got " + value);
        }
        return value;
    }
}
