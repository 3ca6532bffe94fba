package io.gpusched.analysis;

import io.gpusched.analysis.DefragPlan.Gain;
import io.gpusched.analysis.DefragPlan.Stage;
import io.gpusched.analysis.RoomAreas.Area;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for the stage that buys most for a pod moved. Each area could have one unit more if some pods left it ({@link RoomVictims}); the
 * ways are tried in the order of what they would buy at best, until the best that was found beats all that is left. What a way cost
 * and whether it was refused is remembered until the area changes.
 */
final class RoomSearch {
    private final List<RoomCounts> rooms;
    private final RoomAreas areas;
    private final MoveLimits limits;
    private final AnalysisSteps steps;
    private final GpuScheduler scheduler;
    private final GangIndex gangs;
    private final MoveOrder order;
    private final RoomVictims victims;
    private final Map<Area, Known> known = new HashMap<>();

    /** What is known of an area while its nodes are in these states. */
    private record Known(List<NodeState> states, List<Way> ways) {}

    /** A way to have a unit more in an area. */
    private static final class Way {
        final Area area;
        final List<Placement> victims;

        /** The victims, and now the rest of their groups if these move as a whole. */
        List<Placement> leaving = List.of();

        boolean isRefused;

        Way(Area area, List<Placement> victims) {
            this.area = area;
            this.victims = victims;
        }

        long weight() {
            return area.room().wanted().weight();
        }
    }

    RoomSearch(Cluster cluster, List<WantedRoom> wanted, MoveLimits limits, AnalysisSteps steps) {
        this.rooms = wanted.stream().map(room -> new RoomCounts(room, steps)).toList();
        this.areas = new RoomAreas(cluster, rooms);
        this.limits = limits;
        this.steps = steps;
        this.scheduler =
                steps.count(GpuScheduler.builder().policy(new RoomPolicy(rooms)).build());
        this.gangs = new GangIndex(cluster);
        boolean isRuled = cluster.placements().stream().anyMatch(Placement::concernsOthers);
        this.order = new MoveOrder(scheduler, isRuled, limits.movesWholeGroups());
        this.victims = new RoomVictims(
                this::mayMove, held -> together(cluster, List.of(held)).size());
    }

    private boolean mayMove(Placement held) {
        return Pod.of(held).isPresent() && limits.allows(held);
    }

    private List<Placement> together(Cluster cluster, List<Placement> some) {
        return limits.movesWholeGroups() ? gangs.whole(cluster, some) : some;
    }

    /** Returns how many units there are of each kind of room. */
    List<Long> units(Cluster cluster) {
        Map<RoomCounts, Long> sums = new HashMap<>();
        areas.all().forEach(area -> sums.merge(area.room(), area.units(cluster), Long::sum));
        return rooms.stream().map(room -> sums.getOrDefault(room, 0L)).toList();
    }

    /** Returns the best stage of at most so many pods; nothing if none gains anything. */
    Optional<Stage> best(Cluster cluster, int most) {
        List<Way> ways = new ArrayList<>();
        for (Area area : areas.all()) {
            if (!steps.areLeft()) {
                return Optional.empty();
            }
            ways.addAll(ways(cluster, area));
        }
        ways.removeIf(way -> way.isRefused);
        ways.forEach(way -> way.leaving = together(cluster, way.victims));
        ways.removeIf(way -> way.leaving.size() > most || !way.leaving.stream().allMatch(this::mayMove));
        ways.sort(Comparator.comparingDouble((Way way) -> -(double) way.weight() / way.leaving.size()));
        Stage best = null;
        for (Way way : ways) {
            if (!steps.areLeft() || best != null && !mayBeat(way, best)) {
                break;
            }
            Stage stage = stage(cluster, way, most);
            way.isRefused = stage == null;
            best = stage != null && (best == null || isBetter(stage, best)) ? stage : best;
        }
        return Optional.ofNullable(best);
    }

    /** Returns the stages without moves that can be saved. */
    List<Stage> shortened(Cluster cluster, List<Stage> stages) {
        return new MoveShortcuts(cluster, stages, order, this::gains).taken();
    }

    private List<Way> ways(Cluster cluster, Area area) {
        List<NodeState> states = area.states(cluster);
        Known last = known.get(area);
        if (last == null || !isSame(last.states(), states)) {
            List<Way> ways = victims.of(cluster, area).stream()
                    .map(leaving -> new Way(area, leaving))
                    .toList();
            last = new Known(states, ways);
            known.put(area, last);
        }
        return last.ways();
    }

    @SuppressWarnings("ReferenceEquality") // a node that did not change is the same object
    private static boolean isSame(List<NodeState> some, List<NodeState> others) {
        for (int i = 0; i < some.size(); i++) {
            if (some.get(i) != others.get(i)) {
                return false;
            }
        }
        return true;
    }

    private static boolean mayBeat(Way way, Stage best) {
        return way.weight() * best.pods() > best.value() * way.leaving.size();
    }

    private static boolean isBetter(Stage one, Stage other) {
        return one.value() * other.pods() > other.value() * one.pods();
    }

    /** The stage in which those of a way leave; null if they have no other place, or nothing would be gained. */
    private @Nullable Stage stage(Cluster cluster, Way way, int most) {
        Cluster rest = cluster;
        List<Pod> pods = new ArrayList<>();
        for (Placement held : way.leaving) {
            rest = rest.without(held.pod());
            pods.add(Pod.of(held).orElseThrow());
        }
        List<Placement> to =
                Relocation.of(rest, closed(way), pods, scheduler).placements().orElse(null);
        if (to == null) {
            return null;
        }
        List<Move> moves = order.of(cluster, way.leaving, to);
        Stage stage = new Stage(moves, gains(cluster, moves));
        return stage.value() > 0 && stage.pods() <= most && moves.stream().allMatch(limits::allows) ? stage : null;
    }

    /** The nodes that must be whole; elsewhere pods may find another place beside the room that is made. */
    private static List<String> closed(Way way) {
        WantedRoom wanted = way.area.room().wanted();
        if (wanted.pod().isPresent()) {
            return List.of();
        }
        return wanted.members() == 0
                ? way.area.nodes()
                : way.leaving.stream()
                        .map(Placement::node)
                        .filter(way.area.nodes()::contains)
                        .distinct()
                        .toList();
    }

    private List<Gain> gains(Cluster cluster, List<Move> moves) {
        Cluster after = cluster;
        Set<String> touched = new LinkedHashSet<>();
        for (Move move : moves) {
            after = move.applyTo(after);
            move.from().forEach(held -> touched.add(held.node()));
            move.to().forEach(held -> touched.add(held.node()));
        }
        List<Gain> gains = new ArrayList<>();
        for (Area area : areas.of(touched)) {
            long units = area.units(after) - area.units(cluster);
            if (units != 0) {
                gains.add(new Gain(area.room().wanted(), area.name(), units));
            }
        }
        return gains;
    }
}
