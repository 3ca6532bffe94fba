package io.gpusched.examples.place;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value of a YAML document that knows its file, line and field, so that an error can name them.
 *
 * @param file the file
 * @param line the line, from 1
 * @param path the field, such as {@code nodes[0].name}; empty for the document
 * @param members the members of a mapping, or null
 * @param elements the elements of a list, or null
 * @param scalar a text, number or truth value as written, or null
 */
record YamlNode(
        String file,
        int line,
        String path,
        @Nullable Map<String, YamlNode> members,
        @Nullable List<YamlNode> elements,
        @Nullable String scalar) {

    /** Returns whether there is a value that is not null. */
    boolean isPresent() {
        return members != null || elements != null || scalar != null;
    }

    /** Returns a member, which may be absent. */
    YamlNode at(String name) {
        YamlNode member = members == null ? null : members.get(name);
        return member != null ? member : new YamlNode(file, line, child(name), null, null, null);
    }

    private String child(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns a member that must be there. */
    YamlNode need(String name) {
        YamlNode member = at(name);
        if (!member.isPresent()) {
            throw member.error("must be there");
        }
        return member;
    }

    /** Returns the elements of a list, or none where it is absent. */
    List<YamlNode> list() {
        if (!isPresent()) {
            return List.of();
        }
        if (elements == null) {
            throw error("must be a list");
        }
        return elements;
    }

    /** Returns the members of a mapping, or none where it is absent. */
    Map<String, YamlNode> map() {
        if (!isPresent()) {
            return Map.of();
        }
        if (members == null) {
            throw error("must be a mapping");
        }
        return members;
    }

    /** Returns a mapping of texts, or none where it is absent. */
    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        map().forEach((key, value) -> texts.put(key, value.isPresent() ? value.text() : ""));
        return texts;
    }

    /** Returns a list of texts, or none where it is absent. */
    List<String> textList() {
        List<String> texts = new ArrayList<>();
        list().forEach(element -> texts.add(element.text()));
        return texts;
    }

    /** Returns a text, number or truth value as written. */
    String text() {
        if (scalar == null) {
            throw error("must be a text");
        }
        return scalar;
    }

    /** Returns a text, or this one where it is absent. */
    String textOr(String absent) {
        return isPresent() ? text() : absent;
    }

    /** Returns a whole number. */
    long number() {
        try {
            return Long.parseLong(text());
        } catch (NumberFormatException e) {
            throw error("must be a whole number, got \"" + scalar + "\"");
        }
    }

    /** Returns a whole number, or this one where it is absent. */
    long numberOr(long absent) {
        return isPresent() ? number() : absent;
    }

    /** Returns a whole number in the range of {@code int}, or this one where it is absent. */
    int integerOr(int absent) {
        long value = numberOr(absent);
        if (value != (int) value) {
            throw error("must be in " + Integer.MIN_VALUE + ".." + Integer.MAX_VALUE + ", got " + value);
        }
        return (int) value;
    }

    /** Returns a truth value, or false where it is absent. */
    boolean isTrue() {
        String text = textOr("false");
        if (!text.equals("true") && !text.equals("false")) {
            throw error("must be true or false, got \"" + text + "\"");
        }
        return text.equals("true");
    }

    /** Returns the constant whose name this text is, as Kubernetes writes it ({@code NoSchedule}) or in lower case. */
    <E extends Enum<E>> E oneOf(Class<E> type) {
        String name = text().replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw error("must be one of " + List.of(type.getEnumConstants()) + ", got \"" + scalar + "\"");
    }

    /** Checks that a mapping has no other members than these. */
    YamlNode only(String... names) {
        Set<String> known = Set.of(names);
        map().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw value.error("unknown; known here are " + new TreeSet<>(known));
            }
        });
        return this;
    }

    /** Returns what is built from this value; an illegal argument becomes an error that names this field. */
    <T> T build(Supplier<T> builder) {
        try {
            return builder.get();
        } catch (ArithmeticException e) {
            throw error("is too large");
        } catch (IllegalArgumentException e) {
            throw error(String.valueOf(e.getMessage()));
        }
    }

    /** Returns the exception that this value is not as it must be. */
    InputException error(String problem) {
        return new InputException(file, line, path, problem);
    }
}
