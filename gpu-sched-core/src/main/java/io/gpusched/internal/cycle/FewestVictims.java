package io.gpusched.internal.cycle;

import io.gpusched.policy.CycleSettings;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The node on which the fewest pods have to leave or move for one pod.
 *
 * <p>{@link RoomByEviction} finds a place, and each of those who leave is needed there; on another node fewer may do, or those who move may
 * find other places. So nodes are looked at one by one, those that some of the cheapest victims would leave, or for moves those off which the
 * fewest have to move: all leave the node, and come back, the dearest first, as long as the pod still finds a place. The place wins where the
 * highest priority of those who leave is lowest, then where the fewest pods leave, then the one found first. On nodes whose GPUs are
 * shared or cut, a place on another GPU of the same node may cost fewer. One search for each node, and one for each victim on a node where
 * there is a place.
 */
final class FewestVictims {
    /** How many of the cheapest victims, or of the nodes, are looked at. With more, who leaves is needed, but may be one too many. */
    private static final int CANDIDATES = 32;

    private final RoomByEviction room;
    private final boolean isFewest;

    FewestVictims(CycleSettings settings, RoomByEviction room) {
        this.room = room;
        this.isFewest = settings.victimOrder() == CycleSettings.VictimOrder.FEWEST;
    }

    /** Returns the best place for a request that found one, among victims of the queues that lose something anyhow. */
    RoomByEviction.Solution of(Ask ask, VictimChoice choice, RoomByEviction.Solution found) {
        if (!isFewest || ask.pods().size() > 1 || found.pods() < 2) {
            return found;
        }
        Set<QueueUse> queues =
                found.victims().stream().map(victim -> victim.job().queue).collect(Collectors.toSet());
        return best(ask, choice, found, byNode(choice, victim -> queues.contains(victim.job().queue)));
    }

    /** Returns the best place for a request where others move, if it found none or at least two have to. */
    RoomByEviction.Solution of(Ask ask, MoveChoice choice, RoomByEviction.Solution found) {
        if (ask.pods().size() > 1 || found.reason() == null && found.pods() < 2) {
            return found;
        }
        return best(ask, choice, found, isFewest ? choice.byNode(ask, CANDIDATES) : byNode(choice, victim -> true));
    }

    private RoomByEviction.Solution best(
            Ask ask, VictimChoice choice, RoomByEviction.Solution found, List<List<Victim>> byNode) {
        RoomByEviction.Solution best = found;
        for (List<Victim> leaving : byNode) {
            if (room.hasPlace(ask, leaving)) {
                best = cheaper(ask, choice, best, leaving);
            }
        }
        return best;
    }

    /** The place where those of some leave who have to, if it is cheaper than the best so far. */
    private RoomByEviction.Solution cheaper(
            Ask ask, VictimChoice choice, RoomByEviction.Solution best, List<Victim> leaving) {
        RoomByEviction.Solution other = room.without(ask, choice, room.needed(ask, choice.dearestFirst(leaving)));
        return other.reason() == null && (best.reason() != null || other.isCheaper(best)) ? other : best;
    }

    /** The cheapest of those who may leave, node by node. */
    private static List<List<Victim>> byNode(VictimChoice choice, Predicate<Victim> isAsked) {
        List<Victim> cheapest =
                choice.all().stream().filter(isAsked).limit(CANDIDATES).toList();
        return nodes(cheapest).stream().map(node -> leaving(cheapest, node)).toList();
    }

    private static Set<String> nodes(List<Victim> victims) {
        Set<String> nodes = new LinkedHashSet<>();
        for (Victim victim : victims) {
            victim.placements().forEach(placement -> nodes.add(placement.node()));
        }
        return nodes;
    }

    /** Those of whom a member is on a node, and with a minimum the members beyond it. */
    private static List<Victim> leaving(List<Victim> victims, String node) {
        Set<JobState> whole = new HashSet<>();
        for (Victim victim : victims) {
            if (victim.isLast() && victim.isOn(node)) {
                whole.add(victim.job());
            }
        }
        return victims.stream()
                .filter(victim -> whole.contains(victim.job()) || victim.isOn(node))
                .toList();
    }
}
