package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A part of a pool of devices, as a driver publishes it. A pool is known by driver and name; only slices of its highest
 * generation count, and it is complete if there are as many of them as each says.
 *
 * @param name its name; slices of a pool are searched in the order of their names
 * @param driver the driver
 * @param pool the name of the pool
 * @param generation the pool's generation
 * @param poolSliceCount how many slices the pool has in this generation
 * @param scope from where its devices can be reached
 * @param counterSets counters that devices of the pool share; a slice that has any has no devices
 * @param devices its devices, in the order in which they are searched
 * @param skipsNodeOperations whether it leaves out operations on the node; an alpha feature
 */
public record ResourceSlice(
        String name,
        String driver,
        String pool,
        long generation,
        long poolSliceCount,
        NodeScope scope,
        List<CounterSet> counterSets,
        List<Device> devices,
        boolean skipsNodeOperations) {
    /**
     * Counters that devices share.
     *
     * @param name unique in its pool
     * @param counters amounts by counter
     */
    public record CounterSet(String name, Map<String, DeviceAmount> counters) {
        /** Copies the map. */
        public CounterSet {
            Checks.notBlank("counter set", "name", name);
            counters = Checks.ascending("counters", counters);
        }
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if a name is blank
     */
    public ResourceSlice {
        Checks.notBlank("resource slice", "name", name);
        Checks.notBlank("resource slice \"" + name + "\"", "driver", driver);
        Checks.notBlank("resource slice \"" + name + "\"", "pool", pool);
        Objects.requireNonNull(scope, "scope");
        counterSets = Checks.list("counterSets", counterSets);
        devices = Checks.list("devices", devices);
    }

    /** Returns the only slice of a pool, of generation 1, without counters. */
    public static ResourceSlice of(String name, String driver, String pool, NodeScope scope, List<Device> devices) {
        return new ResourceSlice(name, driver, pool, 1, 1, scope, List.of(), devices, false);
    }

    /** Returns the name of one of its devices in the cluster. */
    public DeviceId idOf(Device device) {
        Objects.requireNonNull(device, "device");
        return new DeviceId(driver, pool, device.name());
    }
}
