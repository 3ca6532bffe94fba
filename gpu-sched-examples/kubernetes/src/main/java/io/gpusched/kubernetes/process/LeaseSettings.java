package io.gpusched.kubernetes.process;

import java.time.Duration;

/**
 * How one of several replicas is chosen.
 *
 * @param namespace where the Lease is kept
 * @param name its name
 * @param identity the name of this replica, which no other has
 * @param duration how long a replica leads without renewing, in whole seconds
 * @param renewWithin how long it tries to renew before it gives up; shorter, by more than a write may take
 * @param retry how long it waits between tries
 */
public record LeaseSettings(
        String namespace, String name, String identity, Duration duration, Duration renewWithin, Duration retry) {
    /** How long kube-scheduler's Lease lasts. */
    public static final Duration DURATION = Duration.ofSeconds(15);

    /** Checks the times. */
    public LeaseSettings {
        if (retry.compareTo(renewWithin) >= 0 || renewWithin.compareTo(duration) >= 0 || retry.isNegative()) {
            throw new IllegalArgumentException("lease: times must grow from retry over renewWithin to duration, got "
                    + retry + ", " + renewWithin + " and " + duration);
        }
        if (!duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
            throw new IllegalArgumentException(
                    "lease: duration must be whole seconds, as a Lease tells them to the others, got " + duration);
        }
    }

    /** Returns the times of kube-scheduler: 15 s, 10 s, 2 s. */
    public static LeaseSettings of(String namespace, String name, String identity) {
        return new LeaseSettings(namespace, name, identity, DURATION, Duration.ofSeconds(10), Duration.ofSeconds(2));
    }

    /**
     * Returns this with another duration: it renews ten times in it, and gives up after two thirds of it.
     *
     * @throws IllegalArgumentException if it is not whole seconds, or below 2 s
     */
    public LeaseSettings withDuration(Duration other) {
        if (other.toSeconds() < 2) {
            throw new IllegalArgumentException("lease: duration must be at least 2 s, got " + other);
        }
        return new LeaseSettings(
                namespace,
                name,
                identity,
                other,
                other.multipliedBy(2).dividedBy(3),
                other.equals(DURATION) ? retry : other.dividedBy(10));
    }
}
