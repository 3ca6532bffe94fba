package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room, in three steps, each of which must have been done for all before the next begins, so that nobody leaves in vain:
 *
 * <ol>
 *   <li>The places are written on the pods: {@code status.nominatedNodeName}, and as an annotation what is held and who leaves, for
 *       whoever wants to know.
 *   <li>The server is asked whether each victim may leave, by evictions that change nothing.
 *   <li>The victims are evicted. A disruption budget that says no now keeps the rest waiting; it is asked again.
 * </ol>
 *
 * Thread-safe.
 */
public final class RoomWriter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RoomWriter.class);
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Backoff PAUSES = new Backoff(200, 10_000);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    /** So many times the server may fail at one write. */
    private static final int MOST_FAILED = 3;

    /** So many times budgets may say no before anybody has left: about a minute. */
    private static final int MOST_ASKED = 12;

    /** So many times they may once somebody has: about ten minutes. */
    private static final int MOST_WAITED = 66;

    private final KubernetesClient client;
    private final ApiWrites writes;
    private final BooleanSupplier mayWrite;
    private final RoomListener results;
    private final ScheduledThreadPoolExecutor threads;
    private final Map<String, Work> byJob = new ConcurrentHashMap<>();

    /** Room that is being made. */
    private static final class Work {
        final String job;
        final Deque<Room.Place> places;
        final Deque<NominationRecord.Victim> asked;
        final Deque<NominationRecord.Victim> victims;
        boolean hasEvicted;
        int attempts;
        volatile boolean cancelled;

        Work(Room room) {
            job = room.job();
            places = new ArrayDeque<>(room.places());
            asked = new ArrayDeque<>(room.victims());
            victims = new ArrayDeque<>(room.victims());
        }
    }

    /**
     * Starts a writer.
     *
     * @param mayWrite asked before each write; once it says no, nothing more is written or reported
     * @param results told what comes of it
     */
    public RoomWriter(KubernetesClient client, BooleanSupplier mayWrite, RoomListener results) {
        this.client = client;
        this.writes = ApiWrites.of(client);
        this.mayWrite = mayWrite;
        this.results = results;
        this.threads = new ScheduledThreadPoolExecutor(4, Daemons.named("evict"));
        threads.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        threads.setRemoveOnCancelPolicy(true);
    }

    /** Makes room in the background; what is still to be done for the same job is dropped. */
    public void make(Room room) {
        Work work = new Work(room);
        Work before = byJob.put(room.job(), work);
        if (before != null) {
            before.cancelled = true;
        }
        schedule(work, 0);
    }

    /** Evicts nobody more for a job. */
    public void cancel(String job) {
        Work work = byJob.remove(job);
        if (work != null) {
            work.cancelled = true;
        }
    }

    /** Takes the word of a place off a pod, in the background. */
    public void withdraw(PodId pod, String uid) {
        if (!threads.isShutdown()) {
            threads.execute(() -> {
                try {
                    if (mayWrite.getAsBoolean()) {
                        nominate(pod, uid, null, null);
                    }
                } catch (KubernetesClientException e) {
                    LOG.atDebug().addKeyValue("pod", pod).setCause(e).log("nomination not taken back");
                }
            });
        }
    }

    private void schedule(Work work, long millis) {
        if (!threads.isShutdown()) {
            var unused = threads.schedule(() -> run(work), millis, TimeUnit.MILLISECONDS);
        }
    }

    private void run(Work work) {
        try {
            while (!work.cancelled && mayWrite.getAsBoolean() && isLeft(work)) {
                step(work);
                work.attempts = 0;
            }
            if (!isLeft(work)) {
                byJob.remove(work.job, work);
            }
        } catch (KubernetesClientException e) {
            failed(work, e);
        }
    }

    private static boolean isLeft(Work work) {
        return !work.places.isEmpty() || !work.asked.isEmpty() || !work.victims.isEmpty();
    }

    private void step(Work work) {
        if (!work.places.isEmpty()) {
            Room.Place place = work.places.element();
            nominate(place.pod(), place.uid(), place.node(), place.record());
            work.places.remove();
        } else if (!work.asked.isEmpty()) {
            evict(work.asked.element(), true);
            work.asked.remove();
        } else {
            NominationRecord.Victim victim = work.victims.element();
            evict(victim, false);
            work.hasEvicted = true;
            work.victims.remove();
            results.evicted(victim, work.job);
        }
    }

    /** A null takes the field away. */
    private void nominate(PodId pod, String uid, @Nullable String node, @Nullable String record) {
        Map<String, Object> metadata = new HashMap<>();
        metadata.put("uid", uid);
        metadata.put("annotations", Collections.singletonMap(NominationRecord.NOMINATION, record));
        Map<String, Object> patch =
                Map.of("metadata", metadata, "status", Collections.singletonMap("nominatedNodeName", node));
        client.pods()
                .inNamespace(pod.namespace())
                .withName(pod.name())
                .subresource("status")
                .patch(MERGE, client.getKubernetesSerialization().asJson(patch));
    }

    private void evict(NominationRecord.Victim victim, boolean isDryRun) {
        PodId id = victim.pod();
        DeleteOptionsBuilder options = new DeleteOptionsBuilder()
                .withNewPreconditions()
                .withUid(victim.uid())
                .endPreconditions();
        victim.graceSeconds().ifPresent(options::withGracePeriodSeconds);
        Eviction eviction = new EvictionBuilder()
                .withNewMetadata()
                .withNamespace(id.namespace())
                .withName(id.name())
                .endMetadata()
                .withDeleteOptions((isDryRun ? options.withDryRun("All") : options).build())
                .build();
        try {
            writes.post("/api/v1/namespaces/" + id.namespace() + "/pods/" + id.name() + "/eviction", eviction);
        } catch (KubernetesClientException e) {
            if (e.getCode() != NOT_FOUND && !(e.getCode() == CONFLICT && !isBudget(e))) {
                throw e;
            }
            // it is gone, or another has its name
        }
    }

    private void failed(Work work, KubernetesClientException e) {
        work.attempts++;
        if (isBudget(e)) {
            results.blocked(work.job);
        }
        if (work.cancelled || !mayWrite.getAsBoolean()) {
            return;
        }
        if (work.attempts < mostAttempts(work, e)) {
            schedule(work, PAUSES.afterMillis(work.attempts));
            return;
        }
        byJob.remove(work.job, work);
        String why = String.valueOf(e.getMessage());
        LOG.atWarn().addKeyValue("job", work.job).addKeyValue("why", why).log("room not made");
        // whoever says no to a place that is written says it of the job, and of no victim
        Optional<PodId> kept = work.places.isEmpty()
                ? Optional.ofNullable(blocked(work)).map(NominationRecord.Victim::pod)
                : Optional.empty();
        results.givenUp(work.job, kept, why);
    }

    /**
     * How often a write is tried. A budget may allow later what it forbids now; a server that does not answer, or asks for time, may
     * answer soon; one that fails may fail for good, as it does where two budgets select a pod, or whom it asks is down. All else is
     * an answer.
     */
    private static int mostAttempts(Work work, KubernetesClientException e) {
        if (isBudget(e)) {
            return work.hasEvicted ? MOST_WAITED : MOST_ASKED;
        }
        boolean asksForTime = e.getCode() != TOO_MANY
                || e.getStatus() != null
                        && e.getStatus().getDetails() != null
                        && e.getStatus().getDetails().getRetryAfterSeconds() != null;
        if (!Answers.isPassing(e)) {
            return 1;
        }
        return e.getCode() == SERVER_ERROR || !asksForTime ? MOST_FAILED : MOST_ASKED;
    }

    private static NominationRecord.@Nullable Victim blocked(Work work) {
        return work.asked.isEmpty() ? work.victims.peek() : work.asked.peek();
    }

    /** A budget says no by its own cause; a server that has too much to do by the same status. */
    private static boolean isBudget(KubernetesClientException e) {
        if (e.getCode() != TOO_MANY
                || e.getStatus() == null
                || e.getStatus().getDetails() == null
                || e.getStatus().getDetails().getCauses() == null) {
            return false;
        }
        List<StatusCause> causes = e.getStatus().getDetails().getCauses();
        return causes.stream().anyMatch(cause -> "DisruptionBudget".equals(cause.getReason()));
    }

    /** Makes no more room; what was written is read by whoever comes next. */
    @Override
    public void close() {
        byJob.values().forEach(work -> work.cancelled = true);
        Daemons.stop(threads, 5);
    }
}
