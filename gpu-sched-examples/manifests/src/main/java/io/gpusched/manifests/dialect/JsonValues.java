package io.gpusched.manifests.dialect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;

/** What annotations in JSON say. */
final class JsonValues {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private JsonValues() {}

    /**
     * Returns a JSON text as maps, lists, texts, numbers and booleans.
     *
     * @throws IllegalArgumentException if it is none
     */
    static Object of(String text) {
        try {
            return JSON.readValue(text, Object.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e.getOriginalMessage() + " in \"" + text + "\"", e);
        }
    }
}
