package io.gpusched.verify;

import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.ClaimFeature;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceAmount;
import io.gpusched.claim.DeviceCapacity;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DeviceRequest;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.ResourceSlice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What devices draw of counters, and claims of capacities, added up (KEP-4815, KEP-5075). */
final class ClaimSums {
    private static final BigInteger WHOLE = BigInteger.TEN.pow(9);
    private static final BigInteger MILLI = BigInteger.TEN.pow(6);

    private final List<ResourceSlice> slices;
    private final DevicesInUse inUse;
    private final Set<ClaimFeature> features;
    private final List<Violation> broken;
    private final List<ClaimLaws.Place> drawn = new ArrayList<>();
    private final Set<DeviceId> paid = new HashSet<>();
    private final Map<DeviceId, Map<String, DeviceAmount>> taken = new HashMap<>();

    ClaimSums(List<ResourceSlice> slices, DevicesInUse inUse, Set<ClaimFeature> features, List<Violation> broken) {
        this.slices = slices;
        this.inUse = inUse;
        this.features = features;
        this.broken = broken;
    }

    /** Adds a device that is given; further shares of one draw on no counter again. */
    void add(
            String subject,
            DeviceRequest form,
            ClaimAllocation.Grant grant,
            ClaimLaws.Place place,
            boolean isShareable) {
        DeviceId id = grant.device();
        boolean isPaid = isShareable && (inUse.uses(id) || !paid.add(id));
        if (!isPaid && !place.device().consumes().isEmpty()) {
            drawn.add(place);
        }
        if (features.contains(ClaimFeature.CONSUMABLE_CAPACITY)) {
            capacity(subject, form, grant, place, isShareable);
        }
    }

    private void capacity(
            String subject,
            DeviceRequest form,
            ClaimAllocation.Grant grant,
            ClaimLaws.Place place,
            boolean isShareable) {
        Map<String, DeviceAmount> consumed = consumed(form, place.slice(), place.device());
        if (!fitsEmpty(form, place.slice(), place.device())) {
            broken.add(Violation.of(
                    Law.CLAIM_CAPACITY,
                    subject,
                    grant.device() + " has less than " + form.capacity() + ", or not in such parts"));
        }
        if (isShareable) {
            Map<String, DeviceAmount> said = new TreeMap<>();
            grant.consumed().forEach((name, amount) -> said.put(full(name, place.slice()), amount));
            if (!said.equals(consumed)) {
                broken.add(Violation.of(
                        Law.CLAIM_CAPACITY, subject, grant.device() + " says " + said + " and takes " + consumed));
            }
            Map<String, DeviceAmount> sum = taken.computeIfAbsent(grant.device(), id -> before(id, place));
            consumed.forEach((name, amount) -> sum.merge(name, amount, DeviceAmount::plus));
            capacities(place).forEach((name, capacity) -> {
                if (sum.getOrDefault(name, DeviceAmount.ZERO).compareTo(capacity.value()) > 0) {
                    broken.add(Violation.of(
                            Law.CLAIM_CAPACITY,
                            subject,
                            grant.device() + " gives " + sum.get(name) + " of " + capacity.value() + " " + name));
                }
            });
        }
    }

    private Map<String, DeviceAmount> before(DeviceId id, ClaimLaws.Place place) {
        Map<String, DeviceAmount> sum = new TreeMap<>();
        inUse.consumed()
                .getOrDefault(id, Map.of())
                .forEach((name, amount) -> sum.merge(full(name, place.slice()), amount, DeviceAmount::plus));
        return sum;
    }

    private static String full(String name, ResourceSlice slice) {
        return name.contains("/") ? name : slice.driver() + "/" + name;
    }

    private static Map<String, DeviceCapacity> capacities(ClaimLaws.Place place) {
        Map<String, DeviceCapacity> full = new TreeMap<>();
        place.device().capacity().forEach((name, capacity) -> {
            if (name.contains("/")) {
                full.put(name, capacity);
            } else {
                full.putIfAbsent(full(name, place.slice()), capacity);
            }
        });
        return full;
    }

    /** Returns whether an unused device has what a request takes of it, in parts that its policies admit. */
    boolean fitsEmpty(DeviceRequest form, ResourceSlice slice, Device device) {
        if (!features.contains(ClaimFeature.CONSUMABLE_CAPACITY)) {
            return true;
        }
        Map<String, DeviceCapacity> capacities = capacities(new ClaimLaws.Place(slice, device));
        Map<String, DeviceAmount> consumed = consumed(form, slice, device);
        return form.capacity().keySet().stream().allMatch(name -> capacities.containsKey(full(name, slice)))
                && capacities.entrySet().stream()
                        .allMatch(entry ->
                                isPart(entry.getValue(), consumed.getOrDefault(entry.getKey(), DeviceAmount.ZERO)));
    }

    private boolean isPart(DeviceCapacity capacity, DeviceAmount amount) {
        boolean isWithin = amount.compareTo(capacity.value()) <= 0;
        return isWithin
                && capacity.policy().map(policy -> isPart(policy, amount)).orElse(true);
    }

    private boolean isPart(DeviceCapacity.RequestPolicy policy, DeviceAmount amount) {
        if (policy.standard().map(amount::equals).orElse(false)) {
            return true;
        }
        boolean isListed =
                policy.validValues().isEmpty() || policy.validValues().contains(amount);
        return isListed
                && policy.range()
                        .map(range -> range.max()
                                        .map(max -> amount.compareTo(max) <= 0)
                                        .orElse(true)
                                && range.step()
                                        .map(step -> isOnGrid(range, step, amount))
                                        .orElse(true))
                        .orElse(true);
    }

    private boolean isOnGrid(DeviceCapacity.ValidRange range, DeviceAmount step, DeviceAmount amount) {
        BigInteger unit = unit(range);
        return up(amount, unit)
                        .subtract(up(range.min(), unit))
                        .mod(up(step, unit))
                        .signum()
                == 0;
    }

    /** Amounts of a range count in whole numbers, or in thousandths if all that it says does. */
    private BigInteger unit(DeviceCapacity.ValidRange range) {
        boolean isFine = features.contains(ClaimFeature.FRACTIONAL_CAPACITY)
                && isMilli(range.min())
                && range.max().map(ClaimSums::isMilli).orElse(true)
                && range.step().map(ClaimSums::isMilli).orElse(true);
        return isFine ? MILLI : WHOLE;
    }

    private static boolean isMilli(DeviceAmount amount) {
        return amount.billionths().mod(MILLI).signum() == 0;
    }

    private static BigInteger up(DeviceAmount amount, BigInteger unit) {
        return amount.billionths().add(unit).subtract(BigInteger.ONE).divide(unit);
    }

    private Map<String, DeviceAmount> consumed(DeviceRequest form, ResourceSlice slice, Device device) {
        Map<String, DeviceAmount> asked = new TreeMap<>();
        form.capacity().forEach((name, amount) -> asked.put(full(name, slice), amount));
        Map<String, DeviceAmount> consumed = new TreeMap<>();
        capacities(new ClaimLaws.Place(slice, device)).forEach((name, capacity) -> {
            DeviceAmount amount = asked.get(name);
            consumed.put(
                    name,
                    amount == null
                            ? capacity.policy()
                                    .flatMap(DeviceCapacity.RequestPolicy::standard)
                                    .orElse(capacity.value())
                            : capacity.policy()
                                    .map(policy -> rounded(policy, amount))
                                    .orElse(amount));
        });
        return consumed;
    }

    private DeviceAmount rounded(DeviceCapacity.RequestPolicy policy, DeviceAmount amount) {
        if (policy.range().isPresent()) {
            DeviceCapacity.ValidRange range = policy.range().get();
            if (amount.compareTo(range.min()) < 0) {
                return range.min();
            }
            return range.step().map(step -> onGrid(range, step, amount)).orElse(amount);
        }
        return policy.validValues().stream()
                .filter(value -> value.compareTo(amount) >= 0)
                .findFirst()
                .orElse(amount);
    }

    private DeviceAmount onGrid(DeviceCapacity.ValidRange range, DeviceAmount step, DeviceAmount amount) {
        BigInteger unit = unit(range);
        BigInteger least = up(range.min(), unit);
        BigInteger width = up(step, unit);
        BigInteger steps = up(amount, unit)
                .subtract(least)
                .add(width)
                .subtract(BigInteger.ONE)
                .divide(width);
        return new DeviceAmount(least.add(steps.multiply(width)).multiply(unit));
    }

    /** Adds up counters: where something new draws on a pool, none of the pool's counters is overdrawn. */
    void check() {
        if (!features.contains(ClaimFeature.PARTITIONABLE_DEVICES)) {
            drawn.forEach(place -> broken.add(Violation.of(
                    Law.CLAIM_COUNTER,
                    place.slice().idOf(place.device()).toString(),
                    "draws on counters, which are off")));
            return;
        }
        Set<String> pools = new HashSet<>();
        drawn.forEach(place -> pools.add(pool(place.slice())));
        for (String pool : pools) {
            List<ResourceSlice> all =
                    slices.stream().filter(slice -> pool(slice).equals(pool)).toList();
            long newest =
                    all.stream().mapToLong(ResourceSlice::generation).max().orElse(0);
            Map<String, DeviceAmount> left = new TreeMap<>();
            List<Device> using = new ArrayList<>();
            for (ResourceSlice slice : all) {
                if (slice.generation() == newest) {
                    slice.counterSets()
                            .forEach(set -> set.counters()
                                    .forEach((name, amount) -> left.put(set.name() + "/" + name, amount)));
                    slice.devices().stream()
                            .filter(device -> inUse.uses(slice.idOf(device)))
                            .forEach(using::add);
                }
            }
            drawn.stream()
                    .filter(place -> pool(place.slice()).equals(pool))
                    .forEach(place -> using.add(place.device()));
            counters(pool, left, using);
            if (features.contains(ClaimFeature.COMPATIBILITY_GROUPS)) {
                groups(pool, using);
            }
        }
    }

    private static String pool(ResourceSlice slice) {
        return slice.driver() + "/" + slice.pool();
    }

    private void counters(String pool, Map<String, DeviceAmount> left, List<Device> using) {
        for (Device device : using) {
            for (Device.CounterUse use : device.consumes()) {
                use.counters()
                        .forEach((name, amount) -> left.merge(
                                use.counterSet() + "/" + name, DeviceAmount.ZERO.minus(amount), DeviceAmount::plus));
            }
        }
        left.forEach((name, amount) -> {
            if (amount.isNegative()) {
                broken.add(Violation.of(
                        Law.CLAIM_COUNTER, "pool \"" + pool + "\"", "counter " + name + " is overdrawn: " + amount));
            }
        });
    }

    /** Devices that draw on one set of counters have a group in common, or none has any. */
    private void groups(String pool, List<Device> using) {
        Map<String, List<Set<String>>> bySet = new TreeMap<>();
        using.forEach(device -> device.consumes()
                .forEach(use -> bySet.computeIfAbsent(use.counterSet(), key -> new ArrayList<>())
                        .add(use.compatibilityGroups())));
        bySet.forEach((set, groups) -> {
            Set<String> common = new HashSet<>(groups.get(0));
            groups.forEach(common::retainAll);
            boolean areWithout = groups.stream().allMatch(Set::isEmpty);
            if (common.isEmpty() && !areWithout) {
                broken.add(
                        Violation.of(Law.CLAIM_COUNTER, "pool \"" + pool + "\"", "groups on " + set + ": " + groups));
            }
        });
    }
}
