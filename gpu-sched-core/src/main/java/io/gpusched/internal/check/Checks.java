package io.gpusched.internal.check;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Checks of values with one wording: what it is, the field, the legal range, the value. */
public final class Checks {
    private Checks() {}

    /**
     * Returns the value if it is in a range, both ends included.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static long inRange(String what, String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + field + " must be in " + min + ".." + max + ", got " + value);
        }
        return value;
    }

    /** As {@link #inRange(String, String, long, long, long)}. */
    public static int inRange(String what, String field, int value, int min, int max) {
        return (int) inRange(what, field, (long) value, min, max);
    }

    /**
     * Returns the text if it is not blank.
     *
     * @throws IllegalArgumentException if it is
     * @throws NullPointerException if it is null, naming the field
     */
    public static String notBlank(String what, String field, String value) {
        if (Objects.requireNonNull(value, field).isBlank()) {
            throw new IllegalArgumentException(what + ": " + field + " must not be blank, got \"" + value + "\"");
        }
        return value;
    }

    /**
     * Returns an unmodifiable copy of labels, ascending.
     *
     * @throws NullPointerException if a key or a value is null, saying {@code labels}
     */
    public static Map<String, String> labels(Map<String, String> labels) {
        Map<String, String> copy = new TreeMap<>();
        labels.forEach((key, value) ->
                copy.put(Objects.requireNonNull(key, "labels"), Objects.requireNonNull(value, "labels")));
        return Collections.unmodifiableMap(copy);
    }
}
