package io.gpusched.manifests.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The annotation of a pod that waits and was promised its start: when, and what it is to hold then. A scheduler that starts keeps it, if
 * the pod's condition, which belongs to its status, tells the same time: with the right to write pods alone, nothing can be promised.
 *
 * @param start when it starts at the latest, in milliseconds
 * @param grant what it holds then, as {@link GrantRecord} writes it
 */
public record PromiseRecord(long start, String grant) {
    /** The annotation. */
    public static final String ANNOTATION = "gpu-sched.io/promise";

    /** The type of the condition that tells when a pod is to start. */
    public static final String CONDITION = "gpu-sched.io/ExpectedStart";

    /** The reason of the condition of a pod that was promised its start. */
    public static final String PROMISED = "Promised";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the promise of a place. */
    public static PromiseRecord of(long start, Placement placement, Node node) {
        return new PromiseRecord(start, GrantRecord.write(placement, node));
    }

    /** Returns the time that is told: the start in whole seconds, rounded up. */
    public static Instant told(long start) {
        Instant exact = Instant.ofEpochMilli(start);
        Instant second = exact.truncatedTo(ChronoUnit.SECONDS);
        return second.equals(exact) ? exact : second.plusSeconds(1);
    }

    /** Returns the name of the node of a grant; nothing if it cannot be read. */
    public static Optional<String> node(String grant) {
        try {
            return Optional.ofNullable(JSON.readTree(grant).path("node").textValue());
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    /** Returns the text of the annotation. */
    public String write() {
        return JSON.createObjectNode().put("start", start).put("grant", grant).toString();
    }

    /** Returns what a pod was promised; nothing if its annotation cannot be read, or its condition does not say so. */
    public static Optional<PromiseRecord> of(Pod pod) {
        String text = Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.<String, String>of())
                .getOrDefault(ANNOTATION, "");
        try {
            JsonNode record = JSON.readTree(text);
            boolean isComplete = record.path("start").canConvertToLong()
                    && record.path("start").isIntegralNumber()
                    && record.path("grant").isTextual();
            return isComplete
                    ? Optional.of(new PromiseRecord(
                                    record.get("start").asLong(),
                                    record.get("grant").asText()))
                            .filter(promise -> promise.isTold(pod))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private boolean isTold(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(one -> CONDITION.equals(one.getType())
                                && PROMISED.equals(one.getReason())
                                && one.getMessage() != null
                                && one.getMessage().startsWith(told(start) + " "));
    }
}
