package io.gpusched.kubernetes.decide;

import io.gpusched.decision.PlanStep;
import io.gpusched.kubernetes.evict.Room;
import io.gpusched.kubernetes.grant.GrantException;
import io.gpusched.kubernetes.grant.NominationRecord;
import io.gpusched.kubernetes.view.ClusterBook;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps what plans hold and whom they evict over cycles: {@link Nominations} that are read back after a restart, what of them is to be
 * written, and who is left alone because a budget said no. Not thread-safe.
 */
final class RoomPlans {
    /** How long somebody is left alone whose eviction was refused, although his budget seemed to allow it. */
    private static final long KEPT_MILLIS = 30_000;

    private final ClusterBook book;
    private final PodTable pods;
    private final JobBook jobs;
    private final Requests requests;
    private final Nominations nominations;
    private final Set<PodId> unread = new LinkedHashSet<>();
    private final Set<Unit> unwritten = new LinkedHashSet<>();
    private final Map<PodId, Long> keptUntil = new HashMap<>();
    private final Map<String, Unit> byName = new HashMap<>();

    /** Pods for which no place is held any more, which is still to be written. */
    private final List<PendingPod> givenUp = new ArrayList<>();

    RoomPlans(ClusterBook book, PodTable pods, JobBook jobs, Requests requests, Nominations nominations) {
        this.book = book;
        this.pods = pods;
        this.jobs = jobs;
        this.requests = requests;
        this.nominations = nominations;
    }

    /** A pod is seen for the first time; what an earlier scheduler wrote on it is read once the nodes are known. */
    void saw(PodId pod) {
        unread.add(pod);
    }

    /** Reads what was written before, and forgets what is over. */
    void refresh(long now, Decisions decisions) {
        Set<PodId> all = new HashSet<>(unread);
        unread.clear();
        pods.waiting(all).forEach(this::adopt);
        nominations
                .clean(
                        this::waits,
                        victim -> jobs.get(victim.pod()) != null
                                && Objects.requireNonNull(jobs.get(victim.pod()))
                                        .uid()
                                        .equals(victim.uid()))
                .forEach(unit -> decisions.cancelled().add(JobBuilding.nameOf(unit)));
        decisions.withdrawn().addAll(givenUp);
        givenUp.clear();
        keptUntil.values().removeIf(until -> until <= now);
    }

    private boolean waits(PodId pod) {
        PodRow row = pods.row(pod);
        return row != null && row.isWaiting();
    }

    /** What cannot be read any more is as if it were not there: the job is planned for anew. */
    private void adopt(PendingPod pod) {
        String text = pod.object().getMetadata().getAnnotations() == null
                ? null
                : pod.object().getMetadata().getAnnotations().get(NominationRecord.NOMINATION);
        String name = pod.object().getStatus() == null
                ? null
                : pod.object().getStatus().getNominatedNodeName();
        Optional<NodeState> node =
                name == null ? Optional.empty() : book.cluster().node(name);
        if (text != null && node.isPresent() && requests.of(pod, Set.of()) instanceof Request.Ready ready) {
            try {
                NominationRecord record = NominationRecord.read(
                        text, ready.manifest(), node.get(), ready.named().dialect());
                adopt(pod, record);
            } catch (GrantException e) {
                // planned for anew
            }
        }
    }

    private void adopt(PendingPod pod, NominationRecord record) {
        Unit unit = Unit.of(pod);
        nominations.nominate(unit, record.placement());
        for (NominationRecord.Victim victim : record.victims()) {
            JobPod there = jobs.get(victim.pod());
            if (there != null && there.uid().equals(victim.uid()) && there.isPreemptible()) {
                nominations.evict(unit, victim, false);
            }
        }
        unwritten.add(unit);
    }

    void nominate(Unit unit, Placement placement) {
        nominations.nominate(unit, placement);
        unwritten.add(unit);
    }

    void evict(Unit beneficiary, PlanStep.Evict step) {
        JobPod pod = jobs.get(step.pod());
        if (pod != null) {
            nominations.evict(
                    beneficiary,
                    new NominationRecord.Victim(pod.id(), pod.uid()),
                    step.beneficiary().isEmpty());
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

    /** Those who are to leave, and run as far as the API server has told. */
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

    /** Nobody more leaves for a job; its pods wait as before. */
    void givenUp(Change.RoomGivenUp change, long now) {
        change.kept().ifPresent(pod -> keptUntil.put(pod, now + KEPT_MILLIS));
        Unit unit = byName.remove(change.job());
        if (unit != null) {
            for (Placement placement : nominations.giveUp(unit)) {
                PodRow row = pods.row(placement.pod());
                if (row != null && row.pending() != null) {
                    givenUp.add(row.pending());
                }
            }
        }
    }

    /** Those who are left alone for some time. */
    Collection<PodId> kept() {
        return keptUntil.keySet();
    }

    int size() {
        return nominations.size();
    }
}
