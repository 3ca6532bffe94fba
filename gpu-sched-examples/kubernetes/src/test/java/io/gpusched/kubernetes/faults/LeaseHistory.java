package io.gpusched.kubernetes.faults;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** Who held the only Lease of an API server, and since when, by the server's clock. Thread-safe. */
final class LeaseHistory {
    /** How long a write may be under way that was begun while its replica held the Lease: a busy machine takes its time. */
    private static final Duration UNDER_WAY = Duration.ofSeconds(1);

    private final Predicate<String> mayRenew;
    private String holder = "";
    private String before = "";
    private long since;
    private long renewedAt;

    /** How long it is good without being renewed, as it says itself; whoever gives it back makes that short. */
    private Duration lasts = Duration.ZERO;

    private final List<String> takenEarly = new ArrayList<>();
    private int runOut;

    /**
     * Creates the history of a Lease that nobody held yet.
     *
     * @param mayRenew whether the replica of this name lives and is not cut off
     */
    LeaseHistory(Predicate<String> mayRenew) {
        this.mayRenew = mayRenew;
    }

    /** Takes note of the Lease as it was written just now. */
    synchronized void written(String object) {
        Lease lease = Serialization.unmarshal(object, Lease.class);
        String next = Objects.requireNonNullElse(lease.getSpec().getHolderIdentity(), "");
        long now = System.nanoTime();
        if (!next.equals(holder)) {
            if (!next.isEmpty() && !holder.isEmpty()) {
                taken(next, now);
            }
            before = next.isEmpty() ? "" : holder;
            holder = next;
            since = now;
        }
        renewedAt = now;
        lasts = Duration.ofSeconds(lease.getSpec().getLeaseDurationSeconds());
    }

    private void taken(String next, long now) {
        runOut += mayRenew.test(holder) ? 1 : 0;
        Duration age = Duration.ofNanos(now - renewedAt);
        if (age.compareTo(lasts) < 0) {
            takenEarly.add(next + " from " + holder + ", " + age.toMillis() + " ms after it was renewed for "
                    + lasts.toMillis() + " ms");
        }
    }

    /** Who holds it; empty if nobody does. */
    synchronized String holder() {
        return holder;
    }

    /** Whether a write that arrives now may have been begun while its replica held the Lease, which has run out since. */
    synchronized boolean mayStillWrite(String name) {
        return name.equals(holder) || !before.isEmpty() && name.equals(before) && !isSettled();
    }

    /** Whether whoever holds it has held it for so long that nothing of the one before may be under way. */
    synchronized boolean isSettled() {
        return System.nanoTime() - since > UNDER_WAY.toNanos();
    }

    /** Returns the times when it was taken before it had run out. */
    synchronized List<String> takenEarly() {
        return List.copyOf(takenEarly);
    }

    /** Returns how often it ran out for a replica that could have renewed it, if the machine had let it. */
    synchronized int runOut() {
        return runOut;
    }
}
