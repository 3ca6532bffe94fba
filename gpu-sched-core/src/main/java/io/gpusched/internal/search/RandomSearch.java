package io.gpusched.internal.search;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.RandomFit;
import org.jspecify.annotations.Nullable;

/**
 * Finds the placement of {@link RandomFit}: draws nodes until one has room, so that each node with room has the same chance
 * and no other is laid out. Where room is so rare that no draw hits it, the first few nodes with room from the last drawn one
 * on are the candidates. A decision typically costs O(log n).
 */
final class RandomSearch {
    private static final int DRAWS = 32;
    private static final int CANDIDATES = 8;

    private final Query query;
    private final RandomFit policy;

    private LayoutSearch.@Nullable Found best;
    private int found;

    RandomSearch(Query query, RandomFit policy) {
        this.query = query;
        this.policy = policy;
    }

    /** Returns the placement, or null if no node has room. */
    @Nullable
    Placement draw() {
        if (query.index().size() == 0) {
            return null;
        }
        int slot = drawn(0);
        for (int draw = 1; draw <= DRAWS; draw++) {
            LayoutSearch.Found layout = layOut(slot);
            if (layout != null) {
                return layout.placement();
            }
            slot = drawn(draw);
        }
        return bestNear(slot);
    }

    private int drawn(int draw) {
        long hash = policy.hash(query.demand().pod().id(), draw);
        return query.index().at((int) Math.floorMod(hash, (long) query.index().size()));
    }

    private LayoutSearch.@Nullable Found layOut(int slot) {
        NodeState node = query.index().state(slot);
        return RoomTest.mayHaveRoom(query.demand(), node) && FitRule.atAll(query.demand(), node) == null
                ? LayoutSearch.best(query.demand(), node, policy)
                : null;
    }

    private @Nullable Placement bestNear(int start) {
        consider(new SlotRange(start, SlotRange.EVERYWHERE.to()));
        consider(new SlotRange(0, start));
        return best == null ? null : best.placement();
    }

    private void consider(SlotRange range) {
        query.candidates().first(query.rooms(), range, slot -> {
            LayoutSearch.Found layout = found < CANDIDATES ? layOut(slot) : null;
            if (layout != null) {
                found++;
                best = best == null || layout.score() > best.score() ? layout : best;
            }
            return found == CANDIDATES;
        });
    }
}
