package io.gpusched.internal.gang;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.fit.StateSet;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides exactly whether a group can start on some nodes, as far as room goes; rules between pods are not looked at. */
final class GangSearch {
    /*
     * Depth first over members, kind by kind, the largest first; for each, over the nodes in use, then over one unused node
     * of each state, and there over the layouts. Members of a kind go to nodes in ascending order, since any other order is
     * the same group. A state (what is free on the nodes in use, how many of each kind have a place) that was met before is
     * not entered again, and neither is one in which bounds show that what has to start finds no room. The stack is a list,
     * not the thread's.
     */
    private final Gang gang;
    private final SearchSteps steps;
    private final List<GpuRequest> requests;
    private final Assignment assignment;

    GangSearch(Gang gang, List<NodeState> nodes, SearchSteps steps) {
        this.gang = gang;
        this.steps = steps;
        this.requests = gang.requests();
        this.assignment = new Assignment(gang, EqualNodes.of(gang, nodes, steps));
    }

    /** Returns false only if bounds show that the group cannot start. */
    boolean mayStart() {
        steps.take(assignment.stepsToLook());
        return steps.left() == 0 || assignment.mayStart(0);
    }

    /** Returns a way to start the group, or null; the counter tells how sure that is. */
    @Nullable
    Assignment find() {
        StateSet met = new StateSet();
        List<Branch> branches = new ArrayList<>();
        if (mayStart()) {
            branches.add(new Branch(0, 0));
        }
        while (!branches.isEmpty()) {
            Branch branch = branches.get(branches.size() - 1);
            if (!branch.moveOn()) {
                branches.remove(branches.size() - 1);
                continue;
            }
            if (assignment.canStart()) {
                return assignment;
            }
            if (!steps.take(GangBounds.STEPS_PER_ASSIGNMENT + assignment.stepsToLook())) {
                return null;
            }
            Branch next = branch.next();
            if (next != null
                    && assignment.mayStart(next.kindAt)
                    && met.add(
                            assignment.hash(next.kindAt, next.from, 1), assignment.hash(next.kindAt, next.from, 2))) {
                branches.add(next);
            }
        }
        return null;
    }

    /** The ways for one member, and at last to leave the others of its kind out. */
    private final class Branch {
        private final int kindAt;

        /** The first candidate that the member may go to. */
        private final int from;

        private int candidate;
        private int layout;
        private List<Placement> layouts = List.of();
        private boolean isAssigned;
        private boolean isSkipped;

        Branch(int kindAt, int from) {
            this.kindAt = kindAt;
            this.from = from;
            this.candidate = from - 1;
        }

        /** Takes the next way; returns whether there was one. */
        boolean moveOn() {
            if (isAssigned) {
                assignment.undo();
                isAssigned = false;
            }
            if (isSkipped || kindAt == gang.kinds().size()) {
                return false;
            }
            MemberKind kind = assignment.kind(kindAt);
            isAssigned = assignment.missing(kind) > 0 && assignNext(kind);
            isSkipped = !isAssigned;
            return isAssigned || assignment.maySkip(kindAt);
        }

        private boolean assignNext(MemberKind kind) {
            Member member = assignment.member(kind);
            while (layout >= layouts.size()) {
                candidate = assignment.next(kind, candidate);
                if (candidate < 0) {
                    return false;
                }
                layouts = layouts(member, assignment.node(candidate));
                layout = 0;
            }
            assignment.assign(member, candidate, layouts.get(layout++));
            return true;
        }

        /** Returns what comes after the way just taken, or null if that is nothing. */
        @Nullable
        Branch next() {
            if (isSkipped || assignment.missing(assignment.kind(kindAt)) == 0) {
                return kindAt + 1 == gang.kinds().size() ? null : new Branch(kindAt + 1, 0);
            }
            return new Branch(kindAt, assignment.lastNode());
        }
    }

    private List<Placement> layouts(Member member, NodeState node) {
        List<Placement> layouts = new ArrayList<>();
        for (PodDemand alternative = member.demand(); alternative != null; alternative = alternative.otherwise()) {
            if (FitRule.butForGpus(alternative, node) == null) {
                LayoutSearch.forEach(alternative, node, requests, layouts::add, steps);
            }
        }
        return layouts;
    }
}
