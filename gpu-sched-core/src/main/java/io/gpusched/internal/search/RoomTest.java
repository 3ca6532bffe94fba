package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.model.NodeState;
import java.util.function.Predicate;

/** Whether a node that admits a pod has room for it; it may say so wrongly where links have a say or the search ran out of steps. */
final class RoomTest implements Predicate<NodeState> {
    /** What a node may cost before it is known whether it has room. */
    private static final long LEAST_STEPS = 500;

    private final PodDemand demand;
    private final SearchSteps steps;

    RoomTest(PodDemand demand, SearchSteps steps) {
        this.demand = demand;
        this.steps = steps;
    }

    /** A quick look that is right where it says no. */
    static boolean mayHaveRoom(PodDemand demand, NodeState node) {
        return node.idleGpus() >= demand.mostIdle() && FitRule.ofState(demand, node) == null;
    }

    @Override
    public boolean test(NodeState node) {
        return FitRule.ofState(demand, node) == null && hasGpus(node);
    }

    private boolean hasGpus(NodeState node) {
        return demand.countsDecide() ? FitRule.ofGpus(demand, node) == null : mayBeLaidOut(node);
    }

    private boolean mayBeLaidOut(NodeState node) {
        long allowed = Math.min(steps.left(), LEAST_STEPS);
        SearchSteps mine = steps.atMost(allowed);
        boolean fits = LayoutSearch.fitsGpus(demand, node, mine);
        steps.spend(allowed, mine);
        return fits || mine.isReached();
    }
}
