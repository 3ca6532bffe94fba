package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.decide.Binding;
import io.gpusched.kubernetes.decide.Change;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.grant.PodBinding;
import io.gpusched.model.PodId;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes bindings: one write for each pod, which carries the grant as annotations, and the pod's identity and version as
 * preconditions, so that it changes nothing if the pod is not the one that was decided on. If only something changed that the
 * decision does not depend on, such as a condition, the same binding is written for the pod's new version.
 *
 * <p>A write that gets no clear answer is repeated until it gets one. So what is reported as not bound never will be, and its
 * GPUs may be given to others. Thread-safe.
 */
public final class BindWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BindWriter.class);
    private static final Backoff PAUSES = new Backoff(50, 5_000);

    private static final int CONFLICT = 409;

    /** Answers after which the pod is another by now, or gone: no event is written. */
    private static final Set<Integer> OUTDATED = Set.of(404, CONFLICT);

    private final KubernetesClient client;
    private final ApiWrites writes;
    private final DeviceClaimWriter devices;
    private final ThreadPoolExecutor threads;
    private final int most;
    private final BooleanSupplier mayWrite;
    private final Consumer<Change> results;
    private final BindCounts counts;
    private final EventWriter events;

    /**
     * Starts a writer.
     *
     * @param threadCount how many writes are under way at one time
     * @param most how many may wait before {@link #isFull}
     * @param mayWrite asked before each write; once it says no, nothing more is written or reported
     * @param results told of bindings that will never be
     * @param events told to people: where a pod was bound, and why the server refused it
     */
    public BindWriter(
            KubernetesClient client,
            int threadCount,
            int most,
            BooleanSupplier mayWrite,
            Consumer<Change> results,
            BindCounts counts,
            EventWriter events) {
        this.client = client;
        this.writes = ApiWrites.of(client);
        this.devices = new DeviceClaimWriter(client, mayWrite, counts);
        this.most = most;
        this.mayWrite = mayWrite;
        this.results = results;
        this.counts = counts;
        this.events = events;
        this.threads = new ThreadPoolExecutor(
                threadCount, threadCount, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), Daemons.named("bind"));
        threads.allowCoreThreadTimeOut(true);
    }

    /** Returns whether so many wait that no more should be decided now. */
    public boolean isFull() {
        return threads.getQueue().size() >= most;
    }

    /** Returns how many bindings wait or are being written. */
    public int size() {
        return threads.getQueue().size() + threads.getActiveCount();
    }

    /** Writes a binding in the background; one with claims tells these the node and leaves the pod for later. */
    public void write(Binding binding) {
        threads.execute(() -> {
            Set<String> allocated = new HashSet<>();
            try {
                if (binding.claims().isEmpty()) {
                    if (devices.allocate(binding, allocated)) {
                        bind(binding, allocated);
                    }
                } else {
                    new ClaimWriter(client).select(binding);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (KubernetesClientException e) {
                lost(binding, e, allocated);
            }
        });
    }

    private void bind(Binding binding, Set<String> allocated) throws InterruptedException {
        PodId id = binding.pod().id();
        String path = "/api/v1/namespaces/" + id.namespace() + "/pods/" + id.name() + "/binding";
        PodBinding write = binding.write();
        for (int attempt = 1; mayWrite.getAsBoolean(); attempt++) {
            try {
                writes.post(path, write.object());
                bound(binding);
                return;
            } catch (KubernetesClientException e) {
                if (Answers.isPassing(e)) {
                    pause(binding, attempt, e);
                    continue;
                }
                Optional<PodBinding> next = settle(binding, write, e, allocated);
                if (next.isEmpty()) {
                    return;
                }
                counts.repeated();
                write = next.get();
            }
        }
    }

    private void pause(Binding binding, int attempt, KubernetesClientException e) throws InterruptedException {
        counts.repeated();
        LOG.atWarn()
                .addKeyValue("pod", binding.pod().id())
                .addKeyValue("status", e.getCode())
                .addKeyValue("attempt", attempt)
                .log("binding not answered, trying again");
        TimeUnit.MILLISECONDS.sleep(PAUSES.afterMillis(attempt));
    }

    /**
     * After a clear no. A conflict may be the answer to a write of ours that came through before, or to one that came between,
     * such as that of a condition: the pod itself tells. Returns the same binding of the pod's new version if the pod still
     * waits and asks for the same.
     */
    private Optional<PodBinding> settle(
            Binding binding, PodBinding write, KubernetesClientException refusal, Set<String> allocated)
            throws InterruptedException {
        for (int attempt = 1; mayWrite.getAsBoolean(); attempt++) {
            try {
                Pod pod = refusal.getCode() == CONFLICT ? read(binding.pod().id()) : null;
                if (pod != null && write.isHeldBy(pod)) {
                    bound(binding);
                } else if (pod != null
                        && write.mayBeHeldBy(pod)
                        && binding.pod().isAskedBy(pod)) {
                    return Optional.of(write.on(pod));
                } else {
                    lost(binding, refusal, allocated);
                }
                return Optional.empty();
            } catch (KubernetesClientException e) {
                pause(binding, attempt, e);
            }
        }
        return Optional.empty();
    }

    private @Nullable Pod read(PodId id) {
        return client.pods().inNamespace(id.namespace()).withName(id.name()).get();
    }

    private void bound(Binding binding) {
        counts.bound(age(binding));
        events.write(
                EventSubject.of(binding.pod().object()),
                "Normal",
                "Scheduled",
                "assigned to " + binding.placement().node());
        PodId id = binding.pod().id();
        LOG.atInfo()
                .addKeyValue("pod", id.namespace() + "/" + id.name())
                .addKeyValue("node", binding.placement().node())
                .addKeyValue("gpus", binding.placement().gpus())
                .log("bound");
    }

    /** The API server says it in whole seconds, by its own clock. */
    private static Duration age(Binding binding) {
        String created = binding.pod().object().getMetadata().getCreationTimestamp();
        try {
            Duration age = Duration.between(Instant.parse(String.valueOf(created)), Instant.now());
            return age.isNegative() ? Duration.ZERO : age;
        } catch (DateTimeParseException e) {
            return Duration.ZERO;
        }
    }

    private void lost(Binding binding, KubernetesClientException refusal, Set<String> allocated) {
        String node = binding.placement().node();
        String why = String.valueOf(refusal.getMessage());
        counts.lost();
        LOG.atWarn()
                .addKeyValue("pod", binding.pod().id())
                .addKeyValue("node", node)
                .addKeyValue("why", why)
                .log("not bound");
        if (!OUTDATED.contains(refusal.getCode())) {
            events.write(
                    EventSubject.of(binding.pod().object()),
                    "Warning",
                    "FailedScheduling",
                    "cannot be bound to node " + node + ": " + why);
        }
        results.accept(new Change.NotBound(binding.pod().id(), binding.pod().uid(), why, allocated));
    }

    /** Lets the writes that were asked for end, at most 20 s. */
    @Override
    public void close() {
        Daemons.stop(threads, 20);
    }
}
