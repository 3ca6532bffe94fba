package io.gpusched.manifests.group;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A field of an object that has no class, with its path for error messages.
 *
 * @param path where it stands, such as {@code spec.minMember}
 * @param value what it holds, null if it is not there
 */
public record Fields(String path, @Nullable Object value) {
    private static final int LONGEST_NAME = 63;
    private static final int LONGEST_PREFIX = 253;
    private static final int LONGEST_QUOTE = 100;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
    private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

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

    /**
     * Returns the items of a list; none if it is not there.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public List<Fields> list() {
        List<Fields> items = new ArrayList<>();
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                items.add(new Fields(path + "[" + i + "]", list.get(i)));
            }
        } else if (value != null) {
            throw error("must be a list");
        }
        return items;
    }

    /**
     * Returns the fields of an object whose names are data, by name; none if it is not there.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public Map<String, Fields> entries() {
        Map<String, Fields> entries = new TreeMap<>();
        if (value instanceof Map<?, ?> map) {
            map.keySet().forEach(key -> entries.put(String.valueOf(key), at(String.valueOf(key))));
        } else if (value != null) {
            throw error("must be an object");
        }
        return entries;
    }

    /**
     * Returns the text; empty if it is not there.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public String text() {
        if (value == null || value instanceof String) {
            return Objects.requireNonNullElse((String) value, "");
        }
        throw error("must be a text");
    }

    /**
     * Returns the key of a node label; empty if it is not there.
     *
     * @throws IllegalArgumentException if no label can have it
     */
    public String label() {
        String text = text();
        if (text.isEmpty() || isLabelKey(text)) {
            return text;
        }
        throw error("must be the key of a label, such as topology.kubernetes.io/zone");
    }

    private static boolean isLabelKey(String text) {
        int slash = text.indexOf('/');
        return text.length() - slash - 1 <= LONGEST_NAME
                && NAME.matcher(text.substring(slash + 1)).matches()
                && (slash < 0
                        || slash <= LONGEST_PREFIX
                                && PREFIX.matcher(text.substring(0, slash)).matches());
    }

    /**
     * Returns the name of a part of a group.
     *
     * @throws IllegalArgumentException if it is not there, or not of 1 to 63 letters, digits, {@code -}, {@code _} and {@code .}
     */
    public String name() {
        if (value instanceof String text
                && text.length() <= LONGEST_NAME
                && NAME.matcher(text).matches()) {
            return text;
        }
        throw error("must be a name of 1 to 63 letters, digits, \"-\", \"_\" and \".\"");
    }

    /**
     * Returns the number, or nothing if it is not there.
     *
     * @throws IllegalArgumentException if it is no whole number from {@code least} to 2147483647
     */
    public Optional<Integer> number(int least) {
        if (value == null) {
            return Optional.empty();
        }
        OptionalInt exact = exact(value);
        if (exact.isEmpty() || exact.getAsInt() < least) {
            throw error("must be a whole number in " + least + ".." + Integer.MAX_VALUE);
        }
        return Optional.of(exact.getAsInt());
    }

    private static OptionalInt exact(Object value) {
        try {
            return value instanceof Number
                    ? OptionalInt.of(new BigDecimal(value.toString()).intValueExact())
                    : OptionalInt.empty();
        } catch (ArithmeticException | NumberFormatException e) {
            return OptionalInt.empty();
        }
    }

    /** An error that names the field and what it holds; a long text is cut. */
    private IllegalArgumentException error(String rule) {
        String got = value instanceof String ? "\"" + value + "\"" : String.valueOf(value);
        return new IllegalArgumentException(path + " " + rule + ", got "
                + (got.length() <= LONGEST_QUOTE ? got : got.substring(0, LONGEST_QUOTE) + "..."));
    }

    /** Returns the truth value, or another if it is none. */
    public boolean isTrueOr(boolean otherwise) {
        return value instanceof Boolean truth ? truth : otherwise;
    }
}
