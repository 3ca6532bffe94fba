package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.decide.GroupResult;
import io.gpusched.kubernetes.decide.GroupState;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import io.gpusched.manifests.group.GroupKey;
import io.gpusched.manifests.group.GroupSpec;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes the status of group objects whose pods are all of this scheduler, as the controller of their vocabulary does; for one
 * group at most once in a second, and only if it changed. The status is replaced whole, with the version in which it was seen
 * as a precondition, so that nothing is lost that another wrote. A write that fails is tried again. Thread-safe.
 */
public final class GroupWriter {
    private static final long INTERVAL_MILLIS = 1_000;
    private static final int NOT_FOUND = 404;

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
    }

    private final ApiWriter writer;
    private final Map<GroupKey, Words> byGroup = new ConcurrentHashMap<>();

    /** Creates it. */
    public GroupWriter(ApiWriter writer) {
        this.writer = writer;
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
            put(state.spec().key(), words);
        }
    }

    /** Says why a group was not placed, in the background. */
    public void write(GroupResult result) {
        Words words = byGroup.computeIfAbsent(result.key(), any -> new Words());
        synchronized (words) {
            words.refusal = result.message();
            if (words.state != null) {
                put(result.key(), words);
            }
        }
    }

    /** Forgets a group that is gone. */
    public void forget(GroupKey key) {
        byGroup.remove(key);
        writer.forget(key);
    }

    private void put(GroupKey key, Words words) {
        writer.put(Lane.STATUSES, key, 0, new Write() {
            @Override
            public @Nullable Write run() {
                write(words);
                return null;
            }

            /** Whatever another wrote meanwhile is seen until then. */
            @Override
            public boolean isTriedAgain(KubernetesClientException e, int attempts) {
                return e.getCode() != NOT_FOUND;
            }

            @Override
            public long pauseMillis() {
                return INTERVAL_MILLIS;
            }
        });
    }

    private void write(Words words) {
        GroupState state;
        Supplier<String> refusal;
        Map<String, Object> before;
        String version;
        synchronized (words) {
            state = words.state;
            refusal = words.refusal;
            before = words.before;
            version = words.version;
        }
        if (state == null || version.isEmpty()) {
            return;
        }
        Map<String, Object> status =
                GroupStatus.of(state.spec(), state.counts(), refusal == null ? "" : refusal.get(), before);
        if (!status.equals(before)) {
            write(state.spec(), version, status);
            synchronized (words) {
                words.before = words.before == before ? status : words.before;
            }
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
        writer.requests()
                .put(
                        "/apis/" + apiVersion + "/namespaces/" + key.namespace() + "/podgroups/" + key.name()
                                + "/status",
                        Map.of("apiVersion", apiVersion, "kind", "PodGroup", "metadata", metadata, "status", status));
    }
}
