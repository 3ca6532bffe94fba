package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.decision.ReducedGuarantee;
import io.gpusched.kubernetes.decide.QueueCells;
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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in the status of a queue the fields that are not honoured, as condition {@value #CONDITION}; as an event too, which is all that a
 * vocabulary without conditions gets. Of one that owns cells also those that it does not have, as condition {@value #REDUCED}. Conditions of
 * others stay as they are. Thread-safe.
 */
public final class QueueWriter implements AutoCloseable {
    /** True if all fields of a queue are honoured. */
    static final String CONDITION = "GpuSchedHonoured";

    /** True if a queue has fewer cells of its shapes than it owns. */
    static final String REDUCED = "GpuSchedReduced";

    private static final Logger LOG = LoggerFactory.getLogger(QueueWriter.class);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final long AGAIN_MILLIS = 5_000;
    private static final int MOST_ATTEMPTS = 5;
    private static final int CONFLICT = 409;
    private static final long FOUND_MILLIS = 1_000;
    private static final int MOST_NODES = 5;

    /** A queue, and what it has of its shapes; null before that was found. */
    private record Known(QueueSpec queue, @Nullable QueueCells cells) {}

    private final KubernetesClient client;
    private final BooleanSupplier mayWrite;
    private final EventWriter events;
    private final Map<String, Known> known = new ConcurrentHashMap<>();

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
        String words = unhonoured(queue, List.of());
        if (!words.isEmpty() && mayWrite.getAsBoolean()) {
            events.write(
                    new EventSubject(queue.vocabulary().apiVersion(), "Queue", "", queue.name(), queue.uid()),
                    "Warning",
                    "NotHonoured",
                    words);
        }
        if (queue.vocabulary().hasConditions()) {
            known.merge(queue.name(), new Known(queue, null), (before, now) -> new Known(queue, before.cells));
            schedule(queue.name(), 1, 0);
        }
    }

    /** Takes note that a queue is gone. */
    public void forget(String name) {
        known.remove(name);
    }

    /** Takes note of what queues have of their shapes. It is written after a second, as it may soon be otherwise. */
    public void found(List<QueueCells> all) {
        for (QueueCells cells : all) {
            Known before = known.get(cells.queue());
            if (before != null && !cells.equals(before.cells)) {
                known.computeIfPresent(cells.queue(), (name, now) -> new Known(now.queue, cells));
                schedule(cells.queue(), 1, FOUND_MILLIS);
            }
        }
    }

    private void schedule(String queue, int attempt, long millis) {
        if (!thread.isShutdown() && due.add(queue)) {
            var unused = thread.schedule(() -> write(queue, attempt), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void write(String name, int attempt) {
        due.remove(name);
        Known now = known.get(name);
        if (now == null || !mayWrite.getAsBoolean()) {
            return;
        }
        boolean isOwner = !now.queue.shapes().isEmpty();
        if (isOwner && now.cells == null) {
            return; // what it has is found soon
        }
        try {
            write(now.queue, isOwner ? now.cells : null);
        } catch (KubernetesClientException e) {
            LOG.atDebug().addKeyValue("queue", name).setCause(e).log("status not written");
            if (attempt < MOST_ATTEMPTS && (Answers.isPassing(e) || e.getCode() == CONFLICT)) {
                schedule(name, attempt + 1, AGAIN_MILLIS);
            }
        }
    }

    private void write(QueueSpec queue, @Nullable QueueCells cells) {
        var resource =
                client.genericKubernetesResources(queue.vocabulary().context()).withName(queue.name());
        GenericKubernetesResource object = resource.get();
        if (object == null || !queue.uid().equals(object.getMetadata().getUid())) {
            return;
        }
        List<Map<String, Object>> conditions = conditions(object);
        String unhonoured = unhonoured(queue, cells == null ? List.of() : cells.unhonoured());
        boolean isNew = put(conditions, CONDITION, unhonoured.isEmpty(), "AllFields", "FieldsNotHonoured", unhonoured);
        if (cells != null) {
            String missing = missing(cells.missing());
            isNew |= put(conditions, REDUCED, !missing.isEmpty(), "CellsMissing", "AllCells", missing);
        } else {
            isNew |= conditions.removeIf(one -> REDUCED.equals(one.get("type")));
        }
        if (isNew) {
            Map<String, Object> patch = Map.of(
                    "metadata",
                    Map.of("resourceVersion", object.getMetadata().getResourceVersion()),
                    "status",
                    Map.of("conditions", conditions));
            resource.subresource("status")
                    .patch(MERGE, client.getKubernetesSerialization().asJson(patch));
        }
    }

    private static String unhonoured(QueueSpec queue, List<String> more) {
        List<String> all = new ArrayList<>(queue.unhonoured());
        all.addAll(more);
        if (!queue.problem().isEmpty()) {
            all.add(queue.problem());
        }
        return String.join("; ", all);
    }

    private static String missing(List<ReducedGuarantee> all) {
        return all.stream()
                .map(less -> less.missing() + " missing of " + less.shape() + nodes(less.nodes()))
                .collect(Collectors.joining("; "));
    }

    private static String nodes(List<String> nodes) {
        int more = nodes.size() - MOST_NODES;
        return nodes.isEmpty()
                ? ""
                : " (bad, cordoned, or in use by who may not be evicted: "
                        + String.join(", ", nodes.subList(0, Math.min(MOST_NODES, nodes.size())))
                        + (more > 0 ? " and " + more + " more nodes)" : ")");
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
    private static boolean put(
            List<Map<String, Object>> conditions,
            String type,
            boolean isTrue,
            String reasonIfTrue,
            String reasonIfFalse,
            String words) {
        String status = isTrue ? "True" : "False";
        Map<String, Object> before = conditions.stream()
                .filter(one -> type.equals(one.get("type")))
                .findFirst()
                .orElse(Map.of());
        if (status.equals(before.get("status"))
                && words.equals(Objects.requireNonNullElse(before.get("message"), ""))) {
            return false;
        }
        conditions.remove(before);
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", status);
        condition.put("reason", isTrue ? reasonIfTrue : reasonIfFalse);
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
