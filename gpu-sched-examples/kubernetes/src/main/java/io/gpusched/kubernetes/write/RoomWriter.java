package io.gpusched.kubernetes.write;

import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.policy.v1.Eviction;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.write.ApiWriter.Lane;
import io.gpusched.kubernetes.write.ApiWriter.Write;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.model.PodId;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes room, in three steps, each done for all before the next begins, so that no pod is evicted in vain:
 *
 * <ol>
 *   <li>The places are written on the pods: {@code status.nominatedNodeName}, and as an annotation what is held and which pods are
 *       evicted, for readers.
 *   <li>The server is asked whether each victim may leave, by evictions that change nothing.
 *   <li>The victims are evicted. A disruption budget that says no now keeps the rest waiting; it is asked again.
 * </ol>
 *
 * Thread-safe.
 */
public final class RoomWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RoomWriter.class);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    /** So many times the server may fail at one write. */
    private static final int MOST_FAILED = 3;

    /** So many times budgets may say no before anybody has left: about a minute. */
    private static final int MOST_ASKED = 13;

    /** So many times they may once one has: about ten minutes. */
    private static final int MOST_WAITED = 67;

    private final ApiWriter writer;
    private final RoomListener results;

    /**
     * Creates it.
     *
     * @param results told what comes of it
     */
    public RoomWriter(ApiWriter writer, RoomListener results) {
        this.writer = writer;
        this.results = results;
    }

    /** Of one writer: another may make room for a job of the same name. */
    private record JobKey(RoomWriter of, String job) {}

    private record PodKey(String uid) {}

    /** Makes room in the background; what is still to be done for the same job is dropped. */
    public void make(Room room) {
        room.places().forEach(place -> writer.forget(new PodKey(place.uid())));
        writer.put(Lane.EVICTIONS, new JobKey(this, room.job()), 0, new Making(room));
    }

    /** Evicts no more pods for a job. */
    public void cancel(String job) {
        writer.forget(new JobKey(this, job));
    }

    /** Takes the word of a place off a pod, in the background. */
    public void withdraw(PodId pod, String uid) {
        writer.put(Lane.EVICTIONS, new PodKey(uid), 0, () -> {
            nominate(pod, uid, null, null);
            return null;
        });
    }

    /** Room that is being made, step by step. */
    private final class Making implements Write {
        private final String job;
        private final Deque<Room.Place> places;
        private final Deque<NominationRecord.Victim> asked;
        private final Deque<NominationRecord.Victim> victims;
        private boolean hasEvicted;

        Making(Room room) {
            job = room.job();
            places = new ArrayDeque<>(room.places());
            asked = new ArrayDeque<>(room.victims());
            victims = new ArrayDeque<>(room.victims());
        }

        @Override
        public @Nullable Write run() {
            if (!places.isEmpty()) {
                Room.Place place = places.element();
                nominate(place.pod(), place.uid(), place.node(), place.record());
                places.remove();
            } else if (!asked.isEmpty()) {
                evict(asked.element(), true);
                asked.remove();
            } else if (!victims.isEmpty()) {
                NominationRecord.Victim victim = victims.element();
                evict(victim, false);
                hasEvicted = true;
                victims.remove();
                results.evicted(victim, job);
            } else {
                return null;
            }
            return this;
        }

        @Override
        public boolean isTriedAgain(KubernetesClientException e, int attempts) {
            if (isBudget(e)) {
                results.blocked(job);
            }
            if (attempts < mostAttempts(e, hasEvicted)) {
                return true;
            }
            String why = String.valueOf(e.getMessage());
            LOG.atWarn().addKeyValue("job", job).addKeyValue("why", why).log("room not made");
            // a refusal to write a place concerns the job, and no victim
            NominationRecord.Victim kept = asked.isEmpty() ? victims.peek() : asked.peek();
            results.givenUp(
                    job, Optional.ofNullable(places.isEmpty() ? kept : null).map(NominationRecord.Victim::pod), why);
            return false;
        }
    }

    /** A null takes the field away. */
    private void nominate(PodId pod, String uid, @Nullable String node, @Nullable String record) {
        writer.requests()
                .patchPod(
                        pod,
                        uid,
                        Collections.singletonMap(NominationRecord.NOMINATION, record),
                        Collections.singletonMap("nominatedNodeName", node));
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
            writer.requests()
                    .post("/api/v1/namespaces/" + id.namespace() + "/pods/" + id.name() + "/eviction", eviction);
        } catch (KubernetesClientException e) {
            if (e.getCode() != NOT_FOUND && !(e.getCode() == CONFLICT && !isBudget(e))) {
                throw e;
            }
            // it is gone, or another has its name
        }
    }

    /**
     * How often a write is tried. A budget may allow later what it forbids now; a server that does not answer, or asks for time, may
     * answer soon; one that fails may fail for good, as it does where two budgets select a pod, or whom it asks is down. All else is
     * an answer.
     */
    private static int mostAttempts(KubernetesClientException e, boolean hasEvicted) {
        if (isBudget(e)) {
            return hasEvicted ? MOST_WAITED : MOST_ASKED;
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
}
