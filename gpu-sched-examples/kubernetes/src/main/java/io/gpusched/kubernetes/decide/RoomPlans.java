package io.gpusched.kubernetes.decide;

import io.fabric8.kubernetes.api.model.PodStatus;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.queue.Backoff;
import io.gpusched.manifests.grant.NominationRecord;
import io.gpusched.manifests.view.ClusterBook;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.PlanStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps what plans hold and evict over cycles: {@link Nominations}, what of them is to be written, and which pods are left
 * alone because a budget said no.
 *
 * <p>What pods say of places that are held for them is never read: an account that may write pods or their status could hold room or
 * have others evicted by it. A scheduler that starts makes new plans; pods that were evicted before are ending already, so that their
 * room costs no other pod.
 *
 * <p>Not thread-safe.
 */
final class RoomPlans {
    /** How long a pod is left alone whose eviction was refused, the first time and the next ones. */
    private static final Backoff KEPT = new Backoff(30_000, 600_000);

    private final ClusterBook book;
    private final PodTable pods;
    private final JobBook jobs;
    private final Nominations nominations;
    private final Set<PodId> fresh = new LinkedHashSet<>();
    private final Set<Unit> unwritten = new LinkedHashSet<>();
    private long time;
    private final Map<PodId, Kept> kept = new TreeMap<>();
    private final Map<String, Unit> byName = new HashMap<>();

    /** Pods for which no place is held any more, which is still to be written. */
    private final List<PendingPod> givenUp = new ArrayList<>();

    /**
     * A pod whose eviction was refused.
     *
     * @param times how often
     * @param until how long it is left alone
     * @param why what the API server said last
     */
    private record Kept(int times, long until, String why) {}

    RoomPlans(Tables tables, Nominations nominations) {
        this.book = tables.book();
        this.pods = tables.pods();
        this.jobs = tables.jobs();
        this.nominations = nominations;
    }

    /** A pod is seen for the first time; a place that was written on it is taken off unless it gets one. */
    void saw(PodId pod) {
        fresh.add(pod);
    }

    /** Forgets what is over. */
    void refresh(long now, Decisions decisions) {
        pods.waiting(fresh).stream().filter(RoomPlans::saysThatItIsNominated).forEach(givenUp::add);
        fresh.clear();
        nominations
                .clean(
                        this::waits,
                        victim -> jobs.get(victim.pod()) != null
                                && Objects.requireNonNull(jobs.get(victim.pod()))
                                        .uid()
                                        .equals(victim.uid()))
                .forEach(unit -> {
                    decisions.cancelled().add(JobBuilding.nameOf(unit));
                    byName.remove(JobBuilding.nameOf(unit));
                });
        decisions.withdrawn().addAll(givenUp);
        givenUp.clear();
        kept.keySet().removeIf(pod -> jobs.get(pod) == null);
        time = now;
    }

    private boolean waits(PodId pod) {
        PodRow row = pods.row(pod);
        return row != null && row.isWaiting();
    }

    private static boolean saysThatItIsNominated(PendingPod pod) {
        PodStatus status = pod.object().getStatus();
        return status != null
                && !Objects.requireNonNullElse(status.getNominatedNodeName(), "")
                        .isEmpty();
    }

    void nominate(Unit unit, Placement placement) {
        nominations.nominate(unit, placement);
        unwritten.add(unit);
    }

    void evict(Unit beneficiary, PlanStep.Evict step) {
        JobPod pod = jobs.get(step.pod());
        if (pod != null) {
            nominations.evict(beneficiary, pod.victim(), step.beneficiary().isEmpty());
            unwritten.add(beneficiary);
        }
    }

    /** A pod starts; what was held for it is its own. */
    void starts(Unit unit, PodId pod) {
        nominations.remove(unit, pod);
    }

    void withdraw(Unit unit, Placement placement, Decisions decisions) {
        nominations.remove(unit, placement.pod());
        PodRow row = pods.row(placement.pod());
        if (row != null && row.pending() != null) {
            decisions.withdrawn().add(row.pending());
        }
    }

    /** Adds what is to be written since this was asked last. */
    void write(Decisions decisions) {
        for (Unit unit : unwritten) {
            room(unit).ifPresent(decisions.rooms()::add);
        }
        unwritten.clear();
        decisions.withdrawn().removeIf(pod -> nominations.isHeld(Unit.of(pod), pod.id()));
    }

    private Optional<Room> room(Unit unit) {
        List<NominationRecord.Victim> victims = nominations.victims(unit);
        List<Room.Place> places = new ArrayList<>();
        for (Placement placement : nominations.places(unit)) {
            PodRow row = pods.row(placement.pod());
            Optional<Node> node = book.cluster().node(placement.node()).map(NodeState::node);
            if (row != null && node.isPresent()) {
                String text = new NominationRecord(placement, victims).write(node.get());
                places.add(new Room.Place(placement.pod(), row.uid(), placement.node(), text));
            }
        }
        List<NominationRecord.Victim> left =
                victims.stream().filter(this::isNotEvictedYet).toList();
        byName.put(JobBuilding.nameOf(unit), unit);
        return places.isEmpty() && left.isEmpty()
                ? Optional.empty()
                : Optional.of(new Room(JobBuilding.nameOf(unit), places, left));
    }

    private boolean isNotEvictedYet(NominationRecord.Victim victim) {
        JobPod pod = jobs.get(victim.pod());
        return pod != null && pod.uid().equals(victim.uid()) && !pod.isEnding();
    }

    /** The victims that still run, as far as the API server has told. */
    List<PodId> notEvictedYet() {
        List<PodId> left = new ArrayList<>();
        for (PodId id : nominations.leaving()) {
            JobPod pod = jobs.get(id);
            if (pod != null && !pod.isEnding()) {
                left.add(id);
            }
        }
        return left;
    }

    /** No more pods are evicted for a job; its pods wait as before. Returns the job, as far as it is known. */
    Optional<Unit> givenUp(Change.RoomGivenUp change, long now) {
        change.kept().ifPresent(pod -> {
            Kept before = kept.get(pod);
            int times = before == null ? 1 : before.times() + 1;
            kept.put(pod, new Kept(times, now + KEPT.afterMillis(times), change.why()));
        });
        Unit unit = byName.remove(change.job());
        if (unit != null) {
            for (Placement placement : nominations.giveUp(unit)) {
                PodRow row = pods.row(placement.pod());
                if (row != null && row.pending() != null) {
                    givenUp.add(row.pending());
                }
            }
        }
        return Optional.ofNullable(unit);
    }

    /** The pods that are left alone for some time. */
    Set<PodId> kept() {
        Set<PodId> now = new TreeSet<>(kept.keySet());
        now.removeIf(pod -> Objects.requireNonNull(kept.get(pod)).until() <= time);
        return now;
    }

    /** Says why pods are left alone; empty if none is. */
    String keptInWords() {
        List<PodId> now = List.copyOf(kept());
        if (now.isEmpty()) {
            return "";
        }
        PodId first = now.get(0);
        return "\n  the eviction of " + now.size() + (now.size() == 1 ? " pod" : " pods") + " was refused, of pod \""
                + first + "\": " + Objects.requireNonNull(kept.get(first)).why();
    }
}
