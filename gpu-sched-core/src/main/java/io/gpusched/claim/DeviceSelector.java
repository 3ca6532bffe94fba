package io.gpusched.claim;

import java.util.Objects;

/**
 * Which devices a class or a request accepts: a text for people, and a function. Kubernetes writes CEL; its
 * reader makes the function.
 *
 * @param text what the user wrote
 * @param kind whether it can be asked
 * @param predicate the answer for a device; not asked unless the kind is {@code USABLE}
 */
public record DeviceSelector(String text, Kind kind, Predicate predicate) {
    /** Whether a selector can be asked. */
    public enum Kind {
        /** It can be asked. */
        USABLE,
        /** Its text is no expression of its language. */
        MALFORMED,
        /** It is of a language that this version does not know. */
        UNKNOWN
    }

    /** The function of a selector. It must be pure: equal devices, equal answers. */
    @FunctionalInterface
    public interface Predicate {
        /**
         * Returns whether a device is accepted.
         *
         * @throws SelectorException if the expression cannot be evaluated on this device
         */
        boolean accepts(ResourceSlice slice, Device device) throws SelectorException;
    }

    /** An expression cannot be evaluated on a device, such as one that reads an attribute that the device does not have. */
    public static final class SelectorException extends Exception {
        private static final long serialVersionUID = 1;

        /** Says why. */
        public SelectorException(String message) {
            super(Objects.requireNonNull(message, "message"));
        }
    }

    /** Checks that nothing is null. */
    public DeviceSelector {
        Objects.requireNonNull(text, "text");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(predicate, "predicate");
    }

    /** Returns a selector. */
    public static DeviceSelector of(String text, Predicate predicate) {
        return new DeviceSelector(text, Kind.USABLE, predicate);
    }

    /** Returns a selector whose text is no expression: asking for a device by it is an error. */
    public static DeviceSelector malformed(String text) {
        return new DeviceSelector(text, Kind.MALFORMED, (slice, device) -> false);
    }

    /** Returns a selector of an unknown language: asking for a device by it is an error. */
    public static DeviceSelector unknown() {
        return new DeviceSelector("", Kind.UNKNOWN, (slice, device) -> false);
    }

    /** Returns a selector of all devices of a driver. */
    public static DeviceSelector driver(String driver) {
        Objects.requireNonNull(driver, "driver");
        return of(
                "device.driver == \"" + driver + "\"",
                (slice, device) -> slice.driver().equals(driver));
    }

    @Override
    public String toString() {
        return text;
    }
}
