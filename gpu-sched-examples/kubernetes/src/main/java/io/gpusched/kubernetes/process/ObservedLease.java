package io.gpusched.kubernetes.process;

import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.utils.Utils;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/**
 * What was seen of a Lease. The time at which it was renewed is by the clock of the replica that renewed it, which may be hours from
 * ours; so a Lease counts as renewed when it was first seen as it is. A replica whose clock is ahead then does not take the
 * Lease from one that holds it, and one whose clock is behind does not wait for longer than the Lease lasts. Thread-safe.
 */
final class ObservedLease {
    private @Nullable LeaderElectionRecord last;
    private long seenAt;

    /** Returns the record with the time of its renewal by our clock. */
    synchronized LeaderElectionRecord byOurClock(LeaderElectionRecord record, long nanoTime) {
        if (!record.equals(last)) {
            last = record;
            seenAt = nanoTime;
        }
        ZonedDateTime renewed = ZonedDateTime.now(ZoneOffset.UTC).minus(Duration.ofNanos(nanoTime - seenAt));
        return record.toBuilder().renewTime(renewed).build();
    }

    /**
     * Returns what stands for a Lease that is not there any more: as long as it would last, the replica that held it may count on it.
     *
     * @param ours the name of this replica, which may make it again at once
     */
    synchronized @Nullable LeaderElectionRecord deleted(String ours, long nanoTime) {
        LeaderElectionRecord record = last;
        if (record == null
                || Utils.isNullOrEmpty(record.getHolderIdentity())
                || ours.equals(record.getHolderIdentity())
                || nanoTime - seenAt >= record.getLeaseDuration().toNanos()) {
            return null;
        }
        return record.toBuilder().renewTime(ZonedDateTime.now(ZoneOffset.UTC)).build();
    }
}
