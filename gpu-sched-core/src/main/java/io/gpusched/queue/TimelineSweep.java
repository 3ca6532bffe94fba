package io.gpusched.queue;

import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes the timeline of a session: goes along all times once, at which jobs end and reserved starts begin. */
final class TimelineSweep {
    private final Session session;
    private final Places places;
    private final Predicate<Timeline.Hold> isLost;
    private final NavigableMap<Long, List<Timeline.Hold>> starts = new TreeMap<>();
    private final NavigableMap<Long, List<Moment.Stay>> ends = new TreeMap<>();
    private final List<Long> times = new ArrayList<>();
    private final List<Moment> moments = new ArrayList<>();
    private final List<Timeline.Hold> held = new ArrayList<>();

    private TimelineSweep(Session session, Places places, Predicate<Timeline.Hold> isLost) {
        this.session = session;
        this.places = places;
        this.isLost = isLost;
    }

    /**
     * Returns what is held from now on.
     *
     * @param kept reserved starts that are kept, by start; starts whose places are lost, or whose queue may not hold as much any more, are
     *     left out, and so are the first that is late, or whose places are taken, and all after it
     * @param isLost whether the places of a reserved start are lost, whatever ends
     */
    static Timeline of(Session session, Places places, List<Timeline.Hold> kept, Predicate<Timeline.Hold> isLost) {
        TimelineSweep sweep = new TimelineSweep(session, places, isLost);
        sweep.end();
        sweep.start(kept);
        return sweep.timeline();
    }

    /** What runs, or starts now, ends as planned. */
    private void end() {
        PlanInput input = session.input();
        for (int j = 0; j < input.jobs().size(); j++) {
            JobStatus status = session.status(j);
            if (!status.running().isEmpty() || !status.nominated().isEmpty()) {
                List<Placement> placed = new ArrayList<>(status.running());
                placed.addAll(status.nominated());
                end(Timeline.end(input, j, status), Moment.Stay.of(input, j, placed));
            }
        }
    }

    private void end(long until, Moment.Stay stay) {
        if (until < Timeline.NEVER) {
            ends.computeIfAbsent(until, time -> new ArrayList<>()).add(stay);
        }
    }

    private void start(List<Timeline.Hold> kept) {
        long now = session.input().time();
        if (kept.stream().noneMatch(hold -> hold.from() <= now && !isLost.test(hold))) {
            kept.stream()
                    .filter(hold -> hold.from() > now)
                    .forEach(hold -> starts.computeIfAbsent(hold.from(), time -> new ArrayList<>())
                            .add(hold));
        }
    }

    private Timeline timeline() {
        long time = session.input().time();
        Moment moment = new Moment(session.input(), session.later(), session.held(), session.fixed());
        boolean isFree = true;
        add(time, moment);
        Long next = next(time, isFree);
        while (next != null) {
            for (Moment.Stay stay : ends.getOrDefault(next, List.of())) {
                moment = moment.without(stay);
            }
            List<Timeline.Hold> waiting = new ArrayList<>(starts.getOrDefault(next, List.of()));
            int before;
            do { // one that is to be near others that start at the same time comes after these
                before = waiting.size();
                for (Timeline.Hold hold : List.copyOf(waiting)) {
                    Moment more = isFree ? moment.with(hold.stay()) : null;
                    if (more != null && Timeline.isAdmitted(session.input(), places, more.cluster(), hold)) {
                        moment = more;
                        held.add(hold);
                        waiting.remove(hold);
                        end(hold.until(), hold.stay());
                    } else if (!session.input().job(hold.job()).needsOthers) {
                        isFree = isFree && mayBeLeftOut(hold, moment);
                    }
                }
            } while (waiting.size() < before && isFree && !waiting.isEmpty());
            for (Timeline.Hold hold : waiting) {
                isFree = isFree && mayBeLeftOut(hold, moment);
            }
            add(next, moment);
            next = next(next, isFree);
        }
        held.sort(Timeline.BY_START);
        return new Timeline(
                session.input(),
                places,
                times.stream().mapToLong(value -> value).toArray(),
                moments.toArray(new Moment[0]),
                held);
    }

    /** Whether a start without room does not keep those after it from theirs: its places are lost, or its queue may not hold them. */
    private boolean mayBeLeftOut(Timeline.Hold hold, Moment moment) {
        return isLost.test(hold) || !moment.isWithinQuotas(hold.stay());
    }

    private void add(long time, Moment moment) {
        times.add(time);
        moments.add(moment);
    }

    private @Nullable Long next(long time, boolean isFree) {
        Long start = isFree ? starts.higherKey(time) : null;
        Long end = ends.higherKey(time);
        return start == null ? end : end == null ? start : Long.valueOf(Math.min(start, end));
    }
}
