package io.gpusched.workload;

import io.gpusched.check.Checks;
import io.gpusched.model.Node;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one label of a node, or on its name, as in Kubernetes node affinity.
 *
 * @param key the label's key, or {@link #NAME} for the node's name; not blank
 * @param operator how it is compared
 * @param values at least one for {@code IN} and {@code NOT_IN}, none for {@code EXISTS} and {@code DOES_NOT_EXIST}, one
 *     whole number for {@code GT} and {@code LT}
 */
public record NodeRequirement(String key, Operator operator, List<String> values) {
    /** Stands for the node's name where a label's key would stand; no label has such a key. */
    public static final String NAME = "field:metadata.name";

    /** How a label is compared. */
    public enum Operator {
        /** The label is there and has one of the values. */
        IN,
        /** The label is not there or has none of the values. */
        NOT_IN,
        /** The label is there. */
        EXISTS,
        /** The label is not there. */
        DOES_NOT_EXIST,
        /** The label is a whole number above the value. */
        GT,
        /** The label is a whole number below the value. */
        LT
    }

    /**
     * Copies the values and checks them.
     *
     * @throws IllegalArgumentException if the key is blank or the values do not go with the operator
     */
    public NodeRequirement {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operator, "operator");
        Checks.notBlank("node requirement", "key", key);
        values = Checks.list("values", values);
        String what = "node requirement on \"" + key + "\", operator " + operator;
        switch (operator) {
            case IN, NOT_IN -> Checks.inRange(what, "number of values", values.size(), 1, Integer.MAX_VALUE);
            case EXISTS, DOES_NOT_EXIST -> Checks.inRange(what, "number of values", values.size(), 0, 0);
            case GT, LT -> {
                Checks.inRange(what, "number of values", values.size(), 1, 1);
                if (number(values.get(0)).isEmpty()) {
                    throw new IllegalArgumentException(
                            what + ": value must be a whole number, got \"" + values.get(0) + "\"");
                }
            }
        }
    }

    /** Requires one of these values. */
    public static NodeRequirement in(String key, String... values) {
        Objects.requireNonNull(key, "key");
        Checks.noNulls("values", values);
        return new NodeRequirement(key, Operator.IN, List.of(values));
    }

    /** Requires that the label is there. */
    public static NodeRequirement exists(String key) {
        Objects.requireNonNull(key, "key");
        return new NodeRequirement(key, Operator.EXISTS, List.of());
    }

    /** Requires that the node has one of these names. */
    public static NodeRequirement name(String... names) {
        Checks.noNulls("names", names);
        return new NodeRequirement(NAME, Operator.IN, List.of(names));
    }

    /** Returns what requirements and rules read of a node: a label, or its name under {@link #NAME}; null if it has no such label. */
    public static @Nullable String value(String key, Node node) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(node, "node");
        return key.equals(NAME) ? node.name() : node.labels().get(key);
    }

    /** Returns whether a node meets the condition. */
    public boolean matches(Node node) {
        Objects.requireNonNull(node, "node");
        return matches(value(key, node));
    }

    /** Returns whether these labels, of a node whose name is not known, meet the condition. */
    public boolean matches(Map<String, String> labels) {
        Objects.requireNonNull(labels, "labels");
        return matches(labels.get(key));
    }

    private boolean matches(@Nullable String label) {
        return switch (operator) {
            case IN -> label != null && values.contains(label);
            case NOT_IN -> label == null || !values.contains(label);
            case EXISTS -> label != null;
            case DOES_NOT_EXIST -> label == null;
            case GT -> compare(label) > 0;
            case LT -> compare(label) < 0;
        };
    }

    /** Compares the label with the value as numbers; 0 where the label is no number. */
    private int compare(@Nullable String label) {
        Optional<Long> mine = label == null ? Optional.empty() : number(label);
        long bound = Objects.requireNonNull(number(values.get(0)).orElse(0L));
        return mine.map(number -> Long.compare(number, bound)).orElse(0);
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.valueOf(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Returns the requirement in words, such as {@code zone in a|b} or {@code disk does not exist}. */
    @Override
    public String toString() {
        if (operator == Operator.IN && values.size() == 1) {
            return key + "=" + values.get(0);
        }
        String values = this.values.isEmpty() ? "" : " " + String.join("|", this.values);
        return key + " " + operator.name().toLowerCase(Locale.ROOT).replace('_', ' ') + values;
    }
}
