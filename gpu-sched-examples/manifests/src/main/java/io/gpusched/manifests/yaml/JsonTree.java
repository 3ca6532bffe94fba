package io.gpusched.manifests.yaml;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns the documents of a JSON text into {@link YamlNode}s: names are unique. JSON is nearly YAML, but its strings may escape a
 * slash, and tabs may indent it.
 */
final class JsonTree {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(YamlReader.MAX_DEPTH)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String file;
    private final JsonParser parser;

    private JsonTree(String file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Returns the documents of a text that are not null.
     *
     * @throws InputException if it is no JSON
     */
    static List<YamlNode> documents(String file, String text) {
        try (JsonParser parser = FACTORY.createParser(text)) {
            return new JsonTree(file, parser).documents();
        } catch (IOException e) {
            throw new InputException(file, 0, "", "cannot be read: " + e.getMessage());
        }
    }

    private List<YamlNode> documents() throws IOException {
        List<YamlNode> documents = new ArrayList<>();
        try {
            while (parser.nextToken() != null) {
                YamlNode document = value(line(), "");
                if (document.isPresent()) {
                    documents.add(document);
                }
            }
        } catch (StreamConstraintsException e) {
            throw broken("must be JSON nested at most " + YamlReader.MAX_DEPTH + " deep");
        } catch (JsonProcessingException e) {
            String problem = e.getOriginalMessage().lines().findFirst().orElse("unknown problem");
            throw broken("must be JSON: "
                    + problem.replaceAll("\\[Source: [^;]*; (line.*)]", "$1").replaceAll(": enable `.*", ""));
        }
        return documents;
    }

    private InputException broken(String problem) {
        JsonLocation place = parser.currentLocation();
        return InputException.at(file, place.getLineNr(), place.getColumnNr(), problem);
    }

    private int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    private YamlNode value(int line, String path) throws IOException {
        return switch (parser.currentToken()) {
            case START_OBJECT -> new YamlNode(file, line, path, YamlNode.Kind.MAPPING, members(path), null, null);
            case START_ARRAY -> new YamlNode(file, line, path, YamlNode.Kind.LIST, null, elements(path), null);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(line, path, YamlNode.Kind.NUMBER);
            case VALUE_TRUE, VALUE_FALSE -> scalar(line, path, YamlNode.Kind.TRUTH);
            case VALUE_NULL -> new YamlNode(file, line, path, YamlNode.Kind.NOTHING, null, null, null);
            default -> scalar(line, path, YamlNode.Kind.TEXT);
        };
    }

    private YamlNode scalar(int line, String path, YamlNode.Kind kind) throws IOException {
        return new YamlNode(file, line, path, kind, null, null, parser.getText());
    }

    private Map<String, YamlNode> members(String path) throws IOException {
        Map<String, YamlNode> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            int line = line();
            String child = path.isEmpty() ? name : path + "." + name;
            parser.nextToken();
            if (members.put(name, value(line, child)) != null) {
                throw new InputException(file, line, child, "occurs twice");
            }
        }
        return members;
    }

    private List<YamlNode> elements(String path) throws IOException {
        List<YamlNode> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(line(), path + "[" + elements.size() + "]"));
        }
        return elements;
    }
}
