package io.gpusched.claim;

import io.gpusched.claim.ClaimError.Kind;
import io.gpusched.claim.ClaimError.Raised;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How much of each capacity of a device a request takes, by the rules of the device.
 *
 * @param amounts amounts in the order of the device's capacities
 * @param isLegal whether the device's rules allow them
 */
record CapacityNeed(List<DeviceAmount> amounts, boolean isLegal) {
    private static final CapacityNeed UNKNOWN_CAPACITY = new CapacityNeed(List.of(), false);
    private static final int LONG_BITS = Long.SIZE - 1;

    /**
     * Returns what is taken.
     *
     * @param where names claim, request and device, for errors
     */
    static CapacityNeed of(DeviceRequest request, Unit unit, boolean inThousandths, String where) {
        Map<String, DeviceAmount> asked = new TreeMap<>();
        request.capacity().forEach((name, amount) -> {
            if (asked.put(unit.full(name), amount) != null) {
                throw new Raised(
                        Kind.CAPACITY_NAMED_TWICE,
                        where + ": capacity \"" + unit.full(name) + "\" is asked for by its short and its full name");
            }
        });
        for (String name : asked.keySet()) {
            if (unit.capacities.stream().noneMatch(capacity -> capacity.full().equals(name))) {
                return UNKNOWN_CAPACITY;
            }
        }
        List<DeviceAmount> amounts = new ArrayList<>();
        boolean legal = true;
        for (Unit.Capacity capacity : unit.capacities) {
            Rule rule = new Rule(capacity.capacity(), inThousandths, where + ": capacity \"" + capacity.full() + "\"");
            DeviceAmount amount = rule.taken(Optional.ofNullable(asked.get(capacity.full())));
            amounts.add(amount);
            legal &= rule.isLegal(amount);
        }
        return new CapacityNeed(List.copyOf(amounts), legal);
    }

    /** Returns whether the amounts fit beside what is in use. */
    boolean fits(Unit unit, List<DeviceAmount> alsoTaken) {
        for (int i = 0; i < amounts.size(); i++) {
            Unit.Capacity capacity = unit.capacities.get(i);
            DeviceAmount sum = capacity.inUse().plus(amounts.get(i));
            if (!alsoTaken.isEmpty()) {
                sum = sum.plus(alsoTaken.get(i));
            }
            if (sum.compareTo(capacity.capacity().value()) > 0) {
                return false;
            }
        }
        return isLegal;
    }

    /** Returns whether the amounts fit the device when nothing of it is in use. */
    boolean fitsEmpty(Unit unit) {
        for (int i = 0; i < amounts.size(); i++) {
            if (amounts.get(i).compareTo(unit.capacities.get(i).capacity().value()) > 0) {
                return false;
            }
        }
        return isLegal;
    }

    /** The rule of one capacity. */
    private record Rule(DeviceCapacity capacity, boolean inThousandths, String where) {
        DeviceAmount taken(Optional<DeviceAmount> asked) {
            DeviceAmount amount = asked.map(this::rounded)
                    .orElseGet(() -> capacity.policy()
                            .flatMap(DeviceCapacity.RequestPolicy::standard)
                            .orElse(capacity.value()));
            if (amount.isNegative() || asked.isPresent() && asked.get().isNegative()) {
                throw new Raised(
                        Kind.CAPACITY_NEGATIVE, where + ": the amount must be at least 0, got " + asked.orElse(amount));
            }
            return amount;
        }

        private DeviceAmount rounded(DeviceAmount asked) {
            if (capacity.policy().isEmpty()) {
                return asked;
            }
            DeviceCapacity.RequestPolicy policy = capacity.policy().get();
            if (policy.range().isPresent()) {
                return rounded(asked, policy.range().get());
            }
            return policy.validValues().stream()
                    .filter(valid -> asked.compareTo(valid) <= 0)
                    .findFirst()
                    .orElse(asked);
        }

        private DeviceAmount rounded(DeviceAmount asked, DeviceCapacity.ValidRange range) {
            if (asked.compareTo(range.min()) < 0) {
                return range.min();
            }
            if (range.step().isEmpty()) {
                return asked;
            }
            boolean milli = isMilli(range);
            if (milli && !asked.isMilli()) {
                throw notRepresentable(asked);
            }
            BigInteger min = units(range.min(), milli);
            BigInteger step = units(range.step().get(), milli);
            BigInteger[] steps = units(asked, milli).subtract(min).divideAndRemainder(step);
            BigInteger count = steps[1].signum() == 0 ? steps[0] : steps[0].add(BigInteger.ONE);
            BigInteger sum = min.add(step.multiply(count));
            if (units(asked, milli).bitLength() > LONG_BITS || sum.bitLength() > LONG_BITS) {
                throw notRepresentable(asked);
            }
            return milli ? DeviceAmount.ofMilli(sum) : DeviceAmount.ofWhole(sum);
        }

        private Raised notRepresentable(DeviceAmount asked) {
            return new Raised(
                    Kind.CAPACITY_NOT_REPRESENTABLE,
                    where + ": the request of " + asked + " cannot be rounded to a step within 64 bits");
        }

        private boolean isMilli(DeviceCapacity.ValidRange range) {
            return inThousandths
                    && range.min().isMilli()
                    && range.max().map(DeviceAmount::isMilli).orElse(true)
                    && range.step().map(DeviceAmount::isMilli).orElse(true);
        }

        private static BigInteger units(DeviceAmount amount, boolean milli) {
            return milli ? amount.milliUp() : amount.wholeUp();
        }

        boolean isLegal(DeviceAmount amount) {
            if (capacity.policy().isEmpty()
                    || capacity.policy().get().standard().filter(amount::equals).isPresent()) {
                return true;
            }
            DeviceCapacity.RequestPolicy policy = capacity.policy().get();
            if (policy.range().isPresent()) {
                return isLegal(amount, policy.range().get());
            }
            return policy.validValues().isEmpty() || policy.validValues().contains(amount);
        }

        private boolean isLegal(DeviceAmount amount, DeviceCapacity.ValidRange range) {
            if (range.max().isPresent() && amount.compareTo(range.max().get()) > 0) {
                return false;
            }
            if (range.step().isEmpty()) {
                return true;
            }
            boolean milli = isMilli(range);
            BigInteger above = units(amount, milli).subtract(units(range.min(), milli));
            return (!milli || amount.isMilli())
                    && above.remainder(units(range.step().get(), milli)).signum() == 0;
        }
    }
}
