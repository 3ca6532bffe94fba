package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What claims hold already.
 *
 * @param exclusive devices that one claim holds alone
 * @param shared devices that claims hold shares of
 * @param consumed how much of each capacity those shares take, by device and capacity
 */
public record DevicesInUse(
        Set<DeviceId> exclusive, Set<DeviceId> shared, Map<DeviceId, Map<String, DeviceAmount>> consumed) {
    /** Nothing is in use. */
    public static final DevicesInUse NONE = new DevicesInUse(Set.of(), Set.of(), Map.of());

    /** Copies the collections. */
    public DevicesInUse {
        Checks.noNulls("exclusive", exclusive);
        exclusive = Set.copyOf(exclusive);
        Checks.noNulls("shared", shared);
        shared = Set.copyOf(shared);
        Checks.noNulls("consumed", consumed);
        Map<DeviceId, Map<String, DeviceAmount>> copy = new HashMap<>();
        consumed.forEach((id, amounts) -> copy.put(id, Checks.ascending("consumed", amounts)));
        consumed = Map.copyOf(copy);
    }

    /** Returns whether any claim holds a device or a share of it. */
    public boolean uses(DeviceId id) {
        Objects.requireNonNull(id, "id");
        return exclusive.contains(id) || isShared(id);
    }

    boolean isShared(DeviceId id) {
        return shared.contains(id) || consumed.containsKey(id);
    }

    /** Returns what is in use once an allocation is carried out. */
    public DevicesInUse with(Iterable<ClaimAllocation> allocations) {
        Checks.noNulls("allocations", allocations);
        Set<DeviceId> alone = new HashSet<>(exclusive);
        Set<DeviceId> shares = new HashSet<>(shared);
        Map<DeviceId, Map<String, DeviceAmount>> amounts = new HashMap<>(consumed);
        for (ClaimAllocation allocation : allocations) {
            for (ClaimAllocation.Grant grant : allocation.grants()) {
                if (grant.adminAccess()) {
                    continue;
                }
                if (grant.isShare()) {
                    shares.add(grant.device());
                    Map<String, DeviceAmount> sum = new HashMap<>(amounts.getOrDefault(grant.device(), Map.of()));
                    grant.consumed().forEach((name, amount) -> sum.merge(name, amount, DeviceAmount::plus));
                    if (!sum.isEmpty()) {
                        amounts.put(grant.device(), sum);
                    }
                } else {
                    alone.add(grant.device());
                }
            }
        }
        return new DevicesInUse(alone, shares, amounts);
    }
}
