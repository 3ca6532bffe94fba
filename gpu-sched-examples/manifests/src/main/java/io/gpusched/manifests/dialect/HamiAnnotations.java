package io.gpusched.manifests.dialect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import java.util.HashMap;
import java.util.Map;

/** Reads the JSON that HAMi's device plugin writes into the annotations of nodes. */
public final class HamiAnnotations {
    /** The annotation with the pair scores of a node's GPUs. */
    public static final String PAIR_SCORES = "hami.io/node-nvidia-score";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HamiAnnotations() {}

    /** Returns HAMi's dialect with default settings that reads registrations in JSON and in the older text. */
    public static HamiDialect dialect() {
        return HamiDialect.of(HamiSettings.DEFAULT).withJson(JsonValues::of);
    }

    /**
     * Returns the pair scores of a node's GPUs, for a {@link HamiTopology}: a JSON list of {@code {uuid, score: {uuid:
     * number}}}.
     *
     * @throws IllegalArgumentException if the text is no such list
     */
    public static Map<String, Map<String, Integer>> pairScores(String text) {
        Map<String, Map<String, Integer>> scores = new HashMap<>();
        for (JsonNode gpu : read(PAIR_SCORES, text)) {
            Map<String, Integer> others =
                    scores.computeIfAbsent(gpu.path("uuid").asText(), uuid -> new HashMap<>());
            gpu.path("score").properties().forEach(pair -> others.put(pair.getKey(), score(pair)));
        }
        return scores;
    }

    private static int score(Map.Entry<String, JsonNode> pair) {
        if (!pair.getValue().isInt()) {
            throw new IllegalArgumentException(
                    PAIR_SCORES + ": score of " + pair.getKey() + " must be a whole number, got " + pair.getValue());
        }
        return pair.getValue().intValue();
    }

    private static JsonNode read(String annotation, String text) {
        try {
            JsonNode list = JSON.readTree(text);
            if (list.isArray()) {
                return list;
            }
            throw new IllegalArgumentException(annotation + ": must be a JSON list, got \"" + text + "\"");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(annotation + ": " + e.getOriginalMessage() + " in \"" + text + "\"", e);
        }
    }
}
