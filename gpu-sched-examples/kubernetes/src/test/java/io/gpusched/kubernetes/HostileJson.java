package io.gpusched.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * All that differs from a good JSON object in one place: each value in it, at any depth, replaced by each of many that do not
 * belong there, taken out, or doubled.
 */
public final class HostileJson {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** As JSON. */
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "-5",
            "0.0000001",
            "1e30",
            "99999999999999999999",
            "\"\"",
            "\" \"",
            "\"-5\"",
            "\"-1Gi\"",
            "\"1e30\"",
            "\"1e999999999\"",
            "\"1e-999999999\"",
            "\"0.0000001\"",
            "\"9223372036854775807\"",
            "\"99999999999999999999999\"",
            "\"NaN\"",
            "\"Größe-名前-\\ud83d\\ude00\"",
            "\"a\\u0001b\"",
            "\"../..\"",
            "\"[{\"",
            "\"{}\"",
            "\"[null]\"",
            "[]",
            "[null]",
            "[[]]",
            "[{}]",
            "{}",
            "{\"\":null}",
            "{\"a\":{\"b\":[1]}}");

    private final JsonNode good;
    private final Consumer<Variant> consumer;

    private HostileJson(JsonNode good, Consumer<Variant> consumer) {
        this.good = good;
        this.consumer = consumer;
    }

    /**
     * A variant.
     *
     * @param what where it differs, and how
     */
    public record Variant(String what, JsonNode json) {}

    /** Returns JSON that is written with single quotes. */
    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text.replace('\'', '"'));
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Tells all variants of an object, one after the other. */
    public static void forEach(JsonNode good, Consumer<Variant> consumer) {
        new HostileJson(good, consumer).vary("", good);
    }

    private void vary(String path, JsonNode node) {
        List<String> steps = new ArrayList<>();
        if (node.isObject()) {
            node.fieldNames()
                    .forEachRemaining(name -> steps.add(name.replace("~", "~0").replace("/", "~1")));
        }
        for (int i = 0; i < node.size() && node.isArray(); i++) {
            steps.add(String.valueOf(i));
        }
        for (String step : steps) {
            for (String value : VALUES) {
                replace(path, step, json(value));
            }
            remove(path, step);
            vary(path + "/" + step, good.at(path + "/" + step));
        }
        if (node.isArray() && !node.isEmpty()) {
            JsonNode copy = good.deepCopy();
            ((ArrayNode) copy.at(path)).add(node.get(0).deepCopy());
            consumer.accept(new Variant(path + " doubled", copy));
        }
    }

    private static String name(String step) {
        return step.replace("~1", "/").replace("~0", "~");
    }

    private void replace(String path, String step, JsonNode value) {
        JsonNode copy = good.deepCopy();
        JsonNode parent = copy.at(path);
        if (parent instanceof ObjectNode object) {
            object.set(name(step), value);
        } else {
            ((ArrayNode) parent).set(Integer.parseInt(step), value);
        }
        consumer.accept(new Variant(path + "/" + step + " = " + value, copy));
    }

    private void remove(String path, String step) {
        JsonNode copy = good.deepCopy();
        JsonNode parent = copy.at(path);
        if (parent instanceof ObjectNode object) {
            object.remove(name(step));
        } else {
            ((ArrayNode) parent).remove(Integer.parseInt(step));
        }
        consumer.accept(new Variant(path + "/" + step + " taken out", copy));
    }
}
