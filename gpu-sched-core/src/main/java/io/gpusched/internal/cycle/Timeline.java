package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.workload.Reservation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is free from now on, as far as it is known who ends when: a snapshot for each time at which something changes.
 *
 * <p>Jobs that run end as {@linkplain io.gpusched.workload.Job#plannedDuration planned}; one that has exceeded that is taken to run on for
 * as long as it has exceeded it. Reservations hold their room from their start to their end. Snapshots share what does not change, so that
 * one costs what changes.
 */
final class Timeline {
    static final long NEVER = Long.MAX_VALUE;

    /** What pods hold from one time until another. */
    record Hold(Ask ask, long from, long until, List<Placement> placements) {}

    /** What a job that runs holds until its end. */
    private record Stay(long until, List<Placement> placements) {}

    private final long now;
    private final NavigableMap<Long, Cluster> snapshots = new TreeMap<>();
    private final NavigableMap<Long, List<Hold>> reserved = new TreeMap<>();
    private final Map<JobState, Hold> reservations = new LinkedHashMap<>();
    private final Map<String, Stay> stays = new HashMap<>();

    /** The jobs of which it is known that what is reserved for them cannot start earlier, as no room was gained since. */
    private final Set<String> tight = new HashSet<>();

    /** Whether some left or moved for others. */
    private boolean isExchanged;

    /** By time the first job that ends then. */
    private final NavigableMap<Long, JobState> ending = new TreeMap<>();

    /** The first end that may come later than planned. */
    private long firstEstimate = NEVER;

    private Timeline(long now) {
        this.now = now;
    }

    /**
     * Returns what is free from now on. What another timeline knows is taken over where it is still so, and that one is used up: the
     * answer is the same, but costs what has changed since.
     *
     * @param last what was known before; null if nothing was
     * @param later what is free now
     */
    static Timeline of(@Nullable Timeline last, List<JobState> jobs, Cluster later, long now) {
        Timeline timeline = new Timeline(now);
        for (JobState job : jobs) {
            if (job.placedCount() > 0) {
                timeline.stay(job, timeline.end(job), job.placed());
            }
        }
        if (last == null || !timeline.follows(last, jobs, later)) {
            timeline.begin(later);
        }
        return timeline;
    }

    private void stay(JobState job, long end, List<Placement> placements) {
        List<Placement> all = new ArrayList<>();
        Stay before = stays.get(job.name());
        if (before != null) {
            all.addAll(before.placements());
        }
        all.addAll(placements);
        stays.put(job.name(), new Stay(end, all));
        ends(job, end);
    }

    private void begin(Cluster later) {
        snapshots.clear();
        reserved.clear();
        reservations.clear();
        tight.clear();
        NavigableMap<Long, List<Placement>> ends = new TreeMap<>();
        stays.values()
                .forEach(stay -> ends.computeIfAbsent(stay.until(), time -> new ArrayList<>())
                        .addAll(stay.placements()));
        snapshots.put(now, later);
        Cluster cluster = later;
        ends.remove(NEVER);
        for (Map.Entry<Long, List<Placement>> end : ends.entrySet()) {
            ClusterBatch batch = cluster.batch();
            end.getValue().forEach(placement -> batch.release(placement.pod()));
            cluster = batch.build();
            snapshots.put(end.getKey(), cluster);
        }
    }

    /** A copy: what is held there is not held here. */
    Timeline(Timeline like) {
        now = like.now;
        snapshots.putAll(like.snapshots);
        like.reserved.forEach((time, holds) -> reserved.put(time, new ArrayList<>(holds)));
        reservations.putAll(like.reservations);
        ending.putAll(like.ending);
        firstEstimate = like.firstEstimate;
    }

    /** Takes over the snapshots and reservations that are still so; returns false if it cannot. */
    private boolean follows(Timeline last, List<JobState> jobs, Cluster later) {
        if (last.isExchanged || last.now > now || !last.stays.entrySet().containsAll(stays.entrySet())) {
            return false;
        }
        snapshots.putAll(last.snapshots.tailMap(now, false));
        snapshots.put(now, last.snapshots.floorEntry(now).getValue());
        tight.addAll(last.tight);
        last.stays.forEach((job, stay) -> {
            if (stay.until() > now && !stays.containsKey(job)) {
                free(now, stay.until(), stay.placements());
                tight.clear();
            }
        });
        Map<String, Hold> holds = new HashMap<>();
        last.reservations.values().forEach(hold -> holds.put(hold.ask().job().name(), hold));
        List<Hold> kept = new ArrayList<>();
        for (JobState job : jobs) {
            if (job.reservation() != null && job.reservation().start() < now) {
                return false; // it is late: those that start later yield to it
            }
            Hold hold = job.reservation() == null ? null : holds.get(job.name());
            Ask ask = hold == null ? null : job.next();
            if (hold != null && ask != null && hold.from() > now && isReserved(hold, ask)) {
                holds.remove(job.name());
                kept.add(new Hold(ask, hold.from(), hold.until(), hold.placements()));
            }
        }
        kept.sort(Comparator.comparingLong(Hold::from));
        kept.forEach(hold -> {
            note(hold);
            ends(hold.ask().job(), hold.until());
        });
        for (Hold hold : holds.values()) {
            free(Math.min(hold.until(), Math.max(now, hold.from())), hold.until(), hold.placements());
            if (hold.from() != now) {
                tight.clear();
            }
        }
        snapshots.keySet().retainAll(times());
        return later.equals(snapshots.put(now, later));
    }

    private boolean isReserved(Hold hold, Ask ask) {
        Reservation reservation = ask.job().reservation();
        return ask.isMinimum()
                && reservation != null
                && reservation.start() == hold.from()
                && reservation.placements().equals(hold.placements())
                && plus(hold.from(), ask.job().job.plannedDuration()) == hold.until();
    }

    /** All times at which something changes. */
    private Set<Long> times() {
        Set<Long> times = new HashSet<>(Set.of(now));
        stays.values().forEach(stay -> times.add(stay.until()));
        for (Hold hold : reservations.values()) {
            times.add(hold.from());
            times.add(hold.until());
        }
        return times;
    }

    private void ends(JobState job, long end) {
        if (end < NEVER) {
            ending.putIfAbsent(end, job);
            if (job.job.maxDuration().isEmpty() || isOverdue(job)) {
                firstEstimate = Math.min(firstEstimate, end);
            }
        }
    }

    /** When a job ends that runs, or starts now; if all of it moves, it starts again. */
    long end(JobState job) {
        long end = plus(started(job), job.job.plannedDuration());
        return end > now ? end : plus(now, OptionalLong.of(Math.max(1, now - end)));
    }

    /** When what is asked ends if it starts now. */
    long endOf(Ask ask) {
        return ask.isMinimum() ? endAgain(ask.job()) : end(ask.job());
    }

    /** When a job ends if all of it starts now. */
    long endAgain(JobState job) {
        return endFrom(job, now);
    }

    /** When a job ends if all of it starts at a time. */
    long endFrom(JobState job, long start) {
        return plus(start, job.job.plannedDuration());
    }

    private boolean isOverdue(JobState job) {
        return plus(started(job), job.job.plannedDuration()) <= now;
    }

    private long started(JobState job) {
        return job.running.isEmpty() ? now : job.job.started().orElse(now);
    }

    private static long plus(long start, OptionalLong duration) {
        long end = duration.isPresent() ? start + duration.getAsLong() : NEVER;
        return end < start ? NEVER : Math.max(end, start + 1);
    }

    /** Returns whether everybody who has to end before a time is known to end by then. */
    boolean isCertain(long time) {
        return time < firstEstimate;
    }

    /** Returns the first job that ends at a time, if one does. */
    Optional<JobState> endingAt(long time) {
        return Optional.ofNullable(ending.get(time));
    }

    /** Returns the snapshot of a time with all that is reserved until another time, as what is asked must fit beside it all along. */
    Cluster window(Cluster start, long from, long until) {
        Map<String, List<Placement>> later = new TreeMap<>();
        for (List<Hold> holds : reserved.subMap(from, false, until, false).values()) {
            for (Hold hold : holds) {
                for (Placement placement : hold.placements()) {
                    later.computeIfAbsent(placement.node(), node -> new ArrayList<>())
                            .add(placement);
                }
            }
        }
        Cluster window = start;
        List<Cluster> snapshotsThen =
                List.copyOf(snapshots.subMap(from, false, until, false).values());
        for (Map.Entry<String, List<Placement>> node : later.entrySet()) {
            Cluster beside = with(window, node.getValue());
            window = beside != null ? beside : Covered.of(window, node.getKey(), node.getValue(), snapshotsThen);
        }
        return window;
    }

    private static @Nullable Cluster with(Cluster cluster, List<Placement> placements) {
        Cluster next = cluster;
        for (Placement placement : placements) {
            next = next.placement(placement.pod()).isPresent() ? null : Fit.with(next, placement);
            if (next == null) {
                return null;
            }
        }
        return next;
    }

    /** Holds places; returns false if they are not free all along. */
    boolean hold(Hold hold) {
        if (!put(hold)) {
            return false;
        }
        if (hold.from() > now) {
            ends(hold.ask().job(), hold.until());
            register(hold);
        } else {
            stay(hold.ask().job(), hold.until(), hold.placements());
        }
        return true;
    }

    private boolean put(Hold hold) {
        divide(hold.from());
        if (hold.until() < NEVER) {
            divide(hold.until());
        }
        Map<Long, Cluster> changed = new TreeMap<>();
        for (Map.Entry<Long, Cluster> snapshot :
                between(hold.from(), hold.until()).entrySet()) {
            Cluster next = with(snapshot.getValue(), hold.placements());
            if (next == null) {
                return false;
            }
            changed.put(snapshot.getKey(), next);
        }
        snapshots.putAll(changed);
        return true;
    }

    /** Returns what is reserved for a job, or null. */
    @Nullable
    Hold reservation(JobState job) {
        return reservations.get(job);
    }

    /** Gives up what is reserved. */
    void release(Hold hold) {
        free(hold.from(), hold.until(), hold.placements());
        unregister(hold);
    }

    /** Gives up several reservations, and changes each snapshot once. */
    private void releaseAll(List<Hold> holds) {
        Map<Long, List<Placement>> leaving = new HashMap<>();
        for (Hold hold : holds) {
            for (Long time : between(hold.from(), hold.until()).keySet()) {
                leaving.computeIfAbsent(time, none -> new ArrayList<>()).addAll(hold.placements());
            }
            unregister(hold);
        }
        leaving.forEach(
                (time, placements) -> snapshots.computeIfPresent(time, (at, cluster) -> without(cluster, placements)));
    }

    private void free(long from, long until, List<Placement> placements) {
        between(from, until).replaceAll((time, cluster) -> without(cluster, placements));
    }

    /** Takes note that there is room that was not free before: others may start earlier. */
    void gained() {
        tight.clear();
    }

    /** Returns whether places are reserved from a time on that is before another. */
    boolean isReservedBefore(long until) {
        return !reserved.headMap(until, false).isEmpty();
    }

    /** Whether some may leave and others come now, without a delay of any reservation but that of a job, which is given up. */
    boolean mayExchange(JobState job, List<Placement> leaving, List<Hold> coming) {
        NavigableMap<Long, Cluster> before = new TreeMap<>(snapshots);
        leave(job, leaving);
        boolean isPossible = coming.stream().allMatch(this::put);
        snapshots.clear();
        snapshots.putAll(before);
        return isPossible;
    }

    /** Some leave and others come now, who {@linkplain #mayExchange may}; what is reserved for a job is given up. */
    void exchange(JobState job, List<Placement> leaving, List<Hold> coming) {
        leave(job, leaving);
        Hold own = reservations.get(job);
        if (own != null) {
            unregister(own);
        }
        coming.forEach(this::hold);
        isExchanged = true;
    }

    private void leave(JobState job, List<Placement> leaving) {
        Hold own = reservations.get(job);
        if (own != null) {
            free(own.from(), own.until(), own.placements());
        }
        snapshots.replaceAll((time, cluster) -> without(cluster, leaving));
    }

    /** Without those of these pods that are there. */
    private static Cluster without(Cluster cluster, List<Placement> leaving) {
        ClusterBatch batch = cluster.batch();
        leaving.stream()
                .map(Placement::pod)
                .filter(pod -> cluster.placement(pod).isPresent())
                .forEach(batch::release);
        return batch.build();
    }

    /** The job that is the first to start of those for which something is reserved; null if nothing is. */
    @Nullable
    JobState firstReserved() {
        return reserved.isEmpty()
                ? null
                : reserved.firstEntry().getValue().get(0).ask().job();
    }

    private NavigableMap<Long, Cluster> between(long from, long until) {
        return snapshots.subMap(from, true, until, until == NEVER);
    }

    private void divide(long time) {
        snapshots.computeIfAbsent(time, unknown -> snapshots.floorEntry(time).getValue());
    }

    /**
     * Reserves places for a job from the earliest time on at which it finds them for as long as it runs; returns whether there are any.
     *
     * @param before only times before this one are tried
     */
    boolean reserve(Ask ask, Placer placer, long before) {
        OptionalLong duration = ask.job().job.plannedDuration();
        int gpus = ask.wholeGpus();
        Long from = snapshots.higherKey(now);
        while (from != null && from < before) {
            long until = plus(from, duration);
            Long full = lastFull(from, until, gpus);
            if (full == null
                    && find(ask, placer, snapshots.floorEntry(from).getValue(), from, until)
                            .isPlaced()) {
                return true;
            }
            from = snapshots.higherKey(full == null ? from : full);
        }
        return false;
    }

    /**
     * Finds and holds places that stay free from one time until another, so that each reservation keeps its time.
     *
     * <p>First beside the places that are reserved. If there are none, and GPUs would suffice all along, those who start later are placed
     * again, one after the other by their start: on one node of equal GPUs that always finds places, as whoever starts finds as many GPUs
     * free as are not in use at its start, and who comes later yields.
     *
     * @param start what is free at first
     */
    Placers.Answer find(Ask ask, Placer placer, Cluster start, long from, long until) {
        Placers.Answer beside = Placers.place(placer, window(start, from, until), ask);
        if (beside.isPlaced() && hold(new Hold(ask, from, until, beside.placements()))) {
            return beside;
        }
        if (reserved.subMap(from, false, until, false).isEmpty() || lastFull(from, until, ask.wholeGpus()) != null) {
            return beside.isPlaced() ? Placers.Answer.NONE : beside;
        }
        return again(ask, placer, start, from, until).orElse(beside.isPlaced() ? Placers.Answer.NONE : beside);
    }

    /** Places who starts later again after these pods; nothing changes if one of them would start later still. */
    private Optional<Placers.Answer> again(Ask ask, Placer placer, Cluster start, long from, long until) {
        Placers.Answer anew =
                Placers.place(placer, from > now ? snapshots.floorEntry(from).getValue() : start, ask);
        if (!anew.isPlaced()) {
            return Optional.empty();
        }
        NavigableMap<Long, Cluster> before = new TreeMap<>(snapshots);
        List<Hold> later = new ArrayList<>();
        reserved.tailMap(from, false).values().forEach(later::addAll);
        releaseAll(later);
        Hold hold = new Hold(ask, from, until, anew.placements());
        Stay stay = stays.get(ask.job().name());
        if (hold(hold) && areHeldAgain(later, placer)) {
            gained();
            return Optional.of(anew);
        }
        snapshots.clear();
        snapshots.putAll(before);
        reserved.tailMap(from, false).clear();
        unregister(hold);
        later.forEach(this::note);
        stays.remove(ask.job().name());
        if (stay != null) {
            stays.put(ask.job().name(), stay);
        }
        return Optional.empty();
    }

    private void register(Hold hold) {
        tight.remove(hold.ask().job().name());
        note(hold);
    }

    private void note(Hold hold) {
        reserved.computeIfAbsent(hold.from(), time -> new ArrayList<>()).add(hold);
        reservations.put(hold.ask().job(), hold);
    }

    private void unregister(Hold hold) {
        List<Hold> starting = reserved.getOrDefault(hold.from(), new ArrayList<>());
        starting.remove(hold);
        if (starting.isEmpty()) {
            reserved.remove(hold.from());
        }
        reservations.remove(hold.ask().job());
    }

    private boolean areHeldAgain(List<Hold> holds, Placer placer) {
        for (Hold hold : holds) {
            Placers.Answer again =
                    Placers.place(placer, snapshots.floorEntry(hold.from()).getValue(), hold.ask());
            if (!again.isPlaced() || !hold(new Hold(hold.ask(), hold.from(), hold.until(), again.placements()))) {
                return false;
            }
        }
        return true;
    }

    /** The last time in between at which fewer GPUs are idle than are asked whole: it cannot have started by then. */
    private @Nullable Long lastFull(long from, long until, int gpus) {
        for (Map.Entry<Long, Cluster> snapshot :
                between(from, until).descendingMap().entrySet()) {
            if (snapshot.getValue().totals().idleGpus() < gpus) {
                return snapshot.getKey();
            }
        }
        return null;
    }

    /** Whether GPUs suffice from now on until a time; if not, nobody need look for places. */
    boolean mayStart(Ask ask, long until) {
        for (Cluster snapshot : between(now, until).values()) {
            if (snapshot.totals().idleGpus() < ask.wholeGpus()) {
                return false;
            }
        }
        return true;
    }

    /** Whether GPUs suffice from an earlier time on than what is reserved, if that is given up. */
    boolean mayMoveEarlier(Hold hold) {
        String job = hold.ask().job().name();
        if (!tight.contains(job) && isRoomEarlier(hold)) {
            return true;
        }
        tight.add(job);
        return false;
    }

    private boolean isRoomEarlier(Hold hold) {
        int gpus = hold.ask().wholeGpus();
        long duration = hold.until() - hold.from();
        Long from = snapshots.firstKey();
        while (from != null && from < hold.from()) {
            long until = hold.until() == NEVER ? NEVER : from + duration;
            Long full = lastFull(from, Math.min(until, hold.from()), gpus);
            if (full == null && (until <= hold.until() || lastFull(hold.until(), until, gpus) == null)) {
                return true;
            }
            from = snapshots.higherKey(full == null ? from : full);
        }
        return false;
    }
}
