package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.Comparator;
import java.util.Objects;

/**
 * The name of a device in its cluster.
 *
 * @param driver the driver that published it
 * @param pool the pool of the driver
 * @param device its name in the pool
 */
public record DeviceId(String driver, String pool, String device) implements Comparable<DeviceId> {
    private static final Comparator<DeviceId> ORDER =
            Comparator.comparing(DeviceId::driver).thenComparing(DeviceId::pool).thenComparing(DeviceId::device);

    /**
     * Checks the names.
     *
     * @throws IllegalArgumentException if one is blank
     */
    public DeviceId {
        Checks.notBlank("device", "driver", driver);
        Checks.notBlank("device", "pool", pool);
        Checks.notBlank("device", "device", device);
    }

    @Override
    public int compareTo(DeviceId other) {
        return ORDER.compare(this, Objects.requireNonNull(other, "other"));
    }

    @Override
    public String toString() {
        return driver + "/" + pool + "/" + device;
    }
}
