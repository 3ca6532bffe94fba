package io.gpusched.examples.dialect;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.gpusched.dialect.hami.HamiDialect;
import io.gpusched.dialect.hami.HamiSettings;
import io.gpusched.dialect.hami.HamiTopology;
import io.gpusched.dialect.vgpu.VgpuDevice;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the JSON that HAMi's device plugin writes into the annotations of nodes. */
public final class HamiAnnotations {
    /** The annotation with the pair scores of a node's GPUs. */
    public static final String PAIR_SCORES = "hami.io/node-nvidia-score";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private HamiAnnotations() {}

    /** Returns HAMi's dialect with default settings that reads registrations in JSON and in the older text. */
    public static HamiDialect dialect() {
        return HamiDialect.of(HamiSettings.DEFAULT).withJson(HamiAnnotations::gpus);
    }

    /**
     * Returns the GPUs of a registration in JSON: a list of {@code {id, index, count, devmem, devcore, type, numa, mode,
     * health}}, where what is 0 or false may be left out.
     *
     * @throws IllegalArgumentException if the text is no such list, or a number is none or negative
     */
    public static List<VgpuDevice> gpus(String text) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (JsonNode gpu : read(HamiDialect.REGISTRATION, text)) {
            gpus.add(new VgpuDevice(
                    gpu.path("id").asText(),
                    gpus.size(),
                    (int) number(gpu, "numa"),
                    gpu.path("type").asText(),
                    gpu.path("mode").asText(),
                    gpu.path("health").asBoolean(),
                    new VgpuDevice.Amount(0, number(gpu, "count")),
                    new VgpuDevice.Amount(0, number(gpu, "devmem")),
                    new VgpuDevice.Amount(0, number(gpu, "devcore"))));
        }
        return gpus;
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

    private static long number(JsonNode gpu, String field) {
        JsonNode value = gpu.path(field);
        if (!value.isMissingNode() && !value.isIntegralNumber()) {
            throw new IllegalArgumentException(
                    HamiDialect.REGISTRATION + ": " + field + " must be a whole number, got " + value + " in " + gpu);
        }
        return value.asLong();
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
