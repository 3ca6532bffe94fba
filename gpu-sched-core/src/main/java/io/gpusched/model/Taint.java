package io.gpusched.model;

import io.gpusched.check.Checks;

/**
 * A mark on a node that keeps away pods which do not tolerate it, as in Kubernetes.
 *
 * @param key not blank
 * @param value may be empty
 * @param effect what the taint does
 */
public record Taint(String key, String value, Effect effect) {
    /** What a taint does to pods that do not tolerate it. */
    public enum Effect {
        /** Keeps new pods away. */
        NO_SCHEDULE,
        /** Asks to keep new pods away; it never makes a placement illegal. */
        PREFER_NO_SCHEDULE,
        /** Keeps new pods away; that it also evicts is the caller's affair. */
        NO_EXECUTE;

        /** Returns whether an untolerated taint of this effect forbids a placement. */
        public boolean forbids() {
            return this != PREFER_NO_SCHEDULE;
        }

        private String inWords() {
            return switch (this) {
                case NO_SCHEDULE -> "NoSchedule";
                case PREFER_NO_SCHEDULE -> "PreferNoSchedule";
                case NO_EXECUTE -> "NoExecute";
            };
        }
    }

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if the key is blank
     */
    public Taint {
        Checks.notBlank("taint", "key", key);
        java.util.Objects.requireNonNull(value, "value");
        java.util.Objects.requireNonNull(effect, "effect");
    }

    /** Returns the taint {@code key=value:NoSchedule}. */
    public static Taint noSchedule(String key, String value) {
        return new Taint(key, value, Effect.NO_SCHEDULE);
    }

    /** Returns the taint as Kubernetes writes it: {@code key=value:NoSchedule}, or {@code key:NoSchedule} without a value. */
    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect.inWords();
    }
}
