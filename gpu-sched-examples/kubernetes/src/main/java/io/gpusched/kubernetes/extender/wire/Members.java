package io.gpusched.kubernetes.extender.wire;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gpusched.kubernetes.http.HttpProblem;
import io.gpusched.manifests.objects.ModelMapper;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The members of a JSON object as Go reads them: in any letter case, the last of equal names, null as if it were missing,
 * and none too many.
 */
public final class Members {
    private static final ObjectMapper MODELS = ModelMapper.ofRequests();

    private final String what;
    private final Map<String, JsonNode> members = new TreeMap<>();

    private Members(String what) {
        this.what = what;
    }

    /**
     * Returns the members of an object.
     *
     * @throws HttpProblem with status 400 if it is none
     */
    public static Members of(String what, JsonNode object) {
        if (!object.isObject()) {
            throw HttpProblem.badRequest(what + " must be an object, got " + kind(object));
        }
        Members members = new Members(what);
        object.properties()
                .forEach(member -> members.members.put(member.getKey().toLowerCase(Locale.ROOT), member.getValue()));
        members.members.values().removeIf(JsonNode::isNull);
        return members;
    }

    /** Returns a member, whatever its kind, or nothing. */
    public Optional<JsonNode> find(String name) {
        return Optional.ofNullable(members.get(name.toLowerCase(Locale.ROOT)));
    }

    /**
     * Returns an object, or nothing.
     *
     * @throws HttpProblem with status 400 if the member is of another kind
     */
    public Optional<JsonNode> object(String name) {
        Optional<JsonNode> found = find(name);
        found.filter(node -> !node.isObject()).ifPresent(node -> {
            throw wrong(name, "an object", node);
        });
        return found;
    }

    /**
     * Returns a list, or nothing.
     *
     * @throws HttpProblem with status 400 if the member is of another kind
     */
    public Optional<JsonNode> list(String name) {
        Optional<JsonNode> found = find(name);
        found.filter(node -> !node.isArray()).ifPresent(node -> {
            throw wrong(name, "a list", node);
        });
        return found;
    }

    /** Returns a text, empty where it is missing. */
    public String text(String name) {
        Optional<JsonNode> found = find(name);
        found.filter(node -> !node.isTextual()).ifPresent(node -> {
            throw wrong(name, "a text", node);
        });
        return found.map(JsonNode::textValue).orElse("");
    }

    /** Returns a text that must not be blank. */
    public String need(String name) {
        String text = text(name);
        if (text.isBlank()) {
            throw HttpProblem.badRequest(what + "." + name + " must be there");
        }
        return text;
    }

    /** Returns a whole number, 0 where it is missing. */
    public long number(String name) {
        Optional<JsonNode> found = find(name);
        found.filter(node -> !node.isIntegralNumber() || !node.canConvertToLong())
                .ifPresent(node -> {
                    throw wrong(name, "a whole number", node);
                });
        return found.map(JsonNode::longValue).orElse(0L);
    }

    private HttpProblem wrong(String name, String wanted, JsonNode got) {
        return HttpProblem.badRequest(what + "." + name + " must be " + wanted + ", got " + kind(got));
    }

    private static String kind(JsonNode node) {
        return node.getNodeType().toString().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns one of fabric8's models.
     *
     * @throws HttpProblem with status 400 if the JSON has a value of another type
     */
    public static <T> T model(String what, JsonNode json, Class<T> type) {
        if (!json.isObject()) {
            throw HttpProblem.badRequest(what + " must be an object, got " + kind(json));
        }
        try {
            return MODELS.treeToValue(json, type);
        } catch (JsonProcessingException | IllegalArgumentException e) {
            String problem = e instanceof JsonProcessingException json2 ? json2.getOriginalMessage() : e.getMessage();
            throw HttpProblem.badRequest(what + " is no " + type.getSimpleName() + ": " + problem);
        }
    }
}
