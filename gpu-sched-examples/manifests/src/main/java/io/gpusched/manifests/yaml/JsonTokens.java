package io.gpusched.manifests.yaml;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** The tokens of JSON. It is nearly YAML, but its strings may escape a slash, and tabs may indent it. */
final class JsonTokens implements Tokens {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(Integer.MAX_VALUE)
                    .maxNumberLength(Integer.MAX_VALUE)
                    .maxNameLength(Integer.MAX_VALUE)
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final String file;
    private final JsonParser parser;

    JsonTokens(String file, Reader text) throws IOException {
        this.file = file;
        this.parser = FACTORY.createParser(text);
    }

    @Override
    public @Nullable Type next() throws IOException {
        try {
            JsonToken token = parser.nextToken();
            return token == null ? null : type(token);
        } catch (JsonProcessingException e) {
            String problem = e.getOriginalMessage().lines().findFirst().orElse("unknown problem");
            throw broken("must be JSON: "
                    + problem.replaceAll("\\[Source: [^;]*; (line.*)]", "$1").replaceAll(": enable `.*", ""));
        }
    }

    private static Type type(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> Type.MAPPING;
            case START_ARRAY -> Type.LIST;
            case END_OBJECT, END_ARRAY -> Type.END;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> Type.NUMBER;
            case VALUE_TRUE, VALUE_FALSE -> Type.TRUTH;
            case VALUE_NULL -> Type.NOTHING;
            default -> Type.TEXT;
        };
    }

    /** Where a text begins that has no end the parser tells only once it is asked for it. */
    @Override
    public String text() throws IOException {
        try {
            return parser.getText();
        } catch (JsonProcessingException e) {
            throw broken("must be JSON: "
                    + e.getOriginalMessage().lines().findFirst().orElse("unknown problem"));
        }
    }

    @Override
    public int line() {
        return parser.currentTokenLocation().getLineNr();
    }

    @Override
    public InputException tooDeep() {
        return broken("must be JSON nested at most " + TreeBuilder.MAX_DEPTH + " deep");
    }

    private InputException broken(String problem) {
        JsonLocation place = parser.currentLocation();
        return InputException.at(file, place.getLineNr(), place.getColumnNr(), problem);
    }
}
