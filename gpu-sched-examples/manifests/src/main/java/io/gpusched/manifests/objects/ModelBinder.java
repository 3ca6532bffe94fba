package io.gpusched.manifests.objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.manifests.yaml.YamlNode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Fills fabric8's model classes from YAML as strictly as Kubernetes does: types must agree, and fields that the class does
 * not have are reported with their line.
 *
 * <p>Not Jackson, which looks at some 250 classes and their annotations before it reads the first pod: that alone took
 * longer than all else that {@code place} does. This looks at the fields that occur. The classes are generated, and all alike:
 * a field for each member, of the name in its {@link JsonProperty}, and a constructor without arguments.
 */
public final class ModelBinder {
    private static final String MORE = "additionalProperties";

    /** How many texts are remembered, so that texts that many objects have, such as labels, are in memory once; a power of two. */
    private static final int TEXTS = 1 << 14;

    private final Map<Class<?>, Map<String, Field>> fields = new HashMap<>();
    private final Consumer<YamlNode> unknown;
    private final @Nullable String[] texts = new String[TEXTS];

    /**
     * Starts.
     *
     * @param unknown takes the fields that their class does not have
     */
    public ModelBinder(Consumer<YamlNode> unknown) {
        this.unknown = unknown;
    }

    /**
     * Returns an object of a model class.
     *
     * @throws io.gpusched.manifests.yaml.InputException if a value has the wrong type
     */
    public <T> T bind(YamlNode node, Class<T> type) {
        try {
            T bean = type.getDeclaredConstructor().newInstance();
            Map<String, Field> known = fields.computeIfAbsent(type, ModelBinder::fieldsOf);
            for (Map.Entry<String, YamlNode> member : node.map().entrySet()) {
                Field field = known.get(member.getKey());
                if (field != null && member.getValue().isPresent()) {
                    field.set(bean, value(member.getValue(), field.getGenericType()));
                } else if (field == null && !known.isEmpty()) { // a class without fields takes any
                    unknown.accept(member.getValue());
                }
            }
            return bean;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot fill " + type, e);
        }
    }

    private static Map<String, Field> fieldsOf(Class<?> type) {
        Map<String, Field> fields = new HashMap<>();
        for (Field field : type.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.getName().equals(MORE)) {
                field.setAccessible(true);
                JsonProperty named = field.getAnnotation(JsonProperty.class);
                fields.put(named == null || named.value().isEmpty() ? field.getName() : named.value(), field);
            }
        }
        return fields;
    }

    private @Nullable Object value(YamlNode node, Type type) {
        if (type instanceof ParameterizedType generic) {
            Type[] of = generic.getActualTypeArguments();
            return generic.getRawType() == Map.class ? map(node, of[1]) : list(node, of[0]);
        }
        if (type == String.class) {
            return text(node);
        }
        if (type == Boolean.class) {
            return node.isTrue();
        }
        if (type == Integer.class) {
            return node.integerOr(0);
        }
        if (type == Long.class) {
            return node.number();
        }
        if (type == Quantity.class) {
            return node.build(() -> quantity(node.text()));
        }
        if (type == IntOrString.class) {
            return new IntOrString(node.kind() == YamlNode.Kind.NUMBER ? node.integerOr(0) : node.text());
        }
        return type == Object.class ? node : bind(node, (Class<?>) type);
    }

    /** A number is no text for Kubernetes: a label {@code "1"} must be written with quotes. */
    private String text(YamlNode node) {
        if (node.kind() == YamlNode.Kind.NUMBER || node.kind() == YamlNode.Kind.TRUTH) {
            throw node.error("must be a text, got " + node.text() + ". Maybe put it in quotes");
        }
        return once(node.text());
    }

    private String once(String text) {
        int hash = text.hashCode();
        int place = (hash ^ hash >>> Short.SIZE) & TEXTS - 1;
        String known = texts[place];
        if (text.equals(known)) {
            return known;
        }
        texts[place] = text;
        return text;
    }

    /** Amounts are kept as they are written, once they are known to be amounts. */
    private static Quantity quantity(String text) {
        Objects.requireNonNull(io.gpusched.dialect.Quantity.parse(text));
        return new Quantity(text);
    }

    private Map<String, Object> map(YamlNode node, Type of) {
        Map<String, Object> map = new LinkedHashMap<>();
        node.map().forEach((name, member) -> {
            Object value = member.isPresent() ? value(member, of) : of == String.class ? "" : null;
            if (value != null) {
                map.put(once(name), value);
            }
        });
        return map;
    }

    private List<Object> list(YamlNode node, Type of) {
        List<Object> list = new ArrayList<>();
        for (YamlNode element : node.list()) {
            Object value = value(element, of);
            if (value != null) {
                list.add(value);
            }
        }
        return list;
    }
}
