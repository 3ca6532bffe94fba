package io.gpusched.examples.place;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads YAML files of one or several documents; JSON is read as well, being YAML. */
final class YamlReader {
    private final String file;
    private final JsonParser parser;

    private YamlReader(String file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    /**
     * Returns the documents of a file, at least one.
     *
     * @throws InputException if it is missing, empty or no YAML
     */
    static List<YamlNode> read(Path file) {
        String name = file.toString();
        try {
            return parse(name, Files.readString(file));
        } catch (NoSuchFileException e) {
            throw new InputException(name, 0, "", "no such file");
        } catch (IOException e) {
            throw new InputException(name, 0, "", "cannot be read: " + e);
        }
    }

    /** Returns the documents of a text. */
    static List<YamlNode> parse(String name, String text) {
        List<YamlNode> documents = new ArrayList<>();
        try (JsonParser parser = new YAMLFactory().createParser(text)) {
            YamlReader reader = new YamlReader(name, parser);
            while (parser.nextToken() != null) {
                YamlNode document = reader.value("");
                if (document.isPresent()) {
                    documents.add(document);
                }
            }
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
            throw new InputException(name, line, "", "must be YAML: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new InputException(name, 0, "", "cannot be read: " + e);
        }
        if (documents.isEmpty()) {
            throw new InputException(name, 0, "", "must hold at least one document");
        }
        return documents;
    }

    private YamlNode value(String path) throws IOException {
        int line = parser.currentTokenLocation().getLineNr();
        JsonToken token = parser.currentToken();
        if (token == JsonToken.START_OBJECT) {
            return new YamlNode(file, line, path, members(path), null, null);
        }
        if (token == JsonToken.START_ARRAY) {
            return new YamlNode(file, line, path, null, elements(path), null);
        }
        String scalar = token == JsonToken.VALUE_NULL ? null : parser.getText();
        return new YamlNode(file, line, path, null, null, scalar);
    }

    private Map<String, YamlNode> members(String path) throws IOException {
        Map<String, YamlNode> members = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            int line = parser.currentTokenLocation().getLineNr();
            parser.nextToken();
            String child = path.isEmpty() ? name : path + "." + name;
            if (members.put(name, value(child)) != null) {
                throw new InputException(file, line, child, "occurs twice");
            }
        }
        return members;
    }

    private List<YamlNode> elements(String path) throws IOException {
        List<YamlNode> elements = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            elements.add(value(path + "[" + elements.size() + "]"));
        }
        return elements;
    }
}
