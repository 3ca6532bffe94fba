package io.gpusched.claim;

import java.util.Objects;

/**
 * A reason why a device is not to be given out, unless a request tolerates it.
 *
 * @param key its key
 * @param value its value, or an empty text
 * @param effect what it does; {@code NO_SCHEDULE} and {@code NO_EXECUTE} keep requests away
 */
public record DeviceTaint(String key, String value, Effect effect) {
    /** What a taint does. */
    public enum Effect {
        /** It informs and keeps nothing away. */
        NONE,
        /** New claims are kept away. */
        NO_SCHEDULE,
        /** New claims are kept away, and pods that use the device are evicted by Kubernetes. */
        NO_EXECUTE
    }

    /** Checks that nothing is null. */
    public DeviceTaint {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(effect, "effect");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
}
