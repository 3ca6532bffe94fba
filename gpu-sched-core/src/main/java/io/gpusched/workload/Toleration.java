package io.gpusched.workload;

import io.gpusched.model.Taint;
import java.util.Objects;
import java.util.Optional;

/**
 * Allows a pod to run on nodes with certain taints, as in Kubernetes.
 *
 * @param key the taint's key; empty for every key
 * @param value the taint's value, or nothing for every value (operator {@code Exists})
 * @param effect the taint's effect, or nothing for every effect
 */
public record Toleration(String key, Optional<String> value, Optional<Taint.Effect> effect) {
    /**
     * Checks the combination.
     *
     * @throws IllegalArgumentException if the key is empty and a value is given
     */
    public Toleration {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(effect, "effect");
        if (key.isEmpty() && value.isPresent()) {
            throw new IllegalArgumentException(
                    "toleration: an empty key tolerates every taint and takes no value, got \"" + value.get() + "\"");
        }
    }

    /** Tolerates every taint with this key. */
    public static Toleration exists(String key) {
        Objects.requireNonNull(key, "key");
        return new Toleration(key, Optional.empty(), Optional.empty());
    }

    /** Tolerates every taint with this key and this value. */
    public static Toleration equal(String key, String value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        return new Toleration(key, Optional.of(value), Optional.empty());
    }

    /** Tolerates every taint. */
    public static Toleration everything() {
        return exists("");
    }

    /** Returns whether this tolerates a taint. */
    public boolean tolerates(Taint taint) {
        Objects.requireNonNull(taint, "taint");
        return (key.isEmpty() || key.equals(taint.key()))
                && (value.isEmpty() || value.get().equals(taint.value()))
                && (effect.isEmpty() || effect.get() == taint.effect());
    }
}
