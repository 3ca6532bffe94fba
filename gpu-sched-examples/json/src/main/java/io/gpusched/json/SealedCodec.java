package io.gpusched.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/** One of several kinds as an object whose field {@code kind} names it. A kind that is not known is refused. */
final class SealedCodec<T> implements Codec<T> {
    static final String KIND = "kind";

    private final Map<String, Codec<T>> byKind = new TreeMap<>();

    @SuppressWarnings("unchecked") // each kind is written by the codec of its class
    SealedCodec(Class<T> family, Types types) {
        for (Class<?> kind : family.getPermittedSubclasses()) {
            String name = name(kind);
            byKind.put(name, (Codec<T>) types.codec(kind));
        }
    }

    /** {@code WholeNode} is called {@code wholeNode}. */
    private static String name(Class<?> kind) {
        String name = kind.getSimpleName();
        return Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    @Override
    public JsonNode write(T value, Tables tables) {
        String kind = name(value.getClass());
        ObjectNode object = JsonNodeFactory.instance.objectNode().put(KIND, kind);
        object.setAll((ObjectNode) codec(kind).write(value, tables));
        return object;
    }

    private Codec<T> codec(String kind) {
        Codec<T> codec = byKind.get(kind);
        if (codec == null) {
            throw new IllegalStateException("no kind \"" + kind + "\" among " + byKind.keySet());
        }
        return codec;
    }

    @Override
    public T read(Place place, Tables tables) {
        Place kind = place.requireObject().field(KIND);
        if (kind == null) {
            throw place.lacks(KIND);
        }
        Codec<T> codec = byKind.get(kind.text());
        if (codec == null) {
            throw kind.mustBe("one of " + byKind.keySet());
        }
        return codec.read(place, tables);
    }
}
