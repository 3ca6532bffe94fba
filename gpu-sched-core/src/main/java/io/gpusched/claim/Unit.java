package io.gpusched.claim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A device as the engine sees it: numbered, its capacities by full name, its counters by column.
 */
final class Unit {
    /** A capacity under its full name. */
    record Capacity(String full, String published, DeviceCapacity capacity, DeviceAmount inUse) {}

    final int index;
    final DeviceId id;
    final ResourceSlice slice;
    final Device device;
    /** Whether several claims may have parts of it, and that is switched on. */
    final boolean isShareable;
    /** Whether no other claim may have it: a claim holds it alone, or a share of it lives although it is not shareable any more. */
    final boolean isTaken;
    /** Whether a share of it is held already: its counters are paid for. */
    final boolean isShared;

    final List<Capacity> capacities = new ArrayList<>();
    /** Columns of the counters that it takes from, and how much; set by {@link Units}. */
    int[] columns = {};

    long[] amounts = {};
    /** Columns of the sets that it draws from. */
    int[] sets = {};

    BitSet[] groups = {};
    /** Whether a counter of its pool is overdrawn, so that nothing more can draw on the pool. */
    boolean isPoolOverdrawn;

    Unit(int index, ResourceSlice slice, Device device, DevicesInUse inUse, boolean sharing) {
        this.index = index;
        this.slice = slice;
        this.device = device;
        id = slice.idOf(device);
        isShareable = sharing && device.isShareable();
        isShared = inUse.isShared(id);
        isTaken = inUse.exclusive().contains(id) || isShared && !isShareable;
        Map<String, DeviceAmount> used = new HashMap<>();
        inUse.consumed()
                .getOrDefault(id, Map.of())
                .forEach((name, amount) -> used.merge(full(name), amount, DeviceAmount::plus));
        device.capacity().forEach((name, capacity) -> {
            String full = full(name);
            if (full.equals(name) || !device.capacity().containsKey(full)) {
                capacities.add(new Capacity(full, name, capacity, used.getOrDefault(full, DeviceAmount.ZERO)));
            }
        });
    }

    /** Returns the qualified name of what may be named without its domain. */
    String full(String name) {
        return name.indexOf('/') >= 0 ? name : slice.driver() + "/" + name;
    }

    boolean drawsOnCounters() {
        return !device.consumes().isEmpty();
    }

    @Override
    public String toString() {
        return id.toString();
    }
}
