package io.gpusched.internal.gang;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.StateSet;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides exactly whether a group can start within a range of nodes, where placing one by one did not get there. */
final class GangSearch {
    /*
     * Depth first over members, kind by kind, the largest first; for each, over the nodes that have taken something, then
     * over one untouched node of each state, and there over the layouts. Members of a kind go to nodes in ascending
     * order, since any other order is the same group. A state (what is free on the touched nodes, how many of each kind
     * have a place) that was met before is not entered again, and neither is one in which what has to start needs more
     * CPU, memory or idle GPUs than are free, or more places than there are. The stack is a list, not the thread's.
     */
    private static final int STEPS_PER_PLACEMENT = 150;

    private final Cluster cluster;
    private final Gang gang;
    private final SearchSteps steps;
    private final List<GpuRequest> requests;
    private final StateSet met = new StateSet();

    GangSearch(Cluster cluster, Gang gang, SearchSteps steps) {
        this.cluster = cluster;
        this.gang = gang;
        this.steps = steps;
        this.requests = gang.requests();
    }

    /** Returns a way to start the group within a range of the node order, or null; the counter tells how sure that is. */
    @Nullable
    List<Seat> find(NodeRange range) {
        GangBoard board = new GangBoard(gang, NodeGroups.of(cluster, gang, range, steps), requests);
        List<Turn> turns = new ArrayList<>();
        steps.take(board.stepsToLook());
        if (board.mayStart(0)) {
            turns.add(new Turn(board, 0, 0));
        }
        while (!turns.isEmpty()) {
            Turn turn = turns.get(turns.size() - 1);
            if (!turn.moveOn()) {
                turns.remove(turns.size() - 1);
                continue;
            }
            if (board.canStart()) {
                return board.seats();
            }
            if (!steps.take(STEPS_PER_PLACEMENT + board.stepsToLook())) {
                return null;
            }
            Turn next = turn.next();
            if (next != null
                    && board.mayStart(next.kindAt)
                    && met.add(board.hash(next.kindAt, next.from, 1), board.hash(next.kindAt, next.from, 2))) {
                turns.add(next);
            }
        }
        return null;
    }

    /** The ways for one member, or to let its kind be. */
    private final class Turn {
        private final GangBoard board;
        private final int kindAt;

        /** The first spot that the member may go to. */
        private final int from;

        private int spot;
        private int layout;
        private List<Placement> layouts = List.of();
        private boolean isSeated;
        private boolean isSkipped;

        Turn(GangBoard board, int kindAt, int from) {
            this.board = board;
            this.kindAt = kindAt;
            this.from = from;
            this.spot = from - 1;
        }

        /** Takes the next way; returns whether there was one. */
        boolean moveOn() {
            if (isSeated) {
                board.leave();
                isSeated = false;
            }
            if (isSkipped || kindAt == gang.kinds().size()) {
                return false;
            }
            MemberKind kind = board.kind(kindAt);
            if (board.missing(kind) > 0 && seatNext(kind)) {
                isSeated = true;
                return true;
            }
            isSkipped = true;
            return board.maySkip(kindAt);
        }

        private boolean seatNext(MemberKind kind) {
            while (layout >= layouts.size()) {
                spot = board.nextSpot(kind, spot);
                if (spot < 0) {
                    return false;
                }
                layouts = layouts(board.member(kind), board.nodeAt(spot));
                layout = 0;
            }
            board.seat(board.member(kind), spot, layouts.get(layout++));
            return true;
        }

        /** What comes after the way just taken, or null if that is nothing. */
        @Nullable
        Turn next() {
            if (isSkipped || board.missing(board.kind(kindAt)) == 0) {
                return kindAt + 1 == gang.kinds().size() ? null : new Turn(board, kindAt + 1, 0);
            }
            return new Turn(board, kindAt, board.lastSpot());
        }
    }

    private List<Placement> layouts(Member member, NodeState node) {
        List<Placement> layouts = new ArrayList<>();
        for (PodDemand shape = member.demand(); shape != null; shape = shape.otherwise()) {
            if (NodeFit.hasResources(shape, node) && Admission.of(shape, node)) {
                LayoutSearch.forEach(shape, node, requests, layouts::add, steps);
            }
        }
        return layouts;
    }
}
