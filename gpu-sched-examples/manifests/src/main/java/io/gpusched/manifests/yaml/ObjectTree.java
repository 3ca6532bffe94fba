package io.gpusched.manifests.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Turns values of an object that a client has read, which are maps, lists and scalars without lines, into {@link YamlNode}s. */
public final class ObjectTree {
    private ObjectTree() {}

    /**
     * Returns a value.
     *
     * @param file stands for a file in messages
     * @param path the field, such as {@code shapes}
     * @param value what it holds; null if it is not there
     */
    public static YamlNode of(String file, String path, @Nullable Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<String, YamlNode> members = new LinkedHashMap<>();
            map.forEach((name, member) -> members.put(String.valueOf(name), of(file, path + "." + name, member)));
            return new YamlNode(file, 0, path, YamlNode.Kind.MAPPING, members, null, null);
        }
        if (value instanceof List<?> list) {
            List<YamlNode> elements = new ArrayList<>();
            list.forEach(element -> elements.add(of(file, path + "[" + elements.size() + "]", element)));
            return new YamlNode(file, 0, path, YamlNode.Kind.LIST, null, elements, null);
        }
        return new YamlNode(file, 0, path, kind(value), null, null, value == null ? null : String.valueOf(value));
    }

    private static YamlNode.Kind kind(@Nullable Object scalar) {
        if (scalar == null) {
            return YamlNode.Kind.NOTHING;
        }
        return scalar instanceof Number
                ? YamlNode.Kind.NUMBER
                : scalar instanceof Boolean ? YamlNode.Kind.TRUTH : YamlNode.Kind.TEXT;
    }
}
