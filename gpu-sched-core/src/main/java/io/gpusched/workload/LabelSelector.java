package io.gpusched.workload;

import io.gpusched.check.Checks;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Selects pods or namespaces whose labels meet all of some requirements, as in Kubernetes.
 *
 * <p>Immutable and thread-safe.
 *
 * @param requirements what the labels must meet together; without any, all labels do
 */
public record LabelSelector(List<Requirement> requirements) {
    /** Means everyone, whatever the labels (Kubernetes: an empty selector). */
    public static final LabelSelector ALL = new LabelSelector(List.of());

    /** Selects nothing (Kubernetes: no selector). */
    public static final LabelSelector NOBODY =
            new LabelSelector(List.of(new Requirement("nobody", Operator.IN, List.of())));

    /** How a label is compared. */
    public enum Operator {
        /** The label is there and has one of the values. */
        IN,
        /** The label is not there or has none of the values. */
        NOT_IN,
        /** The label is there. */
        EXISTS,
        /** The label is not there. */
        DOES_NOT_EXIST
    }

    /**
     * A condition on one label.
     *
     * @param key the label's key, not blank
     * @param operator how it is compared
     * @param values any number for {@code IN} and {@code NOT_IN}, none for {@code EXISTS} and {@code DOES_NOT_EXIST}
     */
    public record Requirement(String key, Operator operator, List<String> values) {
        /**
         * Copies the values and checks them.
         *
         * @throws IllegalArgumentException if the key is blank, or values are given where none are compared
         */
        public Requirement {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(operator, "operator");
            Checks.notBlank("label selector", "key", key);
            values = Checks.list("values", values);
            if (operator == Operator.EXISTS || operator == Operator.DOES_NOT_EXIST) {
                String what = "label selector on \"" + key + "\", operator " + operator;
                Checks.inRange(what, "number of values", values.size(), 0, 0);
            }
        }

        /** Returns whether these labels meet the condition. */
        public boolean matches(Map<String, String> labels) {
            Objects.requireNonNull(labels, "labels");
            String label = labels.get(key);
            return switch (operator) {
                case IN -> label != null && values.contains(label);
                case NOT_IN -> label == null || !values.contains(label);
                case EXISTS -> label != null;
                case DOES_NOT_EXIST -> label == null;
            };
        }
    }

    /** Copies the list. */
    public LabelSelector {
        requirements = Checks.list("requirements", requirements);
    }

    /** Selects what has all these labels with these values. */
    public static LabelSelector labels(Map<String, String> labels) {
        Checks.noNulls("labels", labels);
        return new LabelSelector(labels.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(label -> new Requirement(label.getKey(), Operator.IN, List.of(label.getValue())))
                .toList());
    }

    /** Selects what has this label with this value. */
    public static LabelSelector label(String key, String value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        return new LabelSelector(List.of(new Requirement(key, Operator.IN, List.of(value))));
    }

    /** Returns whether labels are meant. */
    public boolean matches(Map<String, String> labels) {
        Objects.requireNonNull(labels, "labels");
        for (int i = 0; i < requirements.size(); i++) {
            if (!requirements.get(i).matches(labels)) {
                return false;
            }
        }
        return true;
    }
}
