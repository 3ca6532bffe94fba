package io.gpusched.check;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
     * Returns an unmodifiable copy of a collection, as {@link List#copyOf} does, at no further cost.
     *
     * @throws NullPointerException if it or an element is null, saying {@code nodes} or {@code nodes[1]}
     */
    public static <T> List<T> list(String name, Collection<? extends T> elements) {
        try {
            return List.copyOf(Objects.requireNonNull(elements, name));
        } catch (NullPointerException e) {
            noNulls(name, elements);
            throw e;
        }
    }

    /**
     * Checks that a collection and its elements are there.
     *
     * @throws NullPointerException if it or an element is null, saying {@code nodes} or {@code nodes[1]}
     */
    public static void noNulls(String name, Iterable<?> elements) {
        int index = 0;
        for (Object element : Objects.requireNonNull(elements, name)) {
            if (element == null) {
                throw new NullPointerException(name + "[" + index + "]");
            }
            index++;
        }
    }

    /** As {@link #noNulls(String, Iterable)}. */
    public static void noNulls(String name, @Nullable Object[] elements) {
        noNulls(name, Arrays.asList(Objects.requireNonNull(elements, name)));
    }

    /**
     * Checks that a map, its keys and its values are there.
     *
     * @throws NullPointerException if it is null, saying {@code amounts}, if the value of a key is, saying {@code amounts[key]}, or
     *     if a key is, saying {@code amounts[null]}
     */
    public static void noNulls(String name, Map<?, ?> map) {
        Objects.requireNonNull(map, name).forEach((key, value) -> {
            if (key == null || value == null) {
                throw new NullPointerException(name + "[" + key + "]");
            }
        });
    }

    /**
     * Returns an unmodifiable copy of a map of texts, such as labels, ascending.
     *
     * @throws NullPointerException as {@link #noNulls(String, Map)}
     */
    public static <V> Map<String, V> ascending(String name, Map<String, V> map) {
        noNulls(name, map);
        return Collections.unmodifiableMap(new TreeMap<>(map));
    }
}
