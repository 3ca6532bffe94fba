package io.gpusched.kubernetes.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Builds a patch (RFC 6902) of a JSON object that is not changed itself. Not thread-safe. */
final class JsonPatch {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final ArrayNode operations = JSON.arrayNode();
    private final JsonNode patched;

    /** Starts a patch of this object. */
    JsonPatch(JsonNode original) {
        this.patched = original.deepCopy();
    }

    ArrayNode operations() {
        return operations;
    }

    /** Returns what is at a path by now, or a missing node. */
    JsonNode at(String path) {
        return patched.at(path);
    }

    /** Sets a member of an object, which is made where it is missing or null; no operation if it has that value. */
    void set(String object, String member, JsonNode value) {
        if (!patched.at(object).isObject()) {
            int parent = object.lastIndexOf('/');
            set(
                    object.substring(0, parent),
                    object.substring(parent + 1),
                    JSON.objectNode().set(member, value));
        } else if (!value.equals(patched.at(object).get(member))) {
            ((ObjectNode) patched.at(object)).set(member, value);
            operation("add", object + "/" + escaped(member), value);
        }
    }

    /** Appends to a list that is a member of an object; the list is made where it is missing. */
    void append(String object, String member, JsonNode value) {
        JsonNode list = patched.at(object).path(member);
        if (list instanceof ArrayNode array) {
            array.add(value);
            operation("add", object + "/" + escaped(member) + "/-", value);
        } else {
            set(object, member, JSON.arrayNode().add(value));
        }
    }

    /** Puts another element in the place of one that is there; no operation if it is the same. */
    void replace(String list, int index, JsonNode value) {
        ArrayNode array = (ArrayNode) patched.at(list);
        if (!value.equals(array.get(index))) {
            array.set(index, value);
            operation("replace", list + "/" + index, value);
        }
    }

    private void operation(String name, String path, JsonNode value) {
        operations.addObject().put("op", name).put("path", path).set("value", value.deepCopy());
    }

    /** Returns a name as a step of a path. */
    static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
