package io.gpusched.claim;

import io.gpusched.check.Checks;
import java.math.BigInteger;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * The value of an attribute of a device: a text, a whole number, a truth value, a semantic version, or a list of one of these.
 *
 * @param type what its elements are; {@code UNKNOWN} for a type of a later version of Kubernetes
 * @param isList whether it was published as a list
 * @param elements its elements: one if it is no list and its type is known, {@link String}, {@link Long} or {@link Boolean}
 */
public record AttributeValue(Type type, boolean isList, List<Object> elements) {
    /** The types of a value. */
    public enum Type {
        /** A text. */
        TEXT,
        /** A whole number of 64 bits. */
        INT,
        /** True or false. */
        TRUTH,
        /** A version as semver 2.0.0 defines it. */
        VERSION,
        /** A type that this version does not know. */
        UNKNOWN
    }

    /** A value of a type that this version does not know. */
    public static final AttributeValue UNKNOWN_TYPE = new AttributeValue(Type.UNKNOWN, false, List.of());

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)(?:[-+].*)?");

    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if a value that is no list has not one element, or an element is of another type
     */
    public AttributeValue {
        Objects.requireNonNull(type, "type");
        elements = Checks.list("elements", elements);
        Class<?> wanted = type == Type.INT ? Long.class : type == Type.TRUTH ? Boolean.class : String.class;
        int least = type == Type.UNKNOWN ? 0 : 1;
        if (!isList) {
            Checks.inRange("attribute value", "number of elements", elements.size(), least, least);
        }
        for (Object element : elements) {
            if (!wanted.isInstance(element)) {
                throw new IllegalArgumentException("attribute value: element must be a " + wanted.getSimpleName()
                        + " for type " + type + ", got " + element.getClass().getSimpleName());
            }
        }
    }

    /** Returns a text. */
    public static AttributeValue of(String text) {
        return new AttributeValue(Type.TEXT, false, List.of(Objects.requireNonNull(text, "text")));
    }

    /** Returns a whole number. */
    public static AttributeValue of(long number) {
        return new AttributeValue(Type.INT, false, List.of(number));
    }

    /** Returns a truth value. */
    public static AttributeValue of(boolean truth) {
        return new AttributeValue(Type.TRUTH, false, List.of(truth));
    }

    /** Returns a version. */
    public static AttributeValue ofVersion(String version) {
        return new AttributeValue(Type.VERSION, false, List.of(Objects.requireNonNull(version, "version")));
    }

    /** Returns a list of values of one type. */
    public static AttributeValue listOf(Type type, List<?> elements) {
        return new AttributeValue(type, true, Checks.list("elements", elements));
    }

    /** Returns whether selectors and constraints can read it: its type is known, and the numbers of a version fit 64 bits. */
    public boolean isReadable() {
        return type != Type.UNKNOWN
                && (type != Type.VERSION || elements.stream().allMatch(version -> fits((String) version)));
    }

    private static boolean fits(String version) {
        var numbers = NUMBERS.matcher(version);
        if (!numbers.matches()) {
            return true;
        }
        for (int i = 1; i <= numbers.groupCount(); i++) {
            if (new BigInteger(numbers.group(i)).bitLength() > Long.SIZE) {
                return false;
            }
        }
        return true;
    }

    /** Returns what constraints compare: equal texts are equal values. Build metadata of versions does not count. */
    List<String> keys() {
        return elements.stream()
                .map(element -> type + ":" + key(element))
                .distinct()
                .toList();
    }

    private String key(Object element) {
        String text = element.toString();
        int build = type == Type.VERSION ? text.indexOf('+') : -1;
        return build < 0 ? text : text.substring(0, build);
    }

    @Override
    public String toString() {
        return isList || elements.isEmpty()
                ? type + " " + elements
                : elements.get(0).toString();
    }
}
