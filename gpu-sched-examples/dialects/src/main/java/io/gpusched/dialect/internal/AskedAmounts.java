package io.gpusched.dialect.internal;

import io.gpusched.dialect.Quantity;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The amounts that a container asks, by resource: limits are read before requests.
 *
 * @param limits its limits, quantities as text
 * @param requests its requests
 */
public record AskedAmounts(Map<String, String> limits, Map<String, String> requests) {
    private static final Pattern PLAIN = Pattern.compile("[+-]?[0-9]+\\.?(k|[MGTPE]|[KMGTPE]i|[eE]\\+?[0-9]+)?");

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
        return read(resource, absent, Quantity::wholeNumber);
    }

    private long read(String resource, long absent, ToLongFunction<Quantity> whole) {
        String text = text(resource);
        if (text == null) {
            return absent;
        }
        String amount = text.trim();
        try {
            return amount.startsWith("-")
                    ? -whole.applyAsLong(Quantity.parse(amount.substring(1)))
                    : whole.applyAsLong(Quantity.parse(amount));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(resource + ": " + e.getMessage(), e);
        }
    }

    /**
     * Returns a whole number as Kubernetes' own whole-number reading has it: digits, with a suffix or a power of ten that
     * does not make them smaller ({@code 16}, {@code 2Ki}, {@code 1e3}). Nothing for {@code 3.0} and {@code 1000m}, whole as
     * they are, for a number out of range, and where the resource is not named.
     */
    public OptionalLong plain(String resource) {
        String text = text(resource);
        return text != null && PLAIN.matcher(text.trim()).matches() ? inLong(resource) : OptionalLong.empty();
    }

    private OptionalLong inLong(String resource) {
        try {
            return OptionalLong.of(number(resource, 0));
        } catch (IllegalArgumentException e) {
            return OptionalLong.empty();
        }
    }

    /**
     * Returns a number rounded up to a whole one, away from zero, which is Kubernetes' value of it.
     *
     * @throws IllegalArgumentException if it is none; the message names the resource
     */
    public long ceiling(String resource, long absent) {
        return read(resource, absent, Quantity::wholeCeiling);
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
