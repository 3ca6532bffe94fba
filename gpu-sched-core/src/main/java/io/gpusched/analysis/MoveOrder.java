package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * Puts moves into an order in which each can be made once those before it have been made: its room is free, and where pods look at others
 * its rules are met. Pods move one by one where that works; else the members of a group at one time, and in the end all that is left.
 */
final class MoveOrder {
    private final GpuScheduler scheduler;
    private final boolean isRuled;
    private final boolean movesWholeGroups;

    /**
     * @param isRuled whether any pod looks at others
     * @param movesWholeGroups whether members of a group move at one time in any case
     */
    MoveOrder(GpuScheduler scheduler, boolean isRuled, boolean movesWholeGroups) {
        this.scheduler = scheduler;
        this.isRuled = isRuled;
        this.movesWholeGroups = movesWholeGroups;
    }

    /** Returns the moves that take pods from some placements to others; a pod that stays where it is has none. */
    List<Move> of(Cluster cluster, List<Placement> from, List<Placement> to) {
        Map<PodId, Placement> next = new HashMap<>();
        to.forEach(placement -> next.put(placement.pod(), placement));
        List<Move> left = new ArrayList<>();
        for (Placement held : from) {
            Placement place = Objects.requireNonNull(next.get(held.pod()), "new place");
            if (!held.equals(place)) {
                left.add(new Move(List.of(held), List.of(place)));
            }
        }
        left = movesWholeGroups ? merged(left, MoveOrder::gang) : left;
        List<Move> ordered = new ArrayList<>();
        Cluster now = takeAll(cluster, left, ordered);
        left = merged(left, MoveOrder::gang);
        takeAll(now, left, ordered);
        ordered.addAll(merged(left, any -> ""));
        return ordered;
    }

    private static Object gang(Placement held) {
        return held.group()
                .<Object>map(group -> GangIndex.key(held.pod(), group))
                .orElse(held.pod());
    }

    private static List<Move> merged(List<Move> moves, Function<Placement, Object> key) {
        Map<Object, List<Move>> byKey = new LinkedHashMap<>();
        moves.forEach(move -> byKey.computeIfAbsent(key.apply(move.from().get(0)), any -> new ArrayList<>())
                .add(move));
        List<Move> merged = new ArrayList<>();
        byKey.values()
                .forEach(together -> merged.add(new Move(
                        together.stream().flatMap(move -> move.from().stream()).toList(),
                        together.stream().flatMap(move -> move.to().stream()).toList())));
        return merged;
    }

    /** Takes moves that can be made from the list, as long as there are any; returns the cluster with them made. */
    private Cluster takeAll(Cluster cluster, List<Move> left, List<Move> ordered) {
        Cluster now = cluster;
        int size;
        do {
            size = left.size();
            for (Iterator<Move> each = left.iterator(); each.hasNext(); ) {
                Move move = each.next();
                Optional<Cluster> after = made(now, move);
                if (after.isPresent()) {
                    now = after.get();
                    ordered.add(move);
                    each.remove();
                }
            }
        } while (left.size() < size);
        return now;
    }

    /** Returns the cluster with a move made; nothing if it cannot be made, since another has to be first. */
    Optional<Cluster> made(Cluster cluster, Move move) {
        try {
            return isRuled ? ruled(cluster, move) : Optional.of(move.applyTo(cluster));
        } catch (PlacementConflictException e) {
            return Optional.empty();
        }
    }

    private Optional<Cluster> ruled(Cluster cluster, Move move) {
        Cluster now = cluster;
        for (Placement held : move.from()) {
            now = now.without(held.pod());
        }
        for (Placement place : move.to()) {
            Pod pod = Pod.of(place).orElseThrow();
            if (scheduler.whyNot(now, place.node(), pod).isPresent()) {
                return Optional.empty();
            }
            now = now.with(place);
        }
        return Optional.of(now);
    }
}
