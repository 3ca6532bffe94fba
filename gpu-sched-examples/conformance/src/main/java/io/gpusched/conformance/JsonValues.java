package io.gpusched.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gpusched.manifests.yaml.YamlNode;
import java.math.BigInteger;

/** Turns what a vector file says into the JSON that answers are compared with. */
public final class JsonValues {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private JsonValues() {}

    /** Returns a value as JSON, of its own and free to be changed; null where there is none. */
    public static JsonNode of(YamlNode value) {
        return switch (value.kind()) {
            case MAPPING -> {
                ObjectNode object = JSON.objectNode();
                value.map().forEach((name, member) -> object.set(name, of(member)));
                yield object;
            }
            case LIST -> {
                ArrayNode array = JSON.arrayNode();
                value.list().forEach(element -> array.add(of(element)));
                yield array;
            }
            case TEXT -> JSON.textNode(value.text());
            case NUMBER -> number(value);
            case TRUTH -> JSON.booleanNode(value.isTrue());
            case NOTHING -> JSON.nullNode();
        };
    }

    private static JsonNode number(YamlNode value) {
        if (!value.isWholeNumber()) {
            return JSON.numberNode(value.decimal());
        }
        BigInteger whole = new BigInteger(value.text());
        return whole.bitLength() < Integer.SIZE
                ? JSON.numberNode(whole.intValue())
                : whole.bitLength() < Long.SIZE ? JSON.numberNode(whole.longValue()) : JSON.numberNode(whole);
    }
}
