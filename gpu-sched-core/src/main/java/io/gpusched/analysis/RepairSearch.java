package io.gpusched.analysis;

import io.gpusched.decision.GroupDecision;
import io.gpusched.decision.GroupPlaced;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.BinPack;
import io.gpusched.schedule.GpuScheduler;
import io.gpusched.workload.Pod;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Empties one GPU or node: all pods together, then with the rest of their groups, then one by one with others making room. */
final class RepairSearch {
    private final Cluster broken;
    private final List<String> closed;
    private final MoveLimits limits;
    private final AnalysisSteps steps;
    private final GpuScheduler scheduler;
    private final GangIndex gangs;
    private final MoveOrder order;

    /** By pod where it is now and where it goes, in the order in which that was found. */
    private final Map<PodId, Placement> from = new LinkedHashMap<>();

    private final Map<PodId, Placement> to = new LinkedHashMap<>();
    private final List<Drain.Obstacle> obstacles = new ArrayList<>();
    private final List<PodId> kept = new ArrayList<>();
    private final Set<PodId> fixed = new HashSet<>();

    RepairSearch(Cluster broken, List<String> closed, MoveLimits limits, AnalysisSteps steps) {
        this.broken = broken;
        this.closed = closed;
        this.limits = limits;
        this.steps = steps;
        this.scheduler = steps.count(
                GpuScheduler.builder().policy(BinPack.of()).memory(0).build());
        this.gangs = new GangIndex(broken);
        boolean isRuled = broken.placements().stream().anyMatch(Placement::concernsOthers);
        this.order = new MoveOrder(scheduler, isRuled, limits.movesWholeGroups());
    }

    Repair empty(String node, OptionalInt gpu, List<Placement> affected) {
        List<Placement> leaving = leaving(affected);
        List<Move> moves = moves(leaving);
        List<PodId> tooMany = tooMany(moves);
        while (!tooMany.isEmpty()) {
            Set<PodId> staying = Set.copyOf(tooMany);
            affected.stream().map(Placement::pod).filter(staying::contains).forEach(kept::add);
            leaving.removeIf(held -> staying.contains(held.pod()));
            fixed.addAll(staying);
            moves = moves(leaving);
            tooMany = tooMany(moves);
        }
        Cluster after = broken;
        for (Move move : moves) {
            after = move.applyTo(after);
        }
        return new Repair(node, gpu, moves, obstacles, kept, after, steps.extent());
    }

    /** The pods that may leave, with their groups if these move as a whole; takes note of the others. */
    private List<Placement> leaving(List<Placement> affected) {
        Set<Placement> leaving = new LinkedHashSet<>();
        for (Placement held : affected) {
            List<Placement> with = limits.movesWholeGroups() ? gangs.whole(broken, List.of(held)) : List.of(held);
            if (Pod.of(held).isEmpty()) {
                obstacles.add(new Drain.Obstacle(List.of(held.pod()), Optional.empty()));
            } else if (with.stream().allMatch(this::mayMove)) {
                leaving.addAll(with);
            } else {
                kept.add(held.pod());
            }
        }
        return new ArrayList<>(leaving);
    }

    private List<Move> moves(List<Placement> leaving) {
        from.clear();
        to.clear();
        if (!leaving.isEmpty() && !moveTogether(leaving) && !moveTogether(gangs.whole(broken, leaving))) {
            moveOneByOne(leaving);
        }
        return order.of(broken, List.copyOf(from.values()), List.copyOf(to.values()));
    }

    /** The pods that would be away at one time, by a move or by all moves, beyond what a budget allows. */
    private List<PodId> tooMany(List<Move> moves) {
        if (from.size() > limits.most()) {
            return List.copyOf(from.keySet());
        }
        return moves.stream()
                .filter(move -> !limits.allows(move))
                .findFirst()
                .map(Move::pods)
                .orElse(List.of());
    }

    private boolean mayMove(Placement held) {
        return Pod.of(held).isPresent() && limits.allows(held) && !fixed.contains(held.pod());
    }

    private boolean moveTogether(List<Placement> leaving) {
        if (!leaving.stream().allMatch(this::mayMove)) {
            return false;
        }
        Relocation relocation = Relocation.of(without(leaving), closed, pods(leaving), scheduler);
        relocation.placements().ifPresent(placements -> {
            leaving.forEach(held -> from.put(held.pod(), held));
            placements.forEach(place -> to.put(place.pod(), place));
        });
        return relocation.placements().isPresent();
    }

    private static List<Pod> pods(List<Placement> placements) {
        return placements.stream().map(held -> Pod.of(held).orElseThrow()).toList();
    }

    private Cluster without(List<Placement> leaving) {
        ClusterBatch batch = broken.batch();
        leaving.forEach(held -> batch.release(held.pod()));
        return batch.build();
    }

    /** Pods that are refused stay where they are, and the others are placed around them. */
    private void moveOneByOne(List<Placement> leaving) {
        List<Placement> left = new ArrayList<>(leaving);
        Optional<PodGroup> refused;
        do {
            from.clear();
            to.clear();
            refused = left.isEmpty() ? Optional.empty() : firstRefused(left);
            refused.ifPresent(group -> {
                List<PodId> pods = group.pods().stream().map(Pod::id).toList();
                left.removeIf(held -> pods.contains(held.pod()));
            });
        } while (refused.isPresent());
    }

    /** Places one after the other until one is refused. */
    private Optional<PodGroup> firstRefused(List<Placement> left) {
        Relocation all = Relocation.of(without(left), closed, pods(left), scheduler);
        Cluster now = all.others();
        for (PodGroup group : all.groups().each()) {
            GroupDecision decision = scheduler.schedule(now, group);
            List<Move> room = List.of();
            if (decision instanceof Unschedulable refusal) {
                room = room(now, group, left);
                for (Move move : room) {
                    now = move.applyTo(now);
                }
                decision = room.isEmpty() ? decision : scheduler.schedule(now, group);
                if (!decision.isPlaced()) {
                    List<PodId> pods = group.pods().stream().map(Pod::id).toList();
                    obstacles.add(new Drain.Obstacle(pods, Optional.of(refusal)));
                    return Optional.of(group);
                }
            }
            List<Placement> places = all.groups().ofTheirGroups(((GroupPlaced) decision).placements());
            now = now.withAll(places);
            room.forEach(this::note);
            for (Placement place : places) {
                from.put(place.pod(), broken.placement(place.pod()).orElseThrow());
                to.put(place.pod(), place);
            }
        }
        return Optional.empty();
    }

    /** Moves of others so that a pod has room; none if that does not help. */
    private List<Move> room(Cluster now, PodGroup group, List<Placement> left) {
        if (group.pods().size() > 1) {
            return List.of();
        }
        MoveLimits others = limits.keeping(held -> to.containsKey(held.pod()) || fixed.contains(held.pod()));
        return new MovesForPod(
                        now,
                        group.pods().get(0),
                        others.upTo(limits.most() - left.size()),
                        gangs,
                        order,
                        steps,
                        scheduler)
                .find();
    }

    private void note(Move move) {
        move.from().forEach(held -> from.putIfAbsent(held.pod(), held));
        move.to().forEach(place -> to.put(place.pod(), place));
    }
}
