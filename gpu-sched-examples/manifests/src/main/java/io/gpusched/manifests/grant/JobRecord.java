package io.gpusched.manifests.grant;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupVocabulary;
import io.gpusched.model.PodId;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The annotation that says under which terms a pod was started by its queue. They hold as long as it runs, whatever its labels or its
 * group say later: else what a queue uses could be moved to another's, or be put out of reach once it is used.
 *
 * @param queue the queue that it counts in
 * @param group its group; nothing for none
 * @param isPreemptible whether it may be evicted for others
 * @param started when it was bound, in milliseconds
 */
public record JobRecord(String queue, Optional<GroupKey> group, boolean isPreemptible, long started) {
    /** The annotation. */
    public static final String ANNOTATION = "gpu-sched.io/started";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Returns the text of the annotation. */
    public String write() {
        return JSON.createObjectNode()
                .put("queue", queue)
                .put("api", group.map(key -> key.vocabulary().apiVersion()).orElse(""))
                .put("group", group.map(GroupKey::name).orElse(""))
                .put("preemptible", isPreemptible)
                .put("time", started)
                .toString();
    }

    /** Returns what a pod carries; nothing if it carries none that can be read. */
    public static Optional<JobRecord> of(Pod pod) {
        return of(
                Objects.requireNonNullElse(pod.getMetadata().getNamespace(), PodId.DEFAULT_NAMESPACE),
                Objects.requireNonNullElse(pod.getMetadata().getAnnotations(), Map.of()));
    }

    /** Returns what is written on a pod of a namespace; nothing if that cannot be read. */
    public static Optional<JobRecord> of(String namespace, Map<String, String> annotations) {
        try {
            JsonNode record = JSON.readTree(annotations.getOrDefault(ANNOTATION, ""));
            boolean isComplete = !record.path("queue").asText().isBlank()
                    && record.path("preemptible").isBoolean()
                    && record.path("time").canConvertToLong();
            return isComplete
                    ? Optional.of(new JobRecord(
                            record.get("queue").asText(),
                            group(namespace, record),
                            record.get("preemptible").asBoolean(),
                            record.get("time").asLong()))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Optional<GroupKey> group(String namespace, JsonNode record) {
        String name = record.path("group").asText();
        return name.isEmpty()
                ? Optional.empty()
                : GroupVocabulary.ofApi(record.path("api").asText())
                        .map(vocabulary -> new GroupKey(vocabulary, namespace, name));
    }
}
