package io.gpusched.internal.search;

import io.gpusched.internal.fit.LayoutCount;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.Occupancy;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.rank.StatisticsTracker;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.FirstFit;
import io.gpusched.policy.PlacementPolicy;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import it.unimi.dsi.fastutil.objects.ObjectOpenCustomHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best placement of a pod that a node may take in very many ways: of several GPU containers, or of parts of
 * several GPUs.
 */
final class ThoroughSearch {
    /*
     * Every node gets a few steps first, beyond what it takes to lay the pod out once without looking back; those on which
     * they do not suffice get sixteen times as many, and so on until all are settled or the steps of the decision are used up. So a hard node does not keep others from being looked at,
     * and all rounds together cost little more than the last. Nodes in the same state are looked at once. A policy that
     * can bound its scores passes by the nodes that cannot beat the best so far.
     *
     * Once the steps are used up, nodes that were not looked at yet get a few of a reserve of a quarter as many.
     */
    private static final long FIRST_STEPS = 2_000;

    private static final long LAST_STEPS = 500;

    private final Query query;
    private final PlacementPolicy policy;
    private final BestPlacement best;
    private final SearchSteps steps;
    private final SearchSteps reserve;
    private final @Nullable Set<NodeState> tried;
    private IntArrayList unsettled = new IntArrayList();
    private boolean isCutShort;

    /**
     * @param tracker the statistics at this very snapshot
     */
    ThoroughSearch(Query query, PlacementPolicy policy, StatisticsTracker tracker) {
        this.query = query;
        this.policy = policy;
        this.best = new BestPlacement(tracker, query.demand().pod());
        this.steps = query.steps();
        this.reserve = SearchSteps.of(1 + steps.left() / 4);
        boolean alike = policy.scope() == PlacementPolicy.Scope.OCCUPANCY
                && !query.demand().looksAtUuids();
        this.tried = alike ? new ObjectOpenCustomHashSet<>(Occupancy.STRATEGY) : null;
    }

    /** Returns the best placement, or null if no node has room; the counter says whether that is certain. */
    @Nullable
    Placement best() {
        boolean firstWins = policy instanceof FirstFit;
        query.candidates().first(query.rooms(), query.range(), slot -> look(slot) && firstWins || isCutShort);
        return settled();
    }

    /** Returns the best placement on one of these nodes, which admit the pod and have the CPU and memory; or null if none has room. */
    @Nullable
    Placement bestOf(IntList slots) {
        boolean isDone = false;
        for (int i = 0; i < slots.size() && !isDone; i++) {
            isDone = look(slots.getInt(i)) && policy instanceof FirstFit || isCutShort;
        }
        return settled();
    }

    private @Nullable Placement settled() {
        for (long each = FIRST_STEPS * 16; !unsettled.isEmpty() && steps.left() > 0; each *= 16) {
            IntArrayList again = unsettled;
            unsettled = new IntArrayList();
            for (int i = 0; i < again.size(); i++) {
                consider(again.getInt(i), each);
            }
        }
        if (!unsettled.isEmpty() || isCutShort) {
            steps.giveUp();
        }
        return best.placement();
    }

    private boolean look(int slot) {
        NodeState node = query.candidates().state(slot);
        return (tried == null || tried.add(node)) && consider(slot, FIRST_STEPS);
    }

    private boolean consider(int slot, long each) {
        NodeState node = query.candidates().state(slot);
        SearchSteps source = steps.left() > 0 ? steps : reserve;
        long allowed = Math.min(
                source.left(), source == steps ? each + LayoutCount.leastSteps(query.demand(), node) : LAST_STEPS);
        if (allowed == 0) {
            isCutShort = true;
            return false;
        }
        SearchSteps mine = source.atMost(allowed);
        mine.take(1);
        LayoutSearch.Found found = LayoutSearch.better(query.demand(), node, policy, best.toBeat(slot), mine);
        source.spend(allowed, mine);
        if (mine.isReached()) {
            unsettled.add(slot);
        }
        return found != null && best.offer(slot, node, found);
    }
}
