package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.ints.IntList;
import org.jspecify.annotations.Nullable;

/** Finds the best placement of a pod that can be laid out in few ways by a look at each node that may have room. Not thread-safe. */
final class ScanSearch {
    private final Query query;
    private final PlacementPolicy policy;
    private final BestPlacement best;

    /**
     * @param tracker the statistics at this very snapshot
     */
    ScanSearch(Query query, PlacementPolicy policy, StatisticsTracker tracker) {
        this.query = query;
        this.policy = policy;
        this.best = new BestPlacement(tracker, query.demand().pod());
    }

    /** Returns the best placement, or null if no node has room. For first fit that is the first. */
    @Nullable
    Placement best() {
        boolean firstWins = policy instanceof FirstFit;
        query.candidates().first(query.rooms(), query.range(), slot -> look(slot) && firstWins);
        return best.placement();
    }

    /** Returns the best placement on one of these nodes that admit the pod and have the CPU and memory, or null if none has room. */
    @Nullable
    Placement bestOf(IntList slots) {
        for (int i = 0; i < slots.size(); i++) {
            look(slots.getInt(i));
        }
        return best.placement();
    }

    private boolean look(int slot) {
        NodeState node = query.candidates().state(slot);
        LayoutSearch.Found found = LayoutSearch.best(query.demand(), node, policy);
        return found != null && best.offer(slot, node, found);
    }
}
