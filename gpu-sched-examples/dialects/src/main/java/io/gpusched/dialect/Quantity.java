package io.gpusched.dialect;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

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

    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE);

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
        String digits = trimmed.substring(0, end);
        boolean isBoth = end < trimmed.length() && (digits.contains("e") || digits.contains("E"));
        try {
            if (factor != null && end <= 40 && !isBoth) {
                BigDecimal number = new BigDecimal(digits);
                if (number.signum() >= 0 && Math.abs(number.scale()) <= 40) {
                    return new Quantity(number.multiply(factor));
                }
            }
        } catch (NumberFormatException e) {
            throw malformed(text, e);
        }
        throw malformed(text, null);
    }

    /**
     * Parses what there is of a resource.
     *
     * @throws IllegalArgumentException if the text is no amount, or not such a one, naming the owner and the resource
     */
    static <T> T read(String owner, String resource, String text, Function<Quantity, T> as) {
        try {
            return as.apply(parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(owner + ", resource " + resource + ": " + e.getMessage(), e);
        }
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
     * @throws IllegalArgumentException if it has a fraction or is above {@link Long#MAX_VALUE}
     */
    public long wholeNumber() {
        if (value.stripTrailingZeros().scale() > 0) {
            throw new IllegalArgumentException("must be a whole number, got " + plain());
        }
        return rounded(value, RoundingMode.UNNECESSARY);
    }

    /**
     * Returns a thousand times the amount, rounded up: CPU in milli.
     *
     * @throws IllegalArgumentException if that is above {@link Long#MAX_VALUE}
     */
    public long millis() {
        return rounded(value.movePointRight(3), RoundingMode.CEILING);
    }

    /**
     * Returns the amount rounded up to a whole number.
     *
     * @throws IllegalArgumentException if that is above {@link Long#MAX_VALUE}
     */
    public long wholeCeiling() {
        return rounded(value, RoundingMode.CEILING);
    }

    /**
     * Returns the amount rounded down to a whole number.
     *
     * @throws IllegalArgumentException if that is above {@link Long#MAX_VALUE}
     */
    public long wholeFloor() {
        return rounded(value, RoundingMode.FLOOR);
    }

    /**
     * Returns an amount in bytes as MiB, rounded up.
     *
     * @throws IllegalArgumentException if that is above {@link Long#MAX_VALUE}
     */
    public long mibCeiling() {
        return rounded(value.divide(MIB, 0, RoundingMode.CEILING), RoundingMode.UNNECESSARY);
    }

    /**
     * Returns an amount in bytes as MiB, rounded down.
     *
     * @throws IllegalArgumentException if that is above {@link Long#MAX_VALUE}
     */
    public long mibFloor() {
        return rounded(value.divide(MIB, 0, RoundingMode.FLOOR), RoundingMode.UNNECESSARY);
    }

    private long rounded(BigDecimal amount, RoundingMode rounding) {
        BigDecimal whole = amount.setScale(0, rounding);
        if (whole.compareTo(MOST) > 0) {
            throw new IllegalArgumentException(
                    "must be at most " + MOST + " in the unit it is counted in, got " + plain());
        }
        return whole.longValueExact();
    }

    private String plain() {
        return value.stripTrailingZeros().toPlainString();
    }
}
