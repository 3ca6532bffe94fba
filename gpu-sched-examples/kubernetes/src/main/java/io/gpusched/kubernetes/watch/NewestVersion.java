package io.gpusched.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What versions one informer was told of, to find out when the server has gone back in time, as one does whose etcd was restored
 * from a backup: objects that were deleted are there again, and versions are given a second time, so that what was seen before tells
 * nothing any more. Lists are read from the majority of etcd and watches begin there, so each of these is a proof:
 *
 * <ul>
 *   <li>A list is older than what was told before.
 *   <li>An object is older than it was, or is there again after it was deleted. This is how it looks where the restored etcd was
 *       given higher versions, as {@code etcdctl snapshot restore --bump-revision} does.
 * </ul>
 *
 * Thread-safe.
 */
public final class NewestVersion {
    private static final int MOST_DELETED = 10_000;
    private static final ListOptions ONE =
            new ListOptionsBuilder().withLimit(1L).build();

    private long newest;
    private boolean goneBack;

    /** Identities of objects that were deleted lately. */
    private final Map<String, Boolean> deleted = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MOST_DELETED;
        }
    };

    /** Takes note of an object that is new. */
    public synchronized void added(HasMetadata object) {
        goneBack |= deleted.containsKey(object.getMetadata().getUid());
        saw(object);
    }

    /** Takes note of an object that has changed. */
    public synchronized void updated(HasMetadata before, HasMetadata object) {
        String uid = object.getMetadata().getUid();
        boolean same = uid != null && uid.equals(before.getMetadata().getUid());
        goneBack |= deleted.containsKey(uid) || same && version(object) < version(before);
        saw(object);
    }

    /** Takes note of an object that is gone. */
    public synchronized void deleted(HasMetadata object) {
        deleted.put(object.getMetadata().getUid(), true);
        saw(object);
    }

    private void saw(HasMetadata object) {
        newest = Math.max(newest, version(object));
    }

    /** Takes note of a list that was told after all of these. */
    public synchronized void listed(@Nullable String version) {
        listed(number(version), newest);
    }

    private synchronized void listed(long version, long newestBefore) {
        goneBack |= version > 0 && version < newestBefore;
        newest = Math.max(newest, version);
    }

    private synchronized long newest() {
        return newest;
    }

    /**
     * Asks the server for its version, for an informer of pods: a watch that begins at a version which the server does not have yet
     * is silent, and nothing lists.
     *
     * @throws io.fabric8.kubernetes.client.KubernetesClientException if it does not answer
     */
    public void ask(KubernetesClient client) {
        long before = newest();
        PodList one = client.pods().inAnyNamespace().list(ONE);
        listed(number(one.getMetadata().getResourceVersion()), before);
    }

    /** Returns whether the server has gone back. */
    public synchronized boolean hasGoneBack() {
        return goneBack;
    }

    private static long version(HasMetadata object) {
        return number(object.getMetadata().getResourceVersion());
    }

    /** Versions are numbers that grow with each write to the server; what is none tells nothing. */
    private static long number(@Nullable String version) {
        return version != null && version.matches("[0-9]{1,18}") ? Long.parseLong(version) : 0;
    }
}
