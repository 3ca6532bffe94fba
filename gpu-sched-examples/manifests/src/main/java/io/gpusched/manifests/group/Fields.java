package io.gpusched.manifests.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object that has no class, with its path for error messages.
 *
 * @param path where it stands, such as {@code spec.minMember}
 * @param value what it holds, null if it is not there
 */
public record Fields(String path, @Nullable Object value) {
    /** Returns the fields of an object. */
    public static Fields of(Map<String, Object> object) {
        return new Fields("", object);
    }

    /** Returns a field, which may not be there. */
    public Fields at(String name) {
        Object inner = value instanceof Map<?, ?> map ? map.get(name) : null;
        return new Fields(path.isEmpty() ? name : path + "." + name, inner);
    }

    /** Returns whether it is there. */
    public boolean isPresent() {
        return value != null;
    }

    /** Returns the items of a list; none if it is not one. */
    public List<Fields> list() {
        List<Fields> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                items.add(new Fields(path + "[" + i + "]", list.get(i)));
            }
        }
        return items;
    }

    /** Returns the fields of an object whose names are data, by name. */
    public Map<String, Fields> entries() {
        Map<String, Fields> entries = new java.util.TreeMap<>();
        if (value instanceof Map<?, ?> map) {
            map.keySet().forEach(key -> entries.put(String.valueOf(key), at(String.valueOf(key))));
        }
        return entries;
    }

    /** Returns the text; empty if it is not one. */
    public String text() {
        return value instanceof String text ? text : "";
    }

    /** Returns the number, or nothing if it is not there. */
    public Optional<Integer> number(int least) {
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Number number && number.longValue() >= least && number.longValue() <= Integer.MAX_VALUE) {
            return Optional.of(number.intValue());
        }
        throw new IllegalArgumentException(path + " must be a whole number from " + least + ", got " + value);
    }

    /** Returns the truth value, or another if it is none. */
    public boolean isTrueOr(boolean otherwise) {
        return value instanceof Boolean truth ? truth : otherwise;
    }
}
