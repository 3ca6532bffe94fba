package io.gpusched.local;

import java.time.Duration;
import java.util.Objects;

/**
 * What a {@link GpuMachine} counts, for metrics.
 *
 * @param held leases held now, by all programs that share the lease file
 * @param waiting requests that wait now, of all programs that share the lease file
 * @param granted leases granted by this machine object since it was made
 * @param abandoned requests that ended without a lease since then: timed out, or their thread was interrupted
 * @param recovered leases and requests of programs that had died, which this program has removed since it opened the lease file
 * @param waited how long the granted leases were waited for, in sum
 */
public record LeaseCounts(int held, int waiting, long granted, long abandoned, long recovered, Duration waited) {
    /** Checks that nothing is missing. */
    public LeaseCounts {
        Objects.requireNonNull(waited, "waited");
    }
}
