package io.gpusched.replay;

import io.gpusched.model.GroupMembership;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.queue.Job;
import io.gpusched.queue.JobSpec;
import io.gpusched.queue.JobStatus;
import io.gpusched.queue.Reservation;
import io.gpusched.replay.HistoryEvent.Place;
import io.gpusched.replay.HistoryEvent.StatusSet;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What members of a job hold, as it is written: a placement without all that follows from the job. */
final class Places {
    private final Map<PodId, Pod> pods = new HashMap<>();
    private final Map<PodId, GroupMembership> memberships;

    private Places(JobSpec spec) {
        spec.group().pods().forEach(pod -> pods.put(pod.id(), pod));
        memberships = spec.group().memberships();
    }

    /** Returns where a job stands, as it is written. */
    static StatusSet written(Job job) {
        Places places = new Places(job.spec());
        JobStatus status = job.status();
        Optional<Reservation> reservation = status.reservation();
        return new StatusSet(
                job.name(),
                places.written(status.running()),
                places.written(status.terminating()),
                places.written(status.nominated()),
                status.started(),
                status.staleSince(),
                reservation.isPresent() ? OptionalLong.of(reservation.get().start()) : OptionalLong.empty(),
                reservation.map(Reservation::placements).map(places::written).orElse(List.of()));
    }

    /** Returns where a job stands, from what was written. */
    static JobStatus read(JobSpec spec, StatusSet set) {
        Places places = new Places(spec);
        Optional<Reservation> reservation = set.reservedStart().isPresent()
                ? Optional.of(new Reservation(set.reservedStart().getAsLong(), places.read(set.reserved())))
                : Optional.empty();
        return new JobStatus(
                places.read(set.running()),
                places.read(set.terminating()),
                places.read(set.nominated()),
                set.started(),
                set.staleSince(),
                reservation);
    }

    private List<Place> written(List<Placement> placements) {
        return placements.stream().map(this::written).toList();
    }

    private Place written(Placement held) {
        Place brief = new Place(
                held.pod(), held.node(), held.containers(), held.group().isEmpty(), Optional.empty());
        return pods.containsKey(held.pod()) && read(brief).equals(held)
                ? brief
                : new Place(held.pod(), held.node(), List.of(), false, Optional.of(held));
    }

    private List<Placement> read(List<Place> places) {
        return places.stream().map(this::read).toList();
    }

    private Placement read(Place place) {
        if (place.whole().isPresent()) {
            return place.whole().get();
        }
        Pod pod = pods.get(place.pod());
        if (pod == null) {
            throw new IllegalArgumentException("pod \"" + place.pod() + "\" must be a member of the job");
        }
        Optional<GroupMembership> group =
                place.ungrouped() ? Optional.empty() : Optional.ofNullable(memberships.get(place.pod()));
        return new Placement(place.pod(), place.node(), pod.resources(), place.containers())
                .withSpec(pod.spec())
                .withGroup(group);
    }
}
