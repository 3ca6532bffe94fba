package io.gpusched.queue;

import io.gpusched.check.Checks;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What queues have used lately, with what is long ago counting less: each {@code halfLife} halves it.
 *
 * <p>It is kept in amount times time, as of one moment. Within a half-life it decreases linearly, so that only integers are
 * needed: after three quarters of one, five eighths are left. Immutable and thread-safe.
 *
 * @param halfLife after which time usage counts half, in the caller's unit; at least 1
 * @param asOf the moment that the amounts are for
 * @param amounts by queue and resource, the amount times the time for which it was used
 */
public record UsageHistory(long halfLife, long asOf, Map<String, Map<QueueResource, Long>> amounts) {
    /** No usage. */
    public static final UsageHistory NONE = new UsageHistory(1, 0, Map.of());

    private static final int LONGEST = 62;

    /**
     * Copies the amounts.
     *
     * @throws IllegalArgumentException if the half-life is below 1 or an amount is negative
     */
    public UsageHistory {
        Checks.inRange("usage history", "halfLife", halfLife, 1, Long.MAX_VALUE >> 1);
        Checks.noNulls("amounts", amounts);
        Map<String, Map<QueueResource, Long>> copy = new TreeMap<>();
        amounts.forEach((queue, used) -> copy.put(queue, checked(queue, used)));
        amounts = Collections.unmodifiableMap(copy);
    }

    private static Map<QueueResource, Long> checked(String queue, Map<QueueResource, Long> used) {
        Checks.noNulls("amounts[" + queue + "]", used);
        used.forEach((resource, amount) ->
                Checks.inRange("usage of queue \"" + queue + "\"", resource.toString(), amount, 0, Long.MAX_VALUE));
        return Collections.unmodifiableMap(new TreeMap<>(used));
    }

    /** Returns an empty history. */
    public static UsageHistory ofHalfLife(long halfLife) {
        return new UsageHistory(halfLife, 0, Map.of());
    }

    /** Returns how much a queue has used of a resource, decayed to the moment {@link #asOf}. */
    public long used(String queue, QueueResource resource) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(resource, "resource");
        return amounts.getOrDefault(queue, Map.of()).getOrDefault(resource, 0L);
    }

    /**
     * Returns this history at a later moment.
     *
     * @throws IllegalArgumentException if the moment is earlier
     */
    public UsageHistory at(long moment) {
        Checks.inRange("usage history", "moment", moment, asOf, Long.MAX_VALUE);
        Map<String, Map<QueueResource, Long>> decayed = new TreeMap<>();
        amounts.forEach((queue, used) -> {
            Map<QueueResource, Long> left = new TreeMap<>();
            used.forEach((resource, amount) -> left.put(resource, decayed(amount, moment - asOf)));
            decayed.put(queue, left);
        });
        return new UsageHistory(halfLife, moment, decayed);
    }

    private long decayed(long amount, long time) {
        long halves = time / halfLife;
        if (halves > LONGEST) {
            return 0;
        }
        long half = amount >> halves;
        long part = time % halfLife;
        return half - scaled(half, part, 2 * halfLife);
    }

    /** Returns amount times part over whole, where part is less than whole, rounded down. */
    private static long scaled(long amount, long part, long whole) {
        BigInteger product = BigInteger.valueOf(amount).multiply(BigInteger.valueOf(part));
        return product.divide(BigInteger.valueOf(whole)).longValueExact();
    }

    /**
     * Returns this history with what a queue has used up to the moment {@link #asOf}.
     *
     * @param amountTime the amount times the time for which it was used, at least 0
     */
    public UsageHistory plus(String queue, QueueResource resource, long amountTime) {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(resource, "resource");
        Checks.inRange("usage history", "amountTime", amountTime, 0, Long.MAX_VALUE);
        Map<String, Map<QueueResource, Long>> more = new TreeMap<>(amounts);
        Map<QueueResource, Long> used = new TreeMap<>(amounts.getOrDefault(queue, Map.of()));
        used.merge(resource, amountTime, Math::addExact);
        more.put(queue, used);
        return new UsageHistory(halfLife, asOf, more);
    }
}
