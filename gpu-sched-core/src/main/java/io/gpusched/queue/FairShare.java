package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Divides an amount of one resource among queues with the same parent, in integers.
 *
 * <p>Each queue first gets what it deserves, as far as it asks for it; these may add up to more than there is. What is left is
 * divided among the queues that ask for more, the highest priority first: by weight, rounded down to whole units unless that satisfies
 * the queue, round after round until a round satisfies no queue. Units left over by the rounding go one each to the queues with the
 * greatest fraction cut off, then the older, then by name.
 *
 * <p>Example: 10 GPUs, three queues that deserve 2 each and ask for 10, 3 and 10. After 2 each, 4 are left; by equal weights each may
 * have one and a third. The second is satisfied with 1, the others get 1 each. The last one goes to the older of the two.
 */
public final class FairShare {
    private static final BigInteger THOUSAND = BigInteger.valueOf(1_000);

    private final long unit;
    private final int usagePermille;
    private final Map<Claim, Long> shares = new LinkedHashMap<>();
    private long left;

    /**
     * What one queue claims.
     *
     * @param queue its name
     * @param quota what it has
     * @param requested what its jobs use and ask for, at least 0
     * @param priority higher ones share first what is left over quota
     * @param created the smaller, the older
     * @param usagePermille what it used lately, in thousandths of the cluster
     */
    public record Claim(String queue, Quota quota, long requested, int priority, long created, long usagePermille) {
        /** Checks the ranges. */
        public Claim {
            Checks.notBlank("claim", "queue", queue);
            Objects.requireNonNull(quota, "quota");
            Checks.inRange("claim of queue \"" + queue + "\"", "requested", requested, 0, Long.MAX_VALUE);
            Checks.inRange("claim of queue \"" + queue + "\"", "usagePermille", usagePermille, 0, Integer.MAX_VALUE);
        }

        private long requestable() {
            return Math.min(requested, quota.limit());
        }
    }

    /**
     * How much each queue gets.
     *
     * @param shares by queue, in the order of the claims
     * @param left what is left
     */
    public record Division(Map<String, Long> shares, long left) {
        /** Copies the shares. */
        public Division {
            Checks.noNulls("shares", shares);
            shares = Collections.unmodifiableMap(new LinkedHashMap<>(shares));
        }
    }

    private FairShare(long unit, int usagePermille, long left) {
        this.unit = unit;
        this.usagePermille = usagePermille;
        this.left = left;
    }

    /**
     * Divides an amount.
     *
     * @param total the amount, at least 0
     * @param unit shares over quota are multiples of it, unless a queue is satisfied
     * @param usagePermille how much past usage lowers a weight, in thousandths; 0 not at all
     * @param claims the queues
     */
    public static Division divide(long total, long unit, int usagePermille, List<Claim> claims) {
        FairShare division = of(total, unit, usagePermille, claims);
        for (Claim claim : claims) {
            long own = deserved(claim, total);
            division.shares.put(claim, own);
            division.left = Math.max(0, division.left - own);
        }
        division.divideOverQuota();
        return division.result();
    }

    /** What a queue has for sure and asks for; a queue that deserves without bound deserves all of the cluster. */
    private static long deserved(Claim claim, long total) {
        long deserved = claim.quota().deserved();
        return Math.min(deserved == Quota.UNLIMITED ? total : deserved, claim.requestable());
    }

    /**
     * Divides an amount over quota, among queues that have a part of their claims already.
     *
     * @param total the amount, at least 0
     * @param unit shares are multiples of it, unless a queue is satisfied
     * @param usagePermille how much past usage lowers a weight, in thousandths; 0 not at all
     * @param claims the queues
     * @param initial what they have, by queue; nothing where it is not named
     */
    public static Division divideOverQuota(
            long total, long unit, int usagePermille, List<Claim> claims, Map<String, Long> initial) {
        Checks.noNulls("initial", initial);
        FairShare division = of(total, unit, usagePermille, claims);
        claims.forEach(claim -> division.shares.put(claim, initial.getOrDefault(claim.queue(), 0L)));
        division.divideOverQuota();
        return division.result();
    }

    private static FairShare of(long total, long unit, int usagePermille, List<Claim> claims) {
        Checks.inRange("fair share", "total", total, 0, Long.MAX_VALUE);
        Checks.inRange("fair share", "unit", unit, 1, Long.MAX_VALUE);
        Checks.inRange("fair share", "usagePermille", usagePermille, 0, CycleSettings.MAX_USAGE_PERMILLE);
        Checks.noNulls("claims", claims);
        return new FairShare(unit, usagePermille, total);
    }

    private Division result() {
        Map<String, Long> named = new LinkedHashMap<>();
        shares.forEach((claim, share) -> named.put(claim.queue(), share));
        return new Division(named, left);
    }

    private void divideOverQuota() {
        TreeSet<Integer> priorities = new TreeSet<>(Comparator.reverseOrder());
        shares.keySet().forEach(claim -> priorities.add(claim.priority()));
        for (int priority : priorities) {
            if (left > 0) {
                divideAmong(shares.keySet().stream()
                        .filter(claim -> claim.priority() == priority)
                        .toList());
            }
        }
    }

    /** One priority: rounds by weight, then the units that are left. */
    private void divideAmong(List<Claim> claims) {
        Map<Claim, Fraction> cut = new LinkedHashMap<>();
        boolean again = true;
        while (again && left > 0) {
            again = round(claims, cut);
        }
        cut.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<Claim, Fraction> entry) -> entry.getValue())
                        .reversed()
                        .thenComparing(entry -> entry.getKey().created())
                        .thenComparing(entry -> entry.getKey().queue()))
                .forEach(entry -> give(entry.getKey(), Math.min(unit, left)));
    }

    /** Divides what is left by weight, and returns whether a queue was satisfied with less than that. */
    private boolean round(List<Claim> claims, Map<Claim, Fraction> cut) {
        List<Claim> unsatisfied =
                claims.stream().filter(claim -> missing(claim) > 0).toList();
        long weights = unsatisfied.stream()
                .mapToLong(claim -> claim.quota().overQuotaWeight())
                .sum();
        Map<Claim, BigInteger> parts = new LinkedHashMap<>();
        unsatisfied.forEach(claim -> parts.put(claim, part(claim, weights)));
        BigInteger whole = parts.values().stream().reduce(BigInteger.ZERO, BigInteger::add);
        boolean again = false;
        if (whole.signum() > 0) {
            BigInteger amount = BigInteger.valueOf(left);
            for (Map.Entry<Claim, BigInteger> entry : parts.entrySet()) {
                again |= serve(entry.getKey(), amount.multiply(entry.getValue()), whole, cut);
            }
        }
        return again;
    }

    /** The weight of a queue, lowered by what it used lately. */
    private BigInteger part(Claim claim, long weights) {
        BigInteger weight = BigInteger.valueOf(claim.quota().overQuotaWeight());
        if (usagePermille == 0 || weight.signum() == 0) {
            return weight;
        }
        BigInteger raised =
                weight.multiply(THOUSAND.add(BigInteger.valueOf(usagePermille))).multiply(THOUSAND);
        BigInteger used = BigInteger.valueOf(usagePermille)
                .multiply(BigInteger.valueOf(claim.usagePermille()))
                .multiply(BigInteger.valueOf(weights));
        return raised.subtract(used).max(BigInteger.ZERO);
    }

    /** Gives a queue its part, numerator over whole, and returns whether it asked for less. */
    private boolean serve(Claim claim, BigInteger numerator, BigInteger whole, Map<Claim, Fraction> cut) {
        if (numerator.signum() == 0) {
            return false;
        }
        BigInteger asked = BigInteger.valueOf(missing(claim)).multiply(whole);
        if (asked.compareTo(numerator) <= 0) {
            give(claim, missing(claim));
            cut.remove(claim);
            return asked.compareTo(numerator) < 0;
        }
        BigInteger[] units = numerator.divideAndRemainder(whole.multiply(BigInteger.valueOf(unit)));
        give(claim, units[0].longValueExact() * unit);
        if (units[1].signum() > 0) {
            cut.put(claim, new Fraction(units[1], whole));
        }
        return false;
    }

    private long missing(Claim claim) {
        return Math.max(0, claim.requestable() - shares.getOrDefault(claim, 0L));
    }

    private void give(Claim claim, long amount) {
        shares.merge(claim, amount, Long::sum);
        left -= amount;
    }

    /** What was cut off by rounding. */
    private record Fraction(BigInteger numerator, BigInteger denominator) implements Comparable<Fraction> {
        @Override
        public int compareTo(Fraction other) {
            return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
        }
    }
}
