package io.gpusched.internal.cycle;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.CyclePass;
import io.gpusched.internal.shapes.Region;
import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Jobs start in cells that their queues own: where there is room; else by evicting those who run there opportunistically; else in other cells, if
 * jobs of lower priority in the same queue run opportunistically from now on; else by evicting these. Each time the cells that the queue uses are tried first, then with the smallest of
 * those that it is promised, and so on. A job that finds no room may still start elsewhere opportunistically.
 */
final class GuaranteePass {
    private final Cycle cycle;
    private final Shapes shapes;
    private final Victims rules;
    private boolean frees;

    /** Where a request has room in cells. */
    private record Found(Region region, List<Placement> placements) {}

    GuaranteePass(Cycle cycle) {
        this.cycle = cycle;
        this.shapes = cycle.shapes;
        this.rules = new Victims(cycle.settings.victimOrder(), cycle.resources);
    }

    /** Returns whether somebody left, or gave up cells: that may leave more than was needed. */
    boolean run() {
        if (shapes.isNone()) {
            return false;
        }
        cycle.reservations.serve(cycle.fairOrder(), ask -> FairOrder.Answer.of(decide(ask)));
        return frees;
    }

    private boolean decide(Ask ask) {
        JobState job = ask.job();
        boolean isAsked = shapes.isEntitled(job)
                && (job.isGuaranteed() || job.placedCount() == 0)
                && cycle.queues.forbids(job.queue, ask.asked(), ask.isFixed(), Certainty.PROVEN) == null;
        if (!isAsked) {
            return false;
        }
        List<Region> regions = shapes.regions(ask);
        boolean isPlaced = place(ask, regions, cycle.snapshots.idle())
                || cycle.snapshots.isApart() && place(ask, regions, cycle.snapshots.later());
        if (isPlaced || cycle.isDelayed(job)) {
            return isPlaced;
        }
        return evict(ask, regions, false) || placeInstead(ask) || evict(ask, regions, true);
    }

    private boolean place(Ask ask, List<Region> regions, Cluster cluster) {
        Found found = find(ask, regions, cluster);
        if (found != null) {
            start(ask, found.region(), found.placements());
        }
        return found != null;
    }

    private @Nullable Found find(Ask ask, List<Region> regions, Cluster cluster) {
        for (Region region : regions) {
            Placers.Answer answer = Placers.place(cycle.placers.probe(), region.only(cluster), ask);
            if (answer.isPlaced() && cycle.overQuota(ask, answer.placements()) == null) {
                return new Found(region, answer.placements());
            }
        }
        return null;
    }

    /** Jobs of lower priority give up their cells, the lowest first, and go on opportunistically; the request starts in others. */
    private boolean placeInstead(Ask ask) {
        List<JobState> lower = cycle.jobs.stream()
                .filter(job -> isLower(job, ask) && job.nominated.isEmpty() && !shapes.stays(job))
                .sorted(Comparator.comparingInt(job -> job.job.priority()))
                .limit(cycle.settings.victimProbes())
                .toList();
        Set<JobState> without = new LinkedHashSet<>();
        for (JobState job : lower) {
            without.add(job);
            Found found = findWithout(ask, without);
            if (found != null) {
                startWithout(ask, without, found);
                return true;
            }
        }
        return false;
    }

    private @Nullable Found findWithout(Ask ask, Set<JobState> without) {
        return find(ask, shapes.regions(ask, without), cycle.snapshots.idle());
    }

    /** Those keep their cells beside whom there is a place as well, the highest priority first. */
    private void startWithout(Ask ask, Set<JobState> without, Found first) {
        Found found = first;
        List<JobState> highestFirst = new ArrayList<>(without);
        Collections.reverse(highestFirst);
        for (JobState job : highestFirst) {
            without.remove(job);
            Found beside = without.isEmpty() ? null : findWithout(ask, without);
            if (beside == null) {
                without.add(job);
            } else {
                found = beside;
            }
        }
        start(ask, found.region(), found.placements());
        without.forEach(other -> cycle.runsIn(other, Set.of()));
        frees = true;
    }

    private static boolean isLower(JobState job, Ask ask) {
        return job.isGuaranteed()
                && job.queue == ask.job().queue
                && job.job.priority() < ask.job().job.priority();
    }

    private void start(Ask ask, Region region, List<Placement> placements) {
        shapes.enter(ask.job(), region, placements);
        cycle.admit(ask, placements, CyclePass.GUARANTEE);
    }

    private boolean evict(Ask ask, List<Region> regions, boolean isOfOwn) {
        for (Region region : regions) {
            List<Victim> victims = victims(ask, region, isOfOwn);
            RoomByEviction.Solution solution = victims.isEmpty()
                    ? null
                    : new RoomByEviction(cycle, region).fewest(ask, new AnyVictims(victims, (out, in) -> null));
            if (solution != null && solution.reason() == null) {
                solution.victims().forEach(victim -> evict(victim, ask));
                frees = true;
                start(ask, region, solution.placements());
                return true;
            }
        }
        return false;
    }

    private void evict(Victim victim, Ask ask) {
        List<Placement> running = new ArrayList<>();
        for (Placement placement : victim.placements()) {
            if (victim.job().nominated.containsKey(placement.pod())) {
                cycle.withdraw(victim.job(), placement, CyclePass.GUARANTEE);
            } else {
                running.add(placement);
            }
        }
        cycle.evict(victim.job(), running, Optional.of(ask.job().name()), CyclePass.GUARANTEE);
    }

    /** Who may leave these cells, the cheapest first: those who run there opportunistically, then those of the own queue. */
    private List<Victim> victims(Ask ask, Region region, boolean isOfOwn) {
        List<Victim> chance = new ArrayList<>();
        List<Victim> own = new ArrayList<>();
        for (JobState job : cycle.jobs) {
            if (job == ask.job()
                    || shapes.stays(job)
                    || job.placed().stream().noneMatch(placement -> region.touches(placement.node()))) {
                continue;
            }
            if (!job.isGuaranteed()) {
                chance.addAll(rules.whole(job, cycle.snapshots.later()));
            } else if (isOfOwn && isLower(job, ask)) {
                own.addAll(rules.whole(job, cycle.snapshots.later()));
            }
        }
        chance.sort(rules::compare);
        own.sort(rules::compare);
        chance.addAll(own);
        return chance;
    }
}
