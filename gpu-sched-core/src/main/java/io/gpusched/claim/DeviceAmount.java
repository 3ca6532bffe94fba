package io.gpusched.claim;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * An exact amount of a capacity or a counter, such as bytes or pieces. It counts in billionths, the finest step of a
 * Kubernetes quantity, so sums and comparisons are exact whatever their size.
 *
 * <p>Example: {@code DeviceAmount.parse("0.25")} is 250,000,000 billionths, {@code DeviceAmount.of(40L << 30)} 40 GiB.
 *
 * @param billionths any whole number; negative amounts are read but never honoured
 */
public record DeviceAmount(BigInteger billionths) implements Comparable<DeviceAmount> {
    /** Nothing. */
    public static final DeviceAmount ZERO = new DeviceAmount(BigInteger.ZERO);

    private static final int DIGITS = 9;
    private static final int MOST_SCALE = 400;
    private static final BigInteger UNIT = BigInteger.TEN.pow(DIGITS);
    private static final BigInteger MILLI = BigInteger.TEN.pow(DIGITS - 3);

    /** Checks that nothing is null. */
    public DeviceAmount {
        Objects.requireNonNull(billionths, "billionths");
    }

    /** Returns a whole amount. */
    public static DeviceAmount of(long whole) {
        return new DeviceAmount(BigInteger.valueOf(whole).multiply(UNIT));
    }

    /** Returns an amount; what is finer than a billionth is rounded up, as Kubernetes does. */
    public static DeviceAmount of(BigDecimal amount) {
        Objects.requireNonNull(amount, "amount");
        if (Math.abs((long) amount.scale()) > MOST_SCALE) {
            throw new IllegalArgumentException("device amount: exponent must be in -" + MOST_SCALE + ".." + MOST_SCALE
                    + ", got " + -(long) amount.scale());
        }
        RoundingMode up = amount.signum() < 0 ? RoundingMode.FLOOR : RoundingMode.CEILING;
        return new DeviceAmount(amount.movePointRight(DIGITS).setScale(0, up).toBigIntegerExact());
    }

    /**
     * Reads a decimal number, such as {@code 42949672960} or {@code 0.25}.
     *
     * @throws IllegalArgumentException if the text is no number
     */
    public static DeviceAmount parse(String text) {
        Objects.requireNonNull(text, "text");
        try {
            return of(new BigDecimal(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("device amount: must be a decimal number, got \"" + text + "\"", e);
        }
    }

    /** Returns the sum. */
    public DeviceAmount plus(DeviceAmount other) {
        Objects.requireNonNull(other, "other");
        return new DeviceAmount(billionths.add(other.billionths));
    }

    /** Returns the difference. */
    public DeviceAmount minus(DeviceAmount other) {
        Objects.requireNonNull(other, "other");
        return new DeviceAmount(billionths.subtract(other.billionths));
    }

    /** Returns whether this is below zero. */
    public boolean isNegative() {
        return billionths.signum() < 0;
    }

    /** Returns the least whole number that is not below this. */
    BigInteger wholeUp() {
        return ceilDiv(billionths, UNIT);
    }

    /** Returns the least number of thousandths that is not below this. */
    BigInteger milliUp() {
        return ceilDiv(billionths, MILLI);
    }

    /** Returns whether this is a whole number of thousandths that fits 64 bits. */
    boolean isMilli() {
        return billionths.mod(MILLI).signum() == 0 && milliUp().bitLength() < Long.SIZE;
    }

    /** Returns how many millionths of another amount this is, rounded down; 0 if the other is not above 0. */
    long millionthsOf(DeviceAmount whole) {
        return whole.billionths.signum() <= 0
                ? 0
                : billionths
                        .multiply(BigInteger.valueOf(1_000_000))
                        .divide(whole.billionths)
                        .longValue();
    }

    static DeviceAmount ofMilli(BigInteger milli) {
        return new DeviceAmount(milli.multiply(MILLI));
    }

    static DeviceAmount ofWhole(BigInteger whole) {
        return new DeviceAmount(whole.multiply(UNIT));
    }

    private static BigInteger ceilDiv(BigInteger amount, BigInteger divisor) {
        BigInteger[] parts = amount.divideAndRemainder(divisor);
        return parts[1].signum() > 0 ? parts[0].add(BigInteger.ONE) : parts[0];
    }

    @Override
    public int compareTo(DeviceAmount other) {
        Objects.requireNonNull(other, "other");
        return billionths.compareTo(other.billionths);
    }

    /** Returns the amount as a decimal number without needless zeros. */
    @Override
    public String toString() {
        BigDecimal decimal = new BigDecimal(billionths, DIGITS).stripTrailingZeros();
        return (decimal.scale() < 0 ? decimal.setScale(0) : decimal).toPlainString();
    }
}
