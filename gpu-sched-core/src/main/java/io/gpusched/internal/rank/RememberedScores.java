package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeListener;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for each spec of pods seen lately, which nodes of the snapshot that an index is at score best, and catches up with
 * what changed. Nodes in the same state are scored once. Not thread-safe.
 *
 * <p>What it holds is bounded: {@value #MOST_SPECS} specs, and for all together about as many entries, of 20 bytes each, as it
 * is told. When there are more, each spec keeps its best entries only, an equal number for each; a spec that has used up these
 * is scored again. Of parts of the cluster it remembers the one that was asked for last.
 */
public final class RememberedScores implements NodeListener {
    private static final int MOST_SPECS = 4_096;

    /** What each spec keeps at least. */
    private static final int LEAST_ENTRIES = 16;

    /** How many nodes of a ranking that others share are looked at for one that admits a pod. */
    private static final int MOST_STEPS = 2_048;

    private final PlacementPolicy policy;
    private final SnapshotIndex index;
    private final StatisticsTracker tracker;
    private final long capacity;
    private RangeScores everywhere;

    /** The scores of the range asked for last; null if there is none. */
    private @Nullable RangeScores part;

    /**
     * @param policy one whose scores do not depend on the names of pods
     * @param tracker the statistics that follow the same index, and are told of changes sooner
     * @param capacity how many entries it may hold
     */
    public RememberedScores(PlacementPolicy policy, SnapshotIndex index, StatisticsTracker tracker, long capacity) {
        this.policy = policy;
        this.index = index;
        this.tracker = tracker;
        this.capacity = capacity;
        this.everywhere = scores(SlotRange.EVERYWHERE);
        index.listen(this);
    }

    private RangeScores scores(SlotRange range) {
        return new RangeScores(policy, index, tracker, range);
    }

    @Override
    public void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        everywhere.changed(slot, before, after);
        if (part != null) {
            part.changed(slot, before, after);
        }
    }

    @Override
    public void rebuilt() {
        everywhere = scores(SlotRange.EVERYWHERE);
        part = null;
    }

    /**
     * Returns the slot of the best node of a range for a pod, the first among equals, or -1 if none has room; O(nodes of the range)
     * for a spec that is not remembered.
     */
    public int best(PodDemand demand, SlotRange range) {
        int best = of(range).best(demand);
        bound();
        return best;
    }

    /**
     * Returns, for a pod, the best node of a range that passes a test, as far as that is found soon; for policies that
     * look at occupancy alone, by a ranking that pods share which differ in their selectors and tolerations.
     *
     * @param admitted which slots labels, taints, cordon and rules admit
     */
    public RankedSlot best(PodDemand demand, SlotRange range, IntPredicate admitted) {
        RankedSlot best = of(range).best(demand, admitted, MOST_STEPS);
        bound();
        return best;
    }

    private RangeScores of(SlotRange range) {
        if (range.isEverywhere()) {
            return everywhere;
        }
        RangeScores known = part;
        if (known == null || !known.range().equals(range)) {
            known = scores(range);
            part = known;
        }
        return known;
    }

    /** Forgets what it knows of a part of the cluster. */
    public void forgetPart() {
        part = null;
    }

    private void bound() {
        if (specs() > MOST_SPECS) {
            forgetOldest();
        }
        if (size() > capacity) {
            int most = (int) Math.min(Integer.MAX_VALUE, Math.max(LEAST_ENTRIES, capacity / (2L * specs())));
            everywhere.trim(most);
            if (part != null) {
                part.trim(most);
            }
            while (size() > capacity && specs() > 1) {
                forgetOldest();
            }
        }
    }

    /** Forgets the spec that was not asked for longest, first of those in a range. */
    private void forgetOldest() {
        if (part != null && part.specs() > 0) {
            part.forgetOldest();
        } else {
            everywhere.forgetOldest();
        }
    }

    private int specs() {
        return everywhere.specs() + (part == null ? 0 : part.specs());
    }

    private long size() {
        return everywhere.size() + (part == null ? 0 : part.size());
    }
}
