package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.kubernetes.quota.QueueSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in the status of a queue the fields that are not honoured, as condition {@value #CONDITION}; as an event too, which is all that a
 * vocabulary without conditions gets. Conditions of others stay as they are. Thread-safe.
 */
public final class QueueWriter implements AutoCloseable {
    /** True if all fields of a queue are honoured. */
    static final String CONDITION = "GpuSchedHonoured";

    private static final Logger LOG = LoggerFactory.getLogger(QueueWriter.class);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final long AGAIN_MILLIS = 5_000;
    private static final int MOST_ATTEMPTS = 5;
    private static final int CONFLICT = 409;

    private final KubernetesClient client;
    private final BooleanSupplier mayWrite;
    private final EventWriter events;
    private final Map<String, QueueSpec> known = new ConcurrentHashMap<>();

    /** The queues whose status is about to be written. */
    private final Set<String> due = ConcurrentHashMap.newKeySet();

    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Daemons.named("queues"));

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write
     */
    public QueueWriter(KubernetesClient client, BooleanSupplier mayWrite, EventWriter events) {
        this.client = client;
        this.mayWrite = mayWrite;
        this.events = events;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Takes note of a queue as it is now. */
    public void saw(QueueSpec queue) {
        String words = unhonoured(queue);
        if (!words.isEmpty() && mayWrite.getAsBoolean()) {
            events.write(
                    new EventSubject(queue.vocabulary().apiVersion(), "Queue", "", queue.name(), queue.uid()),
                    "Warning",
                    "NotHonoured",
                    words);
        }
        if (queue.vocabulary().hasConditions()) {
            known.put(queue.name(), queue);
            schedule(queue.name(), 1, 0);
        }
    }

    /** Takes note that a queue is gone. */
    public void forget(String name) {
        known.remove(name);
    }

    private void schedule(String queue, int attempt, long millis) {
        if (!thread.isShutdown() && due.add(queue)) {
            var unused = thread.schedule(() -> write(queue, attempt), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void write(String name, int attempt) {
        due.remove(name);
        QueueSpec now = known.get(name);
        if (now == null || !mayWrite.getAsBoolean()) {
            return;
        }
        try {
            write(now);
        } catch (KubernetesClientException e) {
            LOG.atDebug().addKeyValue("queue", name).setCause(e).log("status not written");
            if (attempt < MOST_ATTEMPTS && (Answers.isPassing(e) || e.getCode() == CONFLICT)) {
                schedule(name, attempt + 1, AGAIN_MILLIS);
            }
        }
    }

    private void write(QueueSpec queue) {
        var resource =
                client.genericKubernetesResources(queue.vocabulary().context()).withName(queue.name());
        GenericKubernetesResource object = resource.get();
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
            resource.subresource("status")
                    .patch(MERGE, client.getKubernetesSerialization().asJson(patch));
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

    /** Writes nothing more. */
    @Override
    public void close() {
        Daemons.stop(thread, 5);
    }
}
