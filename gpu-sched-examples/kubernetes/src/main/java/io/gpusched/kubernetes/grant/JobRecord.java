package io.gpusched.kubernetes.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The annotation that says under which terms a pod was started by its queue. They hold as long as it runs, whatever its labels or its
 * group say later: else what a queue uses could be moved to another's, or be put out of reach once it is used.
 *
 * @param queue the queue that it counts in
 * @param isPreemptible whether it may be evicted for others
 * @param started when it was bound, in milliseconds
 */
public record JobRecord(String queue, boolean isPreemptible, long started) {
    /** The annotation. */
    public static final String ANNOTATION = "gpu-sched.io/started";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the text of the annotation. */
    public String write() {
        return JSON.createObjectNode()
                .put("queue", queue)
                .put("preemptible", isPreemptible)
                .put("time", started)
                .toString();
    }

    /** Returns what a pod carries; nothing if it carries none that can be read. */
    public static Optional<JobRecord> of(Pod pod) {
        Map<String, String> annotations =
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of());
        try {
            JsonNode record = JSON.readTree(annotations.getOrDefault(ANNOTATION, ""));
            boolean isComplete = record.path("queue").isTextual()
                    && record.path("preemptible").isBoolean()
                    && record.path("time").canConvertToLong();
            return isComplete
                    ? Optional.of(new JobRecord(
                            record.get("queue").asText(),
                            record.get("preemptible").asBoolean(),
                            record.get("time").asLong()))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }
}
