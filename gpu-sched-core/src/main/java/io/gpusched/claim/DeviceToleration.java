package io.gpusched.claim;

import java.util.Objects;
import java.util.Optional;

/**
 * Which taints a request tolerates.
 *
 * @param key the taint's key, or an empty text for every key
 * @param isAnyValue whether every value is tolerated (operator {@code Exists}), else the value must be equal
 * @param value the value to be equal
 * @param effect the effect that is tolerated; empty for every effect
 */
public record DeviceToleration(String key, boolean isAnyValue, String value, Optional<DeviceTaint.Effect> effect) {
    /** Checks that nothing is null. */
    public DeviceToleration {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(effect, "effect");
    }

    /** Returns whether a taint is tolerated. */
    public boolean tolerates(DeviceTaint taint) {
        Objects.requireNonNull(taint, "taint");
        return (effect.isEmpty() || effect.get() == taint.effect())
                && (key.isEmpty() || key.equals(taint.key()))
                && (isAnyValue || value.equals(taint.value()));
    }
}
