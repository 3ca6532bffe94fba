package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.quota.QueueSpec;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Names in the status of a queue the fields that are not honoured, as condition {@value #CONDITION}; as an event too, which is all that a
 * vocabulary without conditions gets. Conditions of others stay as they are. Thread-safe.
 */
public final class QueueWriter {
    /** True if all fields of a queue are honoured. */
    static final String CONDITION = "GpuSchedHonoured";

    private static final int CONFLICT = 409;

    private final ApiWriter writer;
    private final EventWriter events;

    /** Creates it. */
    public QueueWriter(ApiWriter writer, EventWriter events) {
        this.writer = writer;
        this.events = events;
    }

    private record Key(String queue) {}

    /** Takes note of a queue as it is now. */
    public void saw(QueueSpec queue) {
        String words = unhonoured(queue);
        if (!words.isEmpty()) {
            events.write(
                    new EventSubject(queue.vocabulary().apiVersion(), "Queue", "", queue.name(), queue.uid()),
                    "Warning",
                    "NotHonoured",
                    words);
        }
        if (queue.vocabulary().hasConditions()) {
            writer.put(Lane.STATUSES, new Key(queue.name()), 0, new Write() {
                @Override
                public @Nullable Write run() {
                    write(queue);
                    return null;
                }

                @Override
                public boolean isTriedAgain(KubernetesClientException e, int attempts) {
                    return e.getCode() == CONFLICT || Answers.isPassing(e);
                }
            });
        }
    }

    /** Takes note that a queue is gone. */
    public void forget(String name) {
        writer.forget(new Key(name));
    }

    private void write(QueueSpec queue) {
        GenericKubernetesResource object = writer.client()
                .genericKubernetesResources(queue.vocabulary().context())
                .withName(queue.name())
                .get();
        if (object == null || !queue.uid().equals(object.getMetadata().getUid())) {
            return;
        }
        List<Map<String, Object>> conditions = conditions(object);
        String unhonoured = unhonoured(queue);
        if (put(conditions, unhonoured)) {
            Map<String, Object> patch = Map.of(
                    "metadata",
                    Map.of("resourceVersion", object.getMetadata().getResourceVersion()),
                    "status",
                    Map.of("conditions", conditions));
            String path = "/apis/" + queue.vocabulary().apiVersion() + "/"
                    + queue.vocabulary().context().getPlural() + "/" + queue.name() + "/status";
            writer.requests().patch(path, ApiWrites.MERGE, patch);
        }
    }

    private static String unhonoured(QueueSpec queue) {
        List<String> all = new ArrayList<>(queue.unhonoured());
        if (!queue.problem().isEmpty()) {
            all.add(queue.problem());
        }
        return String.join("; ", all);
    }

    private static List<Map<String, Object>> conditions(GenericKubernetesResource object) {
        List<Map<String, Object>> conditions = new ArrayList<>();
        if (object.getAdditionalProperties().get("status") instanceof Map<?, ?> status
                && status.get("conditions") instanceof List<?> list) {
            for (Object one : list) {
                if (one instanceof Map<?, ?> map) {
                    Map<String, Object> copy = new LinkedHashMap<>();
                    map.forEach((key, value) -> copy.put(String.valueOf(key), value));
                    conditions.add(copy);
                }
            }
        }
        return conditions;
    }

    /** Returns whether something is to be said that is not said already. */
    private static boolean put(List<Map<String, Object>> conditions, String words) {
        String status = words.isEmpty() ? "True" : "False";
        Map<String, Object> before = conditions.stream()
                .filter(one -> CONDITION.equals(one.get("type")))
                .findFirst()
                .orElse(Map.of());
        if (status.equals(before.get("status"))
                && words.equals(Objects.requireNonNullElse(before.get("message"), ""))) {
            return false;
        }
        conditions.remove(before);
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", CONDITION);
        condition.put("status", status);
        condition.put("reason", words.isEmpty() ? "AllFields" : "FieldsNotHonoured");
        condition.put("message", words);
        condition.put(
                "lastTransitionTime",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        conditions.add(condition);
        return true;
    }
}
