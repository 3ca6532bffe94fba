package io.gpusched.internal.cycle;

import io.gpusched.decision.CyclePass;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterBatch;
import io.gpusched.model.Placement;
import io.gpusched.workload.PodGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Running jobs move so that a pending one finds room: as if they left for it, but each of them must find another place. */
final class ConsolidatePass {
    private final Cycle cycle;
    private final RoomByEviction room;
    private final Victims order;
    private final Refusals refusals = new Refusals();
    private @Nullable List<Victim> movable;

    ConsolidatePass(Cycle cycle) {
        this.cycle = cycle;
        this.room = new RoomByEviction(cycle);
        this.order = new Victims(cycle);
    }

    /** New places of those who leave. */
    private record Moves(List<Victim> victims, Map<Victim, List<Placement>> places) {}

    void run() {
        FairOrder fair = cycle.fairOrder();
        boolean more = true;
        while (more) {
            more = fair.serve(this::decide);
        }
    }

    private boolean decide(Ask ask) {
        boolean isOutOfQuestion = cycle.isDelayed(ask.job())
                || cycle.queues.forbids(ask.job().queue, ask.asked(), ask.isFixed()) != null
                || room.lacks(ask, new long[cycle.resources.size()])
                || refusals.find(ask) != null;
        return !isOutOfQuestion && consolidate(ask);
    }

    private boolean consolidate(Ask ask) {
        RoomByEviction.Solution solution = room.solve(ask, new AnyVictims(movable()));
        Moves moves = solution.reason() == null ? moved(solution) : null;
        if (moves == null) {
            if (ask.job().reason != null) {
                refusals.add(ask, ask.job().reason);
            }
            return false;
        }
        for (Victim victim : moves.victims()) {
            List<Placement> to = moves.places().getOrDefault(victim, List.of());
            cycle.move(victim.job(), victim.placements(), to, ask.job().name(), CyclePass.CONSOLIDATE);
        }
        cycle.admit(ask, solution.placements(), CyclePass.CONSOLIDATE);
        movable = null;
        return true;
    }

    private List<Victim> movable() {
        List<Victim> known = movable;
        if (known == null) {
            known = new ArrayList<>();
            for (JobState job : cycle.jobs) {
                known.addAll(order.of(job));
            }
            known.sort(order.cheapestFirst());
            movable = known;
        }
        return known;
    }

    /** Finds new places for all who leave, the dearest first; null if one of them finds none. */
    private @Nullable Moves moved(RoomByEviction.Solution solution) {
        ClusterBatch batch = cycle.snapshots.later().batch();
        solution.victims().forEach(victim -> victim.placements().forEach(placement -> batch.release(placement.pod())));
        Cluster cluster = batch.build().withAll(solution.placements());
        Map<Victim, List<Placement>> places = new HashMap<>();
        for (int i = solution.victims().size() - 1; i >= 0; i--) {
            Victim victim = solution.victims().get(i);
            PodGroup group = Members.again(
                    victim.job().job.group(),
                    victim.placements(),
                    victim.placements().size() == victim.job().running.size());
            Ask again = new Ask(victim.job(), group, victim.held(), false);
            Placers.Answer answer = Placers.place(cycle.placers.emptied(), cluster, again);
            if (!answer.isPlaced()) {
                return null;
            }
            cluster = cluster.withAll(answer.placements());
            places.put(victim, inOrder(victim.placements(), answer.placements()));
        }
        return new Moves(solution.victims(), places);
    }

    private static List<Placement> inOrder(List<Placement> from, List<Placement> to) {
        List<Placement> ordered = new ArrayList<>();
        for (Placement placement : from) {
            to.stream().filter(other -> other.pod().equals(placement.pod())).forEach(ordered::add);
        }
        return ordered;
    }
}
