package io.gpusched.dialect;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;

/**
 * An amount as Kubernetes writes it: {@code 4}, {@code 500m}, {@code 1.5Gi}, {@code 2e3}.
 *
 * @param value the amount in the resource's own unit
 */
public record Quantity(BigDecimal value) {
    /** Checks that nothing is null. */
    public Quantity {
        Objects.requireNonNull(value, "value");
    }

    private static final BigDecimal MIB = BigDecimal.valueOf(1L << 20);

    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("", BigDecimal.ONE),
            Map.entry("n", new BigDecimal("0.000000001")),
            Map.entry("u", new BigDecimal("0.000001")),
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", BigDecimal.valueOf(1_000L)),
            Map.entry("M", BigDecimal.valueOf(1_000_000L)),
            Map.entry("G", BigDecimal.valueOf(1_000_000_000L)),
            Map.entry("T", BigDecimal.valueOf(1_000_000_000_000L)),
            Map.entry("P", BigDecimal.valueOf(1_000_000_000_000_000L)),
            Map.entry("E", BigDecimal.valueOf(1_000_000_000_000_000_000L)),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

    /**
     * Parses an amount.
     *
     * @throws IllegalArgumentException if the text is no amount, or below zero
     */
    public static Quantity parse(String text) {
        Objects.requireNonNull(text, "text");
        String trimmed = text.trim();
        int end = trimmed.length();
        while (end > 0 && Character.isLetter(trimmed.charAt(end - 1))) {
            end--;
        }
        BigDecimal factor = SUFFIXES.get(trimmed.substring(end));
        try {
            if (factor != null && end <= 40) {
                BigDecimal number = new BigDecimal(trimmed.substring(0, end));
                if (number.signum() >= 0 && Math.abs(number.scale()) <= 40) {
                    return new Quantity(number.multiply(factor));
                }
            }
        } catch (NumberFormatException e) {
            throw malformed(text, e);
        }
        throw malformed(text, null);
    }

    private static IllegalArgumentException malformed(
            String text, @org.jspecify.annotations.Nullable NumberFormatException cause) {
        return new IllegalArgumentException(
                "quantity must be a number from 0 with an optional suffix such as m, k, Mi or Gi, got \"" + text + "\"",
                cause);
    }

    /**
     * Returns the amount as a whole number.
     *
     * @throws IllegalArgumentException if it has a fraction or is too large
     */
    public long wholeNumber() {
        try {
            return value.longValueExact();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "must be a whole number, got " + value.stripTrailingZeros().toPlainString(), e);
        }
    }

    /** Returns a thousand times the amount, rounded up: CPU in milli. */
    public long millis() {
        return value.movePointRight(3).setScale(0, RoundingMode.CEILING).longValueExact();
    }

    /** Returns the amount rounded up to a whole number. */
    public long wholeCeiling() {
        return value.setScale(0, RoundingMode.CEILING).longValueExact();
    }

    /** Returns the amount rounded down to a whole number. */
    public long wholeFloor() {
        return value.setScale(0, RoundingMode.FLOOR).longValueExact();
    }

    /** Returns an amount in bytes as MiB, rounded up. */
    public long mibCeiling() {
        return value.divide(MIB, 0, RoundingMode.CEILING).longValueExact();
    }

    /** Returns an amount in bytes as MiB, rounded down. */
    public long mibFloor() {
        return value.divide(MIB, 0, RoundingMode.FLOOR).longValueExact();
    }
}
