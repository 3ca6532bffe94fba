package io.gpusched.manifests.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
 * @param kind what it is
 * @param members the members of a mapping, or null
 * @param elements the elements of a list, or null
 * @param scalar a text, number or truth value as written, or null
 */
public record YamlNode(
        String file,
        int line,
        String path,
        Kind kind,
        @Nullable Map<String, YamlNode> members,
        @Nullable List<YamlNode> elements,
        @Nullable String scalar) {

    /** What a value is. */
    public enum Kind {
        /** Named members. */
        MAPPING,
        /** Elements in order. */
        LIST,
        /** A text. */
        TEXT,
        /** A number that is not quoted. */
        NUMBER,
        /** A truth value that is not quoted. */
        TRUTH,
        /** Null, or not there. */
        NOTHING
    }

    /** Returns whether there is a value that is not null. */
    public boolean isPresent() {
        return kind != Kind.NOTHING;
    }

    /**
     * Returns a member, which may be absent.
     *
     * @throws InputException if this is neither a mapping nor absent
     */
    public YamlNode at(String name) {
        YamlNode member = map().get(name);
        return member != null ? member : new YamlNode(file, line, child(name), Kind.NOTHING, null, null, null);
    }

    /**
     * Returns the value at a path such as {@code spec.tolerations[0].key}, or the last one on the way there that exists;
     * names may have dots.
     */
    public YamlNode nearest(String way) {
        String rest = way.startsWith(".") ? way.substring(1) : way;
        if (rest.isEmpty()) {
            return this;
        }
        if (elements != null && rest.startsWith("[") && rest.indexOf(']') > 0) {
            int index = Integer.parseInt(rest.substring(1, rest.indexOf(']')));
            return index < elements.size() ? elements.get(index).nearest(rest.substring(rest.indexOf(']') + 1)) : this;
        }
        String longest = "";
        for (String name : members == null ? Set.<String>of() : members.keySet()) {
            boolean leads = rest.equals(name) || rest.startsWith(name + ".") || rest.startsWith(name + "[");
            longest = leads && name.length() > longest.length() ? name : longest;
        }
        return longest.isEmpty() ? this : at(longest).nearest(rest.substring(longest.length()));
    }

    /** Returns whether this is a mapping with such a member, null included. */
    public boolean has(String name) {
        return members != null && members.containsKey(name);
    }

    /** Returns this value, or nothing where it is null or absent. */
    public Optional<YamlNode> optional() {
        return isPresent() ? Optional.of(this) : Optional.empty();
    }

    private String child(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    /** Returns a member that must be there. */
    public YamlNode need(String name) {
        YamlNode member = at(name);
        if (!member.isPresent()) {
            throw member.error("must be there");
        }
        return member;
    }

    /** Returns the elements of a list, or none where it is absent. */
    public List<YamlNode> list() {
        if (!isPresent()) {
            return List.of();
        }
        if (elements == null) {
            throw error("must be a list, got " + words());
        }
        return elements;
    }

    /** Returns the members of a mapping, or none where it is absent. */
    public Map<String, YamlNode> map() {
        if (!isPresent()) {
            return Map.of();
        }
        if (members == null) {
            throw error("must be a mapping, got " + words());
        }
        return members;
    }

    /** Returns a mapping of texts, or none where it is absent. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        map().forEach((key, value) -> texts.put(key, value.isPresent() ? value.text() : ""));
        return texts;
    }

    /** Returns a list of texts, or none where it is absent. */
    public List<String> textList() {
        List<String> texts = new ArrayList<>();
        list().forEach(element -> texts.add(element.text()));
        return texts;
    }

    /** Returns a text, number or truth value as written. */
    public String text() {
        if (scalar == null) {
            throw error("must be a text or a number, got " + words());
        }
        return scalar;
    }

    /** Returns a text, or this one where it is absent. */
    public String textOr(String absent) {
        return isPresent() ? text() : absent;
    }

    /** Returns a whole number. */
    public long number() {
        try {
            return Long.parseLong(text());
        } catch (NumberFormatException e) {
            throw error("must be a whole number, got \"" + scalar + "\"");
        }
    }

    /** Returns a whole number, or this one where it is absent. */
    public long numberOr(long absent) {
        return isPresent() ? number() : absent;
    }

    /** Returns whether this is a number without a fraction that is not quoted. */
    public boolean isWholeNumber() {
        return kind == Kind.NUMBER && text().matches("[-+]?[0-9]+");
    }

    /** Returns a number that may have a fraction. */
    public double decimal() {
        try {
            return Double.parseDouble(text());
        } catch (NumberFormatException e) {
            throw error("must be a number, got \"" + scalar + "\"");
        }
    }

    /** Returns a whole number in the range of {@code int}. */
    public int integer() {
        long value = number();
        if (value != (int) value) {
            throw error("must be in " + Integer.MIN_VALUE + ".." + Integer.MAX_VALUE + ", got " + value);
        }
        return (int) value;
    }

    /** Returns a whole number in the range of {@code int}, or this one where it is absent. */
    public int integerOr(int absent) {
        return isPresent() ? integer() : absent;
    }

    /** Returns a truth value, or false where it is absent. */
    public boolean isTrue() {
        return isTrueOr(false);
    }

    /** Returns a truth value, or this one where it is absent. */
    public boolean isTrueOr(boolean absent) {
        String text = textOr(String.valueOf(absent));
        if (!text.equals("true") && !text.equals("false")) {
            throw error("must be true or false, got \"" + text + "\"");
        }
        return text.equals("true");
    }

    /** Returns the constant whose name this text is, as Kubernetes writes it ({@code NoSchedule}) or in lower case. */
    public <E extends Enum<E>> E oneOf(Class<E> type) {
        String name = text().replaceAll("([a-z])([A-Z])", "$1_$2").toUpperCase(Locale.ROOT);
        for (E constant : type.getEnumConstants()) {
            if (constant.name().equals(name)) {
                return constant;
            }
        }
        throw error("must be one of " + List.of(type.getEnumConstants()) + ", got \"" + scalar + "\"");
    }

    /** Checks that a mapping has no other members than these. */
    public YamlNode only(String... names) {
        Set<String> known = Set.of(names);
        map().forEach((name, value) -> {
            if (!known.contains(name)) {
                throw value.error("unknown; known here are " + String.join(", ", new TreeSet<>(known)));
            }
        });
        return this;
    }

    /** Returns what is built from this value; an illegal argument becomes an error that names this field. */
    public <T> T build(Supplier<T> builder) {
        try {
            return builder.get();
        } catch (ArithmeticException e) {
            throw error("is too large");
        } catch (IllegalArgumentException e) {
            throw error(String.valueOf(e.getMessage()));
        }
    }

    /** Returns this value as plain maps, lists, texts, numbers and truth values; members that are null are left out. */
    public Object plain() {
        return switch (kind) {
            case MAPPING -> {
                Map<String, Object> map = new LinkedHashMap<>();
                map().forEach((name, member) -> {
                    if (member.isPresent()) {
                        map.put(name, member.plain());
                    }
                });
                yield map;
            }
            case LIST -> list().stream().map(YamlNode::plain).toList();
            case NUMBER -> isWholeNumber() ? (Object) number() : decimal();
            case TRUTH -> isTrue();
            default -> textOr("");
        };
    }

    /** Returns what this is, in words for a message. */
    public String words() {
        return switch (kind) {
            case MAPPING -> "a mapping";
            case LIST -> "a list";
            case NOTHING -> "nothing";
            default -> "\"" + scalar + "\"";
        };
    }

    /** Returns {@code file, line 4, field nodes[0].name}. */
    public String place() {
        return InputException.place(file, line, path);
    }

    /** Returns the exception that this value is not as it must be. */
    public InputException error(String problem) {
        return new InputException(file, line, path, problem);
    }
}
