package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is held from now on, as far as it is known when jobs end: a snapshot, and what the queues hold, for each time at which something
 * changes. A value: each method returns another timeline.
 *
 * <p>Jobs that run end as planned; one that has exceeded that is taken to run on for as long as it has exceeded it. A reserved start holds
 * its places from its start to its end. A job that starts must find its places free for as long as it runs, and its queue within its
 * limits; so it delays no start that is reserved. See D. Feitelson, A. Weil, "Utilization and predictability in scheduling the IBM SP2
 * with backfilling", 1998.
 *
 * <p>Snapshots share what does not change, so one costs what changes.
 */
final class Timeline {
    static final long NEVER = Long.MAX_VALUE;

    /** A reserved start: what the members of a job will hold from one time until another. */
    record Hold(Request request, long from, long until, List<Placement> placements) {
        int job() {
            return request.job();
        }

        Moment.Stay stay() {
            return new Moment.Stay(request.job(), placements, placements);
        }
    }

    /**
     * A timeline with places that were found in it.
     *
     * @param limit the limit that the places which were found first would exceed; null if there is none
     * @param limitAt when
     */
    record Placing(
            Timeline timeline, Places.Found found, @Nullable PendingReason limit, long limitAt) {
        private static Placing of(Timeline timeline, Places.Found found) {
            return new Placing(timeline, found, null, NEVER);
        }
    }

    static final Comparator<Hold> BY_START =
            Comparator.comparingLong(Hold::from).thenComparingInt(Hold::job);

    private final PlanInput input;
    private final Places places;
    private final long now;
    private final long[] times;
    private final Moment[] moments;
    /** The reserved starts, by start. */
    private final List<Hold> holds;

    Timeline(PlanInput input, Places places, long[] times, Moment[] moments, List<Hold> holds) {
        this.input = input;
        this.places = places;
        this.now = input.time();
        this.times = times;
        this.moments = moments;
        this.holds = holds;
    }

    /** When a job ends that runs, or starts now. */
    static long end(PlanInput input, int job, JobStatus status) {
        long started =
                status.running().isEmpty() ? input.time() : status.started().orElse(input.time());
        long end = plus(started, input.job(job).job.spec().plannedDuration());
        return end > input.time() ? end : plus(input.time(), OptionalLong.of(Math.max(1, input.time() - end)));
    }

    /** When a job ends if all of it starts at a time. */
    static long endFrom(PlanInput input, int job, long start) {
        return plus(start, input.job(job).job.spec().plannedDuration());
    }

    private static long plus(long start, OptionalLong duration) {
        long end = duration.isPresent() ? start + duration.getAsLong() : NEVER;
        return end < start ? NEVER : Math.max(end, start + 1);
    }

    /** When what is requested ends if it starts now. */
    private long endOf(Request request, JobStatus status) {
        return request.isMinimum() ? endFrom(input, request.job(), now) : end(input, request.job(), status);
    }

    private int index(long time) {
        int at = Arrays.binarySearch(times, time);
        return at >= 0 ? at : -at - 2;
    }

    /** Returns this timeline with a moment at a time. */
    private Timeline divided(long time) {
        int at = index(time);
        if (time == NEVER || at >= 0 && times[at] == time) {
            return this;
        }
        long[] moreTimes = new long[times.length + 1];
        Moment[] moreMoments = new Moment[times.length + 1];
        System.arraycopy(times, 0, moreTimes, 0, at + 1);
        System.arraycopy(moments, 0, moreMoments, 0, at + 1);
        moreTimes[at + 1] = time;
        moreMoments[at + 1] = moments[at];
        System.arraycopy(times, at + 1, moreTimes, at + 2, times.length - at - 1);
        System.arraycopy(moments, at + 1, moreMoments, at + 2, times.length - at - 1);
        return new Timeline(input, places, moreTimes, moreMoments, holds);
    }

    /** Returns this timeline with places held, or null if they are not free all along. */
    private @Nullable Timeline put(Moment.Stay stay, long from, long until) {
        Timeline divided = divided(from).divided(until);
        Moment[] changed = divided.moments.clone();
        for (int at = divided.index(from); at < changed.length && divided.times[at] < until; at++) {
            Moment more = changed[at].with(stay);
            if (more == null) {
                return null;
            }
            changed[at] = more;
        }
        Timeline put = new Timeline(input, places, divided.times, changed, holds);
        return put.areAdmitted(stay, from, until) ? put : null;
    }

    /** Whether no rule between pods forbids what starts at a time, nor any of the starts that are reserved for later, up to a time. */
    private boolean areAdmitted(Moment.Stay stay, long from, long until) {
        int job = stay.job();
        Cluster then = moments[index(from)].cluster();
        if (input.job(job).needsOthers
                && !places.admits(Places.View.FORECAST, then, input.job(job), stay.placements())) {
            return false;
        }
        for (Hold hold : input.isRuled() ? holds : List.<Hold>of()) {
            boolean isRuled = input.job(job).isRuled || input.job(hold.job()).isRuled;
            if (isRuled
                    && hold.from >= from
                    && hold.from < until
                    && !isAdmitted(input, places, moments[index(hold.from)].cluster(), hold)) {
                return false;
            }
        }
        return true;
    }

    /** Whether each start that must be near others still has them. */
    private boolean haveOthers() {
        return holds.stream()
                .noneMatch(hold -> input.job(hold.job()).needsOthers
                        && !isAdmitted(input, places, moments[index(hold.from)].cluster(), hold));
    }

    private Timeline free(Hold hold) {
        Moment[] changed = moments.clone();
        for (int at = Math.max(0, index(hold.from)); at < changed.length && times[at] < hold.until; at++) {
            changed[at] = changed[at].without(hold.stay());
        }
        return new Timeline(input, places, times, changed, holds);
    }

    /** Returns this timeline with a start reserved, or null if its places are not free all along. */
    @Nullable
    Timeline reserved(Hold hold) {
        Timeline put = put(hold.stay(), hold.from, hold.until);
        if (put == null) {
            return null;
        }
        List<Hold> more = new ArrayList<>(holds);
        int at = Collections.binarySearch(more, hold, BY_START);
        more.add(at >= 0 ? at : -at - 1, hold);
        return new Timeline(input, places, put.times, put.moments, more);
    }

    /** As {@link #reserved} for a start that an earlier plan reserved: nodes, labels and rules may have changed since. */
    @Nullable
    Timeline kept(Hold hold) {
        Timeline put = reserved(hold);
        return put != null && isAdmitted(input, places, put.moments[put.index(hold.from)].cluster(), hold) ? put : null;
    }

    /** Whether a reserved start would have its places on a snapshot, as new pods would be asked. */
    static boolean isAdmitted(PlanInput input, Places places, Cluster cluster, Hold hold) {
        return places.admits(Places.View.FORECAST, cluster, input.job(hold.job()), hold.placements);
    }

    /** Returns this timeline without a reserved start. */
    Timeline without(Hold hold) {
        Timeline freed = free(hold);
        List<Hold> fewer = new ArrayList<>(holds);
        fewer.remove(hold);
        return new Timeline(input, places, freed.times, freed.moments, fewer);
    }

    /** Returns what is reserved for a job; null if nothing is. */
    @Nullable
    Hold reservation(int job) {
        for (Hold hold : holds) {
            if (hold.job() == job) {
                return hold;
            }
        }
        return null;
    }

    /** All reserved starts, by start. */
    List<Hold> holds() {
        return holds;
    }

    /** The job with the first reserved start but for one; -1 if there is none. */
    int firstReserved(int except) {
        for (Hold hold : holds) {
            if (hold.job() != except) {
                return hold.job();
            }
        }
        return -1;
    }

    /** Returns this timeline once members of a job have come and gone now; null if that delays a reserved start. */
    @Nullable
    Timeline follow(int job, JobStatus status, List<Placement> gone, List<Placement> come) {
        Hold own = come.isEmpty() ? null : reservation(job);
        Timeline next = own == null ? this : without(own);
        if (!gone.isEmpty()) {
            Moment[] changed = next.moments.clone();
            for (int at = 0; at < changed.length; at++) {
                Moment moment = changed[at];
                List<Placement> there = gone.stream()
                        .filter(placement -> Snapshots.holds(moment.cluster(), placement))
                        .toList();
                changed[at] = there.isEmpty() ? moment : moment.without(new Moment.Stay(job, there, List.of()));
            }
            next = new Timeline(input, places, times, changed, next.holds);
        }
        Timeline follows = next;
        if (!come.isEmpty()) {
            int others = status.running().size() + status.nominated().size() - come.size();
            boolean isMinimum = others < input.job(job).job.group().minMember();
            Moment.Stay stay = new Moment.Stay(job, come, isMinimum ? come : List.of());
            follows = next.put(stay, now, end(input, job, status));
        }
        return follows == null || input.isRuled() && !follows.haveOthers() ? null : follows;
    }

    /**
     * Finds places for what is requested to start now and run as long as planned, so that each reserved start keeps its time.
     *
     * @param start what is free now
     */
    Placing start(Request request, JobStatus status, Cluster start) {
        long until = endOf(request, status);
        return find(request, start, now, until);
    }

    /** Whether GPUs suffice from now on for as long as what is requested runs; if not, no search is needed. */
    boolean mayStart(Request request, JobStatus status) {
        return lastFull(now, endOf(request, status), request.wholeGpus()) < 0;
    }

    /** Whether GPUs suffice now, however short it runs. */
    boolean hasGpusNow(Request request) {
        return lastFull(now, now + 1, request.wholeGpus()) < 0;
    }

    /** Whether places are reserved that what is requested would find taken if it started now. */
    boolean isReservedMeanwhile(Request request, JobStatus status) {
        return !holds.isEmpty() && holds.get(0).from < endOf(request, status);
    }

    /**
     * Reserves places for the minimum of a job from the earliest time on at which it finds them for as long as it runs.
     *
     * @param before only times before this one are tried
     * @return null if there are none
     */
    @Nullable
    Timeline reserve(Request request, long before) {
        int at = 1;
        while (at < times.length && times[at] < before) {
            long from = times[at];
            long until = endFrom(input, request.job(), from);
            int full = lastFull(from, until, request.wholeGpus());
            if (full < 0) {
                Placing placing = find(request, moments[at].cluster(), from, until);
                if (placing.found.isPlaced()) {
                    return placing.timeline.reserved(new Hold(request, from, until, placing.found.placements()));
                }
            }
            at = Math.max(at, full) + 1;
        }
        return null;
    }

    /**
     * Finds places that stay free from one time until another, so that each reserved start keeps its time.
     *
     * <p>First beside the places that are reserved. If there are none, and GPUs would suffice all along, the starts that are reserved for
     * later are placed again, one after the other: on one node of equal GPUs that always succeeds, as a start finds as many GPUs free as
     * are not in use then.
     */
    private Placing find(Request request, Cluster start, long from, long until) {
        Places.Found beside = places.find(Places.View.FORECAST, window(start, from, until), request, job(request));
        if (beside.isPlaced() && put(stay(request, beside.placements()), from, until) != null) {
            return Placing.of(this, beside);
        }
        boolean isCertain = holds.stream().noneMatch(hold -> hold.from > from && hold.from < until)
                || lastFull(from, until, request.wholeGpus()) >= 0;
        Placing again = isCertain ? null : again(request, start, from, until);
        if (again != null) {
            return again;
        }
        return beside.isPlaced() ? notPut(stay(request, beside.placements()), from, until) : Placing.of(this, beside);
    }

    private Placing notPut(Moment.Stay stay, long from, long until) {
        for (int at = index(from); at < times.length && times[at] < until; at++) {
            PendingReason limit = moments[at].overLimit(stay);
            if (limit != null) {
                return new Placing(this, Places.Found.NONE, limit, times[at]);
            }
        }
        return Placing.of(this, Places.Found.NONE);
    }

    private static Moment.Stay stay(Request request, List<Placement> placed) {
        return new Moment.Stay(request.job(), placed, request.isMinimum() ? placed : List.of());
    }

    private JobFacts job(Request request) {
        return input.job(request.job());
    }

    /** Places what starts later again beside these pods; null if that delays a start. */
    private @Nullable Placing again(Request request, Cluster start, long from, long until) {
        Places.Found found = places.find(Places.View.FORECAST, start, request, job(request));
        if (!found.isPlaced()) {
            return null;
        }
        List<Hold> later = holds.stream().filter(hold -> hold.from > from).toList();
        Timeline timeline = withoutAll(later);
        Hold own = new Hold(request, from, until, found.placements());
        timeline = timeline.put(own.stay(), from, until);
        for (Hold hold : later) {
            Places.Found again = timeline == null
                    ? Places.Found.NONE
                    : places.find(
                            Places.View.FORECAST,
                            timeline.moments[timeline.index(hold.from)].cluster(),
                            hold.request,
                            job(hold.request));
            timeline = timeline == null || !again.isPlaced()
                    ? null
                    : timeline.reserved(new Hold(hold.request, hold.from, hold.until, again.placements()));
        }
        return timeline == null ? null : Placing.of(timeline.free(own), found);
    }

    /** Gives up several reserved starts, and changes each snapshot once. */
    private Timeline withoutAll(List<Hold> gone) {
        Moment[] changed = moments.clone();
        for (int at = 0; at < changed.length; at++) {
            long time = times[at];
            for (Hold hold : gone) {
                if (hold.from <= time && time < hold.until) {
                    changed[at] = changed[at].without(hold.stay());
                }
            }
        }
        Set<Hold> set = Collections.newSetFromMap(new IdentityHashMap<>());
        set.addAll(gone);
        List<Hold> left = holds.stream().filter(hold -> !set.contains(hold)).toList();
        return new Timeline(input, places, times, changed, left);
    }

    /** The snapshot of a time with all that is reserved until another time, as what is requested must fit beside it all along. */
    private Cluster window(Cluster start, long from, long until) {
        Map<String, List<Placement>> later = new TreeMap<>();
        for (Hold hold : holds) {
            if (hold.from > from && hold.from < until) {
                hold.placements.forEach(placement -> later.computeIfAbsent(placement.node(), node -> new ArrayList<>())
                        .add(placement));
            }
        }
        if (later.isEmpty()) {
            return start;
        }
        List<Cluster> then = new ArrayList<>();
        for (int at = index(from) + 1; at < times.length && times[at] < until; at++) {
            then.add(moments[at].cluster());
        }
        Cluster window = start;
        for (Map.Entry<String, List<Placement>> node : later.entrySet()) {
            Cluster beside = Snapshots.with(window, node.getValue());
            window = beside != null ? beside : Covered.of(window, node.getKey(), node.getValue(), then);
        }
        return window;
    }

    /** The last moment in between at which fewer GPUs are idle than are requested whole, or -1: a start has to come after it. */
    private int lastFull(long from, long until, int gpus) {
        for (int at = last(until); at >= 0 && at >= index(from); at--) {
            if (moments[at].cluster().totals().idleGpus() < gpus) {
                return at;
            }
        }
        return -1;
    }

    /** The last moment before a time. */
    private int last(long until) {
        return until == NEVER ? times.length - 1 : index(until - 1);
    }

    /** Whether GPUs suffice from an earlier time on than what is reserved, if that is given up. */
    boolean mayMoveEarlier(Hold hold) {
        int gpus = hold.request.wholeGpus();
        int at = 0;
        while (at < times.length && times[at] < hold.from) {
            long until = hold.until == NEVER ? NEVER : times[at] + hold.until - hold.from;
            int full = lastFull(times[at], Math.min(until, hold.from), gpus);
            if (full < 0 && (until <= hold.until || lastFull(hold.until, until, gpus) < 0)) {
                return true;
            }
            at = Math.max(at, full) + 1;
        }
        return false;
    }

    /** Which reserved starts are certain: all that has to end before has an upper bound of its run time, and none of it terminates. */
    Set<Hold> certain(Session session) {
        long firstEstimate = NEVER;
        Set<String> ending = new HashSet<>();
        for (int j = 0; j < input.jobs().size(); j++) {
            JobStatus status = session.status(j);
            status.terminating().forEach(placement -> ending.add(placement.node()));
            if (!status.running().isEmpty() || !status.nominated().isEmpty()) {
                OptionalLong most = input.job(j).job.spec().maxDuration();
                boolean isBound = status.nominated().isEmpty()
                        && most.isPresent()
                        && plus(status.started().orElse(now), most) > now;
                firstEstimate = isBound ? firstEstimate : Math.min(firstEstimate, end(input, j, status));
            }
        }
        Set<Hold> certain = new HashSet<>();
        for (Hold hold : holds) {
            boolean isFree = hold.placements.stream().noneMatch(placement -> ending.contains(placement.node()));
            if (hold.from < firstEstimate && isFree) {
                certain.add(hold);
            }
            if (!certain.contains(hold)
                    || input.job(hold.job()).job.spec().maxDuration().isEmpty()) {
                firstEstimate = Math.min(firstEstimate, hold.until);
            }
        }
        return certain;
    }

    /** The first job that ends at each time, among jobs that run, are to start, or have a start reserved. */
    Map<Long, Integer> ends(Session session) {
        Map<Long, Integer> ends = new TreeMap<>();
        for (int j = 0; j < input.jobs().size(); j++) {
            JobStatus status = session.status(j);
            if (!status.running().isEmpty() || !status.nominated().isEmpty()) {
                ends.putIfAbsent(end(input, j, status), j);
            }
        }
        holds.forEach(hold -> ends.putIfAbsent(hold.until, hold.job()));
        return ends;
    }
}
