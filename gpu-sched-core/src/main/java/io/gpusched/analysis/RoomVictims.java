package io.gpusched.analysis;

import io.gpusched.analysis.RoomAreas.Area;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The pods that have to leave so that an area has one unit more: all pods of a node that may move leave, and then come back one after the
 * other as long as the room is still there. So each pod that stays away is needed.
 */
final class RoomVictims {
    private final Predicate<Placement> mayMove;
    private final List<Comparator<Placement>> orders;

    /**
     * @param mayMove which pods may leave
     * @param pods how many pods leave with one
     */
    RoomVictims(Predicate<Placement> mayMove, ToIntFunction<Placement> pods) {
        this.mayMove = mayMove;
        Comparator<Placement> gang = Comparator.comparingInt(pods).reversed();
        Comparator<Placement> gpus =
                Comparator.comparingInt((Placement held) -> held.gpus().size());
        this.orders = List.of(
                gang.thenComparing(gpus.reversed()).thenComparing(Placement::pod),
                gang.thenComparing(gpus).thenComparing(Placement::pod));
    }

    /** Returns the ways to have one unit more: with the large staying, and with the small staying if that is another one. */
    List<List<Placement>> of(Cluster cluster, Area area) {
        List<List<Placement>> ways = new ArrayList<>();
        for (Comparator<Placement> order : orders) {
            List<Placement> way = way(area, area.states(cluster), order);
            if (way != null && !way.isEmpty() && !ways.contains(way)) {
                ways.add(way);
            }
        }
        return ways;
    }

    private @Nullable List<Placement> way(Area area, List<NodeState> states, Comparator<Placement> staying) {
        List<NodeState> now = new ArrayList<>(states);
        List<Optional<List<Placement>>> out = new ArrayList<>();
        now.forEach(node -> out.add(oneMore(area.room(), node, staying)));
        List<Placement> leaving = new ArrayList<>();
        long target = area.room().units(states) + 1;
        while (area.room().units(now) < target) {
            int cheapest = cheapest(out);
            if (cheapest < 0) {
                return null;
            }
            List<Placement> fewest = out.get(cheapest).orElseThrow();
            leaving.addAll(fewest);
            now.set(cheapest, without(now.get(cheapest), fewest));
            out.set(cheapest, oneMore(area.room(), now.get(cheapest), staying));
        }
        return leaving;
    }

    /** The node from which the fewest have to leave, or -1. */
    private static int cheapest(List<Optional<List<Placement>>> out) {
        int cheapest = -1;
        for (int i = 0; i < out.size(); i++) {
            if (out.get(i).isPresent()
                    && (cheapest < 0
                            || out.get(i).get().size()
                                    < out.get(cheapest).orElseThrow().size())) {
                cheapest = i;
            }
        }
        return cheapest;
    }

    private Optional<List<Placement>> oneMore(RoomCounts room, NodeState node, Comparator<Placement> staying) {
        List<Placement> movable = node.placements().stream()
                .filter(held -> mayMove.test(held) && held.gpus().stream().allMatch(node::isHealthy))
                .sorted(staying)
                .toList();
        NodeState now = without(node, movable);
        long target = room.on(node) + 1;
        if (room.on(now) < target) {
            return Optional.empty();
        }
        List<Placement> out = new ArrayList<>();
        for (Placement held : movable) {
            NodeState back = now.with(held);
            if (room.on(back) >= target) {
                now = back;
            } else {
                out.add(held);
            }
        }
        return Optional.of(out);
    }

    private static NodeState without(NodeState node, List<Placement> placements) {
        NodeState now = node;
        for (Placement held : placements) {
            now = now.without(held);
        }
        return now;
    }
}
