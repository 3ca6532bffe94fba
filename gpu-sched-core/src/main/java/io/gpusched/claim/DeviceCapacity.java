package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How much of a capacity a device has, and by which rule requests take of it.
 *
 * @param value how much there is
 * @param policy the rule; empty if requests take what they say, or all if they say nothing
 */
public record DeviceCapacity(DeviceAmount value, Optional<RequestPolicy> policy) {
    /**
     * What a request takes.
     *
     * @param standard what is taken where a request says nothing; empty for all
     * @param validValues amounts that may be taken, ascending: a request takes the least that is enough
     * @param range the range of amounts that may be taken; not beside {@code validValues}
     */
    public record RequestPolicy(
            Optional<DeviceAmount> standard, List<DeviceAmount> validValues, Optional<ValidRange> range) {
        /** Copies the list. */
        public RequestPolicy {
            Objects.requireNonNull(standard, "standard");
            Objects.requireNonNull(range, "range");
            validValues = Checks.list("validValues", validValues);
        }
    }

    /**
     * A range of amounts that may be taken. Requests are rounded up to the minimum, and to steps from there.
     *
     * @param min the least amount
     * @param max the greatest amount; empty if there is none
     * @param step the distance between amounts; empty if every amount may be taken
     */
    public record ValidRange(DeviceAmount min, Optional<DeviceAmount> max, Optional<DeviceAmount> step) {
        /**
         * Checks the step.
         *
         * @throws IllegalArgumentException if it is not above zero
         */
        public ValidRange {
            Objects.requireNonNull(min, "min");
            Objects.requireNonNull(max, "max");
            Objects.requireNonNull(step, "step");
            if (step.isPresent() && step.get().compareTo(DeviceAmount.ZERO) <= 0) {
                throw new IllegalArgumentException("capacity policy: step must be above 0, got " + step.get());
            }
        }
    }

    /** Checks that nothing is null. */
    public DeviceCapacity {
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(policy, "policy");
    }

    /** Returns a capacity without a rule. */
    public static DeviceCapacity of(DeviceAmount value) {
        return new DeviceCapacity(value, Optional.empty());
    }
}
