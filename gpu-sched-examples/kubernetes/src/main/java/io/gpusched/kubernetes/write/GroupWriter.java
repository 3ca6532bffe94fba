package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.decide.GroupResult;
import io.gpusched.kubernetes.decide.GroupState;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the status of group objects whose pods are all of this scheduler, as the controller of their vocabulary does; for one
 * group at most once in a second, and only if it changed. The status is replaced whole, with the version in which it was seen
 * as a precondition, so that nothing is lost that another wrote. A write that fails is tried again. Thread-safe.
 */
public final class GroupWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    private static final long INTERVAL_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 5_000;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;

    /** What is to be said of a group. */
    private static final class Words {
        @Nullable
        GroupState state;

        @Nullable
        Supplier<String> refusal;

        /** The status that the group has, as it was seen or written last. */
        Map<String, Object> before = Map.of();

        /** The version of the group that was seen last; empty before one was. */
        String version = "";

        boolean scheduled;
        boolean gone;
        long writtenAt = -INTERVAL_MILLIS;
    }

    private final ApiWrites writes;
    private final BooleanSupplier mayWrite;
    private final Map<GroupKey, Words> byGroup = new ConcurrentHashMap<>();
    private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, Daemons.named("groups"));
    private final long start = System.nanoTime();

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write
     */
    public GroupWriter(KubernetesClient client, BooleanSupplier mayWrite) {
        this.writes = ApiWrites.of(client);
        this.mayWrite = mayWrite;
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    /** Takes note of the status that a group has in a version. */
    public void saw(GroupKey key, Map<String, Object> status, String version) {
        Words words = byGroup.computeIfAbsent(key, any -> new Words());
        synchronized (words) {
            words.before = status;
            words.version = version;
        }
    }

    /** Says how far a group is, in the background. */
    public void write(GroupState state) {
        Words words = byGroup.computeIfAbsent(state.spec().key(), any -> new Words());
        synchronized (words) {
            words.state = state;
            if (state.counts().bound() >= state.spec().minimum()) {
                words.refusal = null;
            }
            schedule(words, 0);
        }
    }

    /** Says why a group was not placed, in the background. */
    public void write(GroupResult result) {
        Words words = byGroup.computeIfAbsent(result.key(), any -> new Words());
        synchronized (words) {
            words.refusal = result.message();
            if (words.state != null) {
                schedule(words, 0);
            }
        }
    }

    /** Forgets a group that is gone. */
    public void forget(GroupKey key) {
        Words words = byGroup.remove(key);
        if (words != null) {
            synchronized (words) {
                words.gone = true;
            }
        }
    }

    private long now() {
        return (System.nanoTime() - start) / 1_000_000;
    }

    private void schedule(Words words, long least) {
        if (!words.scheduled && !thread.isShutdown()) {
            words.scheduled = true;
            long delay = Math.max(least, words.writtenAt + INTERVAL_MILLIS - now());
            var unused = thread.schedule(() -> write(words), delay, TimeUnit.MILLISECONDS);
        }
    }

    private void write(Words words) {
        GroupState state;
        Supplier<String> refusal;
        Map<String, Object> before;
        String version;
        synchronized (words) {
            words.scheduled = false;
            words.writtenAt = now();
            state = words.state;
            refusal = words.refusal;
            before = words.before;
            version = words.version;
            if (state == null || version.isEmpty() || words.gone || !mayWrite.getAsBoolean()) {
                return;
            }
        }
        try {
            Map<String, Object> status =
                    GroupStatus.of(state.spec(), state.counts(), refusal == null ? "" : refusal.get(), before);
            if (!status.equals(before)) {
                write(state.spec(), version, status);
                synchronized (words) {
                    words.before = words.before == before ? status : words.before;
                }
            }
        } catch (KubernetesClientException e) {
            LOG.atDebug()
                    .addKeyValue("group", state.spec().key())
                    .addKeyValue("status", e.getCode())
                    .log("status not written");
            if (e.getCode() != NOT_FOUND) {
                synchronized (words) {
                    schedule(words, e.getCode() == CONFLICT ? INTERVAL_MILLIS : RETRY_MILLIS);
                }
            }
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("group", state.spec().key()).setCause(e).log("no status");
        }
    }

    private void write(GroupSpec spec, String version, Map<String, Object> status) {
        GroupKey key = spec.key();
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("namespace", key.namespace());
        metadata.put("name", key.name());
        metadata.put("resourceVersion", version);
        if (!spec.uid().isEmpty()) {
            metadata.put("uid", spec.uid());
        }
        String apiVersion = key.vocabulary().apiVersion();
        writes.put(
                "/apis/" + apiVersion + "/namespaces/" + key.namespace() + "/podgroups/" + key.name() + "/status",
                Map.of("apiVersion", apiVersion, "kind", "PodGroup", "metadata", metadata, "status", status));
    }

    /** Drops what has not been written yet after 5 s. */
    @Override
    public void close() {
        Daemons.stop(thread, 5);
    }
}
