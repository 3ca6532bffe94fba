package io.gpusched.dialect.internal;

import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.vgpu.VgpuDevice;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of an object in the JSON of a node annotation, which a caller decoded. Names are found whatever their letter case,
 * as the Go language does; what is left out is nothing, 0 or false.
 *
 * @param annotation the name of the annotation, for messages
 * @param fields the fields by name in lower case
 */
public record JsonFields(String annotation, Map<String, @Nullable Object> fields) {
    /**
     * Returns the objects of a list.
     *
     * @throws IllegalArgumentException if the text is no list of objects
     */
    public static List<JsonFields> list(String annotation, String text, Function<String, Object> json) {
        Object value = read(annotation, text, json);
        if (!(value instanceof List<?> list)) {
            throw new IllegalArgumentException(annotation + ": must be a JSON list, got \"" + text + "\"");
        }
        return objects(annotation, list);
    }

    /**
     * Returns an object.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static JsonFields object(String annotation, String text, Function<String, Object> json) {
        return of(annotation, read(annotation, text, json));
    }

    private static Object read(String annotation, String text, Function<String, Object> json) {
        try {
            return json.apply(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(annotation + ": " + e.getMessage(), e);
        }
    }

    private static List<JsonFields> objects(String annotation, List<?> list) {
        List<JsonFields> objects = new ArrayList<>();
        list.forEach(one -> objects.add(of(annotation, one)));
        return objects;
    }

    private static JsonFields of(String annotation, @Nullable Object value) {
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException(annotation + ": must be a JSON object, got " + value);
        }
        Map<String, @Nullable Object> fields = new TreeMap<>();
        map.forEach((name, field) -> fields.put(String.valueOf(name).toLowerCase(Locale.ROOT), field));
        return new JsonFields(annotation, fields);
    }

    private @Nullable Object value(String name) {
        return fields.get(name.toLowerCase(Locale.ROOT));
    }

    /** Returns a text, or the text of a number. */
    public String text(String name) {
        Object value = value(name);
        return value == null ? "" : value.toString();
    }

    /** Returns whether a field is true. */
    public boolean flag(String name) {
        return Boolean.TRUE.equals(value(name));
    }

    /**
     * Returns a whole number that is not negative.
     *
     * @throws IllegalArgumentException if it is none
     */
    public long number(String name) {
        Object value = value(name);
        boolean whole = value instanceof Integer || value instanceof Long || value instanceof BigInteger;
        if (value != null
                && (!whole || !(((Number) value).doubleValue() >= 0 && ((Number) value).doubleValue() < 1L << 53))) {
            throw new IllegalArgumentException(annotation + ": " + name + " must be a whole number from 0, got "
                    + (value instanceof String ? "\"" + value + "\"" : value) + " in " + fields);
        }
        return value == null ? 0 : ((Number) value).longValue();
    }

    /**
     * Returns a whole number that is not negative, written as a number or as a text.
     *
     * @throws IllegalArgumentException if it is none
     */
    public long whole(String name) {
        if (!(value(name) instanceof String text)) {
            return number(name);
        }
        try {
            return Quantity.parse(text).wholeNumber();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(annotation + ": " + name + " " + e.getMessage(), e);
        }
    }

    /** Unknown NUMA nodes are -1. */
    private int numa() {
        return Integer.valueOf(-1).equals(value("numa")) ? -1 : (int) number("numa");
    }

    /** Returns an object, one without fields where there is none. */
    public JsonFields object(String name) {
        Object value = value(name);
        return of(annotation, value == null ? Map.of() : value);
    }

    /** Returns a list of objects, an empty one where there is none. */
    public List<JsonFields> list(String name) {
        Object value = value(name);
        if (value != null && !(value instanceof List<?>)) {
            throw new IllegalArgumentException(annotation + ": " + name + " must be a JSON list, got " + value);
        }
        return value instanceof List<?> list ? objects(annotation, list) : List.of();
    }

    /** Returns the GPU that these fields tell of. */
    public VgpuDevice hamiDevice(int position) {
        return new VgpuDevice(
                text("id"),
                position,
                numa(),
                text("type"),
                text("mode"),
                flag("health"),
                new VgpuDevice.Amount(0, number("count")),
                new VgpuDevice.Amount(0, number("devmem")),
                new VgpuDevice.Amount(0, number("devcore")));
    }
}
