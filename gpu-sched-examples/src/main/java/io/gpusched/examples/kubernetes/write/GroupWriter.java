package io.gpusched.examples.kubernetes.write;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.examples.kubernetes.decide.GroupResult;
import io.gpusched.examples.kubernetes.group.GroupKey;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on group objects whether they have started: condition {@code PodGroupInitiallyScheduled} of Kubernetes' own,
 * which stays once it is true, {@code GroupScheduled} of T9k's. Groups of other vocabularies have controllers of their own that
 * write their status. Written only when it changes. Thread-safe.
 */
public final class GroupWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    private static final String STARTED = "started";

    private final KubernetesClient client;
    private final BooleanSupplier mayWrite;
    private final Map<GroupKey, String> written = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor thread;

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write
     */
    public GroupWriter(KubernetesClient client, BooleanSupplier mayWrite) {
        this.client = client;
        this.mayWrite = mayWrite;
        this.thread = new ThreadPoolExecutor(
                1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("groups"));
        thread.allowCoreThreadTimeOut(true);
    }

    /** Says what was decided about a group, in the background. */
    public void write(GroupResult result) {
        boolean hasCondition = switch (result.key().vocabulary()) {
            case KUBERNETES, T9K -> true;
            case COSCHEDULING, VOLCANO -> false;
        };
        if (hasCondition && !STARTED.equals(written.get(result.key())) && !thread.isShutdown()) {
            thread.execute(() -> writeNow(result));
        }
    }

    /** Forgets a group that is gone. */
    public void forget(GroupKey key) {
        written.remove(key);
    }

    private void writeNow(GroupResult result) {
        String words = result.isScheduled() ? STARTED : result.message().get();
        if (words.equals(written.get(result.key())) || !mayWrite.getAsBoolean()) {
            return;
        }
        try {
            client.genericKubernetesResources(result.key().vocabulary().context())
                    .inNamespace(result.key().namespace())
                    .withName(result.key().name())
                    .editStatus(group -> changed(group, result, words));
            written.put(result.key(), words);
        } catch (KubernetesClientException e) {
            LOG.atDebug()
                    .addKeyValue("group", result.key())
                    .addKeyValue("status", e.getCode())
                    .log("condition not written");
        }
    }

    private static GenericKubernetesResource changed(
            GenericKubernetesResource group, GroupResult result, String words) {
        boolean t9k = result.key().vocabulary() == io.gpusched.examples.kubernetes.group.GroupVocabulary.T9K;
        String type = t9k ? "GroupScheduled" : "PodGroupInitiallyScheduled";
        Map<String, Object> status = new LinkedHashMap<>();
        Object before = group.getAdditionalProperties().get("status");
        if (before instanceof Map<?, ?> map) {
            map.forEach((key, value) -> status.put(String.valueOf(key), value));
        }
        List<Object> conditions = new ArrayList<>();
        if (status.get("conditions") instanceof List<?> list) {
            for (Object one : list) {
                boolean same = one instanceof Map<?, ?> map && type.equals(map.get("type"));
                if (same && "True".equals(((Map<?, ?>) one).get("status"))) {
                    return group;
                }
                if (!same) {
                    conditions.add(one);
                }
            }
        }
        Map<String, Object> condition = new LinkedHashMap<>();
        condition.put("type", type);
        condition.put("status", result.isScheduled() ? "True" : "False");
        condition.put("reason", result.isScheduled() ? t9k ? "PodGroupScheduled" : "Scheduled" : "Unschedulable");
        condition.put("message", result.isScheduled() ? "the minimum is placed" : words);
        condition.put(
                "lastTransitionTime",
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
        conditions.add(condition);
        status.put("conditions", conditions);
        group.setAdditionalProperty("status", status);
        return group;
    }

    /** Drops what has not been written yet after 5 s. */
    @Override
    public void close() {
        Daemons.stop(thread, 5);
    }
}
