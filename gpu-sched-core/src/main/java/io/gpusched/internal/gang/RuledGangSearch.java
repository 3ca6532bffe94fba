package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.StateSet;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.search.RuledDemand;
import io.gpusched.model.Allocation;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Decides exactly whether a group can start within a range of nodes where rules between pods are in play: there is some order
 * of its members in which each finds a legal place beside those before it.
 */
final class RuledGangSearch {
    /*
     * Depth first over placements: any kind of which members are missing, any node, any layout. Which nodes are legal depends
     * on who is placed already, so unlike in GangSearch neither the order of members nor nodes in equal state can be passed
     * by. What was placed is a snapshot, so a step back is the snapshot before. The same members on the same nodes, in
     * whatever order they came there, are not looked at twice.
     */
    private static final int STEPS_PER_PLACEMENT = 150;

    /** To have the rules of one kind of member applied, for each of them. */
    private static final int STEPS_PER_RULE = 8;

    /** To look whether a node admits a member, beside one for each rule. */
    private static final int STEPS_PER_NODE = 16;

    private final Cluster cluster;
    private final Gang gang;
    private final SearchSteps steps;
    private final List<GpuRequest> requests;
    private final int stepsPerPlacement;
    private final int stepsPerNode;
    private final List<NodeState> nodes = new ArrayList<>();
    private final StateSet met = new StateSet();

    /** Numbers for what members get: their own hashes are too short to tell two of them apart. */
    private final Map<Allocation, Integer> allocations = new HashMap<>();

    RuledGangSearch(Cluster cluster, Gang gang, SearchSteps steps) {
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.requests = gang.requests();
        int rules = gang.kinds().stream()
                .mapToInt(kind -> RuledDemand.countRules(kind.demand()))
                .max()
                .orElse(0);
        this.stepsPerPlacement = STEPS_PER_PLACEMENT + STEPS_PER_RULE * rules;
        this.stepsPerNode = STEPS_PER_NODE + rules;
    }

    /** Returns a way to start the group, in the order in which it is legal, or null; the counter tells how sure that is. */
    @Nullable
    List<Seat> find(NodeRange range) {
        ClusterIndex.of(cluster).nodes(range).forEach(nodes::add);
        List<Turn> turns = new ArrayList<>();
        turns.add(new Turn(null, cluster, null, 0, 0));
        while (!turns.isEmpty()) {
            Turn turn = turns.get(turns.size() - 1);
            Turn next = turn.next();
            if (next == null) {
                turns.remove(turns.size() - 1);
            } else if (gang.canStart(next.byKind)) {
                return next.seats();
            } else if (!steps.take(stepsPerPlacement)) {
                return null;
            } else if (met.add(next.hash, next.otherHash)) {
                turns.add(next);
            }
        }
        return null;
    }

    /** Some members in their places, and which places for one more were tried. */
    private final class Turn {
        private final @Nullable Turn before;
        private final Cluster now;
        private final @Nullable Seat seat;
        private final int[] byKind;

        /** Hashes of the places of all members, the same in whatever order they were taken. */
        private final long hash;

        private final long otherHash;
        private int kindAt;
        private int nodeAt;
        private int layoutAt;
        private List<Placement> layouts = List.of();
        private @Nullable PodDemand demand;

        Turn(@Nullable Turn before, Cluster now, @Nullable Seat seat, long hash, long otherHash) {
            this.before = before;
            this.now = now;
            this.seat = seat;
            this.hash = hash;
            this.otherHash = otherHash;
            this.byKind = before == null ? new int[gang.kinds().size()] : before.byKind.clone();
            if (seat != null) {
                byKind[seat.member().kind().index()]++;
            }
        }

        /** Returns the next way to place one member more, or null if there is none left or the steps are used up. */
        @Nullable
        Turn next() {
            while (layoutAt == layouts.size()) {
                if (!moveOn()) {
                    return null;
                }
            }
            Placement placement = layouts.get(layoutAt++);
            MemberKind kind = gang.kinds().get(kindAt);
            Seat next = new Seat(kind.members().get(byKind[kind.index()]), placement);
            long place = place(kind, nodeAt, placement);
            return new Turn(
                    this, now.with(placement), next, hash + StateSet.mix(place), otherHash + StateSet.mix(~place * 31));
        }

        /** Goes to the next node, or to the first node for the next kind; returns whether there is one. */
        private boolean moveOn() {
            layoutAt = 0;
            layouts = List.of();
            if (demand != null && ++nodeAt == nodes.size()) {
                demand = null;
                kindAt++;
            }
            if (demand == null && !openKind()) {
                return false;
            }
            layouts = layouts();
            return steps.take(stepsPerNode);
        }

        private boolean openKind() {
            List<MemberKind> kinds = gang.kinds();
            while (kindAt < kinds.size() && byKind[kindAt] == kinds.get(kindAt).size()) {
                kindAt++;
            }
            if (kindAt == kinds.size() || nodes.isEmpty()) {
                return false;
            }
            nodeAt = 0;
            Member member = kinds.get(kindAt).members().get(byKind[kindAt]);
            demand = RuledDemand.of(now, member.demand());
            return true;
        }

        private List<Placement> layouts() {
            List<Placement> ways = new ArrayList<>();
            NodeState state = now.node(nodes.get(nodeAt).name()).orElseThrow();
            NodeState node = demand == null ? state : RuledDemand.opened(state, demand);
            for (PodDemand shape = demand; shape != null; shape = shape.otherwise()) {
                if (!shape.isWish() && Admission.of(shape, node) && NodeFit.hasResources(shape, node)) {
                    LayoutSearch.forEach(shape, node, requests, ways::add, steps);
                }
            }
            return ways;
        }

        List<Seat> seats() {
            List<Seat> seats = new ArrayList<>();
            for (Turn turn = this; turn != null && turn.seat != null; turn = turn.before) {
                seats.add(0, turn.seat);
            }
            return seats;
        }
    }

    /** Names one place of a kind of member. */
    private long place(MemberKind kind, int node, Placement placement) {
        Integer number = allocations.putIfAbsent(placement.allocation(), allocations.size());
        int allocation = number == null ? allocations.size() - 1 : number;
        return StateSet.mix(StateSet.mix(kind.index(), node), allocation);
    }
}
