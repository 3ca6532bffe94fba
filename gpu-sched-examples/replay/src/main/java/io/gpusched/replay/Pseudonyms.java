package io.gpusched.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * Other names for those in the lines of a history. Whatever is a text is taken for a name, unless it stands where constants, models and
 * other words of the form do, so that a text which a later form adds is not passed on. Of a text with a slash, such as the
 * id of a pod, each part is a name of its own.
 *
 * <p>Names are compared where all else is equal, so pseudonyms have the order of the names: they are numbered in it. The namespace {@code default} is
 * left out of ids of pods, and keeps its name; {@code a} begins the names before it, {@code n} those after it.
 *
 * <p>Keys of labels and names of resources stay where they are of Kubernetes, of a vendor or of a known project.
 */
final class Pseudonyms {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DEFAULT = "default";

    /** What is kept with all that is in it. */
    private static final Set<String> WHOLE = Set.of("settings", "policies", "policy", "partitions", "links", "model");

    /** Where texts are words of the form, or of hardware. */
    private static final Set<String> WORDS = Set.of(
            "kind",
            "mode",
            "effect",
            "operator",
            "protocol",
            "ip",
            "scope",
            "eviction",
            "choice",
            "required",
            "preferred",
            "answer",
            "previous",
            "allowedModels",
            "deniedModels",
            "profile");

    /** Objects whose fields are called by names. */
    private static final Set<String> BY_NAME = Set.of("namespaces", "reasons", "amounts");

    /** Objects whose fields are called by keys of labels or names of resources, and texts that are such. */
    private static final Set<String> BY_KEY = Set.of("labels", "named");

    private static final Set<String> KEYS = Set.of("key", "topologyKey", "level");

    /** Owners of keys that tell nothing about a user; a key that users choose themselves is not among them. */
    private static final Pattern PUBLIC = Pattern.compile("field:.*|rack|block|row|zone|region|host|hostname|node"
            + "|(?!node-role\\.|node-restriction\\.)([^/]*\\.)?(kubernetes\\.io|k8s\\.io|nvidia\\.com|amd\\.com|intel\\.com"
            + "|habana\\.ai|huawei\\.com|aliyun\\.com|tencent\\.com|amazonaws\\.com|google\\.com|azure\\.com|gke\\.io"
            + "|openshift\\.io|volcano\\.sh|kai\\.scheduler|run\\.ai|koordinator\\.sh|karpenter\\.sh|kubeflow\\.org|ray\\.io"
            + "|gpu-sched\\.io)/.*");

    /** Where a number or a truth value is no name. */
    private static final Set<String> VALUES = Set.of("labels", "values", "value");

    private static final Pattern PLAIN = Pattern.compile("-?\\d+|true|false");

    private final TreeSet<String> names = new TreeSet<>();
    private Map<String, String> pseudonyms = Map.of();

    /** Takes note of the names in a line. */
    void note(String line) {
        walk(line, name -> {
            names.add(name);
            return name;
        });
    }

    /** Gives each name that was noted its pseudonym; returns how many names there are. */
    int number() {
        Map<String, String> given = new HashMap<>();
        int digits = String.valueOf(names.size()).length();
        for (String name : names) {
            String first = name.compareTo(DEFAULT) < 0 ? "a" : "n";
            given.put(name, String.format(Locale.ROOT, "%s%0" + digits + "d", first, given.size()));
        }
        pseudonyms = given;
        return given.size();
    }

    /** Returns a line whose names have been noted, with pseudonyms. */
    String renamed(String line) {
        return walk(line, name -> pseudonyms.getOrDefault(name, name));
    }

    /** Returns a line whose event has another value of a field. */
    static String with(String line, String field, String value) {
        ObjectNode document = (ObjectNode) tree(line);
        ((ObjectNode) document.get("event")).put(field, value);
        return document.toString();
    }

    private static JsonNode tree(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static String walk(String line, UnaryOperator<String> rename) {
        return renamed("", tree(line), rename).toString();
    }

    private static JsonNode renamed(String field, JsonNode node, UnaryOperator<String> rename) {
        if (WHOLE.contains(field)) {
            return node;
        }
        if (node instanceof TextNode) {
            String text = node.textValue();
            if (KEYS.contains(field)) {
                return TextNode.valueOf(key(text, rename));
            }
            boolean isKept = WORDS.contains(field)
                    || VALUES.contains(field) && PLAIN.matcher(text).matches();
            return isKept ? node : TextNode.valueOf(parts(text, rename));
        }
        if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                // a topology is a list of levels, each with the name of a domain after it
                boolean isLevel = field.equals("topology") && i % 2 == 0;
                array.set(i, renamed(isLevel ? "level" : field, array.get(i), rename));
            }
        } else if (node instanceof ObjectNode object) {
            Map<String, JsonNode> fields = new LinkedHashMap<>();
            object.properties().forEach(each -> fields.put(each.getKey(), each.getValue()));
            object.removeAll();
            fields.forEach((name, value) -> set(object, field, name, value, rename));
        }
        return node;
    }

    private static void set(
            ObjectNode object, String field, String name, JsonNode value, UnaryOperator<String> rename) {
        if (BY_KEY.contains(field)) {
            object.set(key(name, rename), renamed(field, value, rename));
        } else if (BY_NAME.contains(field)) {
            boolean hasLabels = field.equals("namespaces");
            object.set(parts(name, rename), hasLabels ? renamed("labels", value, rename) : value);
        } else {
            object.set(name, renamed(name, value, rename));
        }
    }

    private static String key(String text, UnaryOperator<String> rename) {
        return PUBLIC.matcher(text).matches() ? text : parts(text, rename);
    }

    private static String parts(String text, UnaryOperator<String> rename) {
        if (text.isEmpty() || text.equals(DEFAULT)) {
            return text;
        }
        int slash = text.indexOf('/');
        return slash < 0
                ? rename.apply(text)
                : parts(text.substring(0, slash), rename) + "/" + parts(text.substring(slash + 1), rename);
    }
}
