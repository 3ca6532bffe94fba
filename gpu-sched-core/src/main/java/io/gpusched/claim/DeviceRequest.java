package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * A request for a number of devices of a class, or for all of it.
 *
 * @param name the name of the request, or of the alternative
 * @param className the class; an empty text is refused when the request is allocated
 * @param mode how many are asked for
 * @param count how many, if the mode is {@code EXACT_COUNT}
 * @param adminAccess whether devices in use are acceptable, without taking them
 * @param selectors all must accept a device, beside those of the class
 * @param tolerations taints that are tolerated
 * @param capacity how much of each capacity of a shareable device is asked for
 * @param derivedAttributes attributes that constraints read instead of published ones, by qualified name; an alpha feature
 */
public record DeviceRequest(
        String name,
        String className,
        Mode mode,
        long count,
        boolean adminAccess,
        List<DeviceSelector> selectors,
        List<DeviceToleration> tolerations,
        Map<String, DeviceAmount> capacity,
        Map<String, DerivedAttribute> derivedAttributes) {
    /** How many devices are asked for. */
    public enum Mode {
        /** The number in {@code count}. */
        EXACT_COUNT,
        /** All that the class and the selectors accept, at least one. */
        ALL,
        /** A mode that this version does not know. */
        UNKNOWN
    }

    /** An attribute computed from a device. */
    @FunctionalInterface
    public interface DerivedAttribute {
        /**
         * Returns the value for a device.
         *
         * @throws DeviceSelector.SelectorException if it cannot be computed
         */
        AttributeValue of(ResourceSlice slice, Device device) throws DeviceSelector.SelectorException;
    }

    /**
     * Copies the collections.
     *
     * @throws IllegalArgumentException if the name is blank or the count negative
     */
    public DeviceRequest {
        Checks.notBlank("device request", "name", name);
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(mode, "mode");
        Checks.inRange("device request \"" + name + "\"", "count", count, 0, Long.MAX_VALUE);
        selectors = Checks.list("selectors", selectors);
        tolerations = Checks.list("tolerations", tolerations);
        capacity = Checks.ascending("capacity", capacity);
        derivedAttributes = Checks.ascending("derivedAttributes", derivedAttributes);
    }

    /** Returns a builder of a request for one device of a class. */
    public static Builder builder(String name, String className) {
        return new Builder(name, className);
    }

    /** Returns a request for a number of devices of a class. */
    public static DeviceRequest of(String name, String className, long count) {
        return builder(name, className).count(count).build();
    }

    DeviceRequest named(String other) {
        return new DeviceRequest(
                other, className, mode, count, adminAccess, selectors, tolerations, capacity, derivedAttributes);
    }

    /** Builds requests; lists grow, other things said twice hold as said last. May be used again after {@link #build}. */
    public static final class Builder {
        private final String name;
        private final String className;
        private Mode mode = Mode.EXACT_COUNT;
        private long count = 1;
        private boolean adminAccess;
        private final List<DeviceSelector> selectors = new ArrayList<>();
        private final List<DeviceToleration> tolerations = new ArrayList<>();
        private final Map<String, DeviceAmount> capacity = new TreeMap<>();
        private final Map<String, DerivedAttribute> derived = new TreeMap<>();

        private Builder(String name, String className) {
            this.name = Objects.requireNonNull(name, "name");
            this.className = Objects.requireNonNull(className, "className");
        }

        /** Sets how many devices are asked for; by default one. */
        public Builder count(long devices) {
            count = devices;
            return this;
        }

        /** Sets the mode; by default {@link Mode#EXACT_COUNT}. */
        public Builder mode(Mode how) {
            mode = Objects.requireNonNull(how, "how");
            return this;
        }

        /** Sets whether devices in use are acceptable; by default not. */
        public Builder adminAccess(boolean admin) {
            adminAccess = admin;
            return this;
        }

        /** Adds a selector. */
        public Builder selector(DeviceSelector selector) {
            selectors.add(Objects.requireNonNull(selector, "selector"));
            return this;
        }

        /** Adds a toleration. */
        public Builder toleration(DeviceToleration toleration) {
            tolerations.add(Objects.requireNonNull(toleration, "toleration"));
            return this;
        }

        /** Sets how much of a capacity is asked for. */
        public Builder capacity(String resource, DeviceAmount amount) {
            capacity.put(Objects.requireNonNull(resource, "resource"), Objects.requireNonNull(amount, "amount"));
            return this;
        }

        /** Sets a derived attribute. */
        public Builder derived(String attribute, DerivedAttribute value) {
            derived.put(Objects.requireNonNull(attribute, "attribute"), Objects.requireNonNull(value, "value"));
            return this;
        }

        /** Returns the request. */
        public DeviceRequest build() {
            return new DeviceRequest(
                    name, className, mode, count, adminAccess, selectors, tolerations, capacity, derived);
        }
    }
}
