package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** How the nodes of a range rank for each spec of pods seen lately. It is told of every node that changes. Not thread-safe. */
final class RangeScores {
    private static final List<Toleration> EVERY_TAINT = List.of(Toleration.everything());

    private final PlacementPolicy policy;
    private final SnapshotIndex index;
    private final StatisticsTracker tracker;
    private final SlotRange range;
    private final Map<SpecKey, Ranking> rankings = new LinkedHashMap<>(16, 0.75f, true);

    /** The entries of all rankings. */
    private long size;

    /** Made when first needed. */
    private @Nullable NodeGroups byOccupancy;

    private @Nullable NodeGroups byNode;

    /**
     * @param tracker the statistics of the whole snapshot
     */
    RangeScores(PlacementPolicy policy, SnapshotIndex index, StatisticsTracker tracker, SlotRange range) {
        this.policy = policy;
        this.index = index;
        this.tracker = tracker;
        this.range = range;
    }

    /** Returns the slots of the nodes that are ranked. */
    SlotRange range() {
        return range;
    }

    /** Takes note of a node that changed. */
    void changed(int slot, @Nullable NodeState before, @Nullable NodeState after) {
        if (byOccupancy != null && range.contains(slot)) {
            byOccupancy.changed(slot, before, after);
        }
        if (byNode != null && range.contains(slot)) {
            byNode.changed(slot, before, after);
        }
    }

    /** Returns the slot of the best node for a pod or -1; O(nodes of the range) for a spec that is not remembered. */
    int best(PodDemand demand) {
        Ranking ranking = ranking(demand);
        int best = ranking.best(tracker.penalties(demand.pod()));
        size += ranking.size();
        return best;
    }

    /**
     * Returns, for a pod, the best node that passes a test, if it is found within a number of steps. Pods that differ in
     * what labels they select and what taints they tolerate score alike, so they share a ranking of all nodes, which is gone
     * through until a node admits the pod.
     */
    RankedSlot best(PodDemand demand, IntPredicate admitted, int steps) {
        Pod pod = demand.pod();
        Pod anywhere = new Pod(pod.id(), pod.containers(), NodeSelector.ANY, EVERY_TAINT, pod.overhead());
        Ranking ranking = ranking(new PodDemand(anywhere));
        RankedSlot best = ranking.best(tracker.penalties(pod), admitted, steps);
        size += ranking.size();
        return best;
    }

    /** Returns the ranking of a spec as nodes are now; its entries do not count until it was used. */
    private Ranking ranking(PodDemand demand) {
        SpecKey key = SpecKey.of(demand);
        Ranking ranking = rankings.get(key);
        if (ranking == null) {
            SpecScorer scorer = new SpecScorer(policy, index, tracker, demand);
            ranking = new Ranking(scorer, groups(scorer.isByOccupancy()));
            rankings.put(key, ranking);
        } else {
            size -= ranking.size();
            ranking.catchUp();
        }
        return ranking;
    }

    private NodeGroups groups(boolean isByOccupancy) {
        NodeGroups groups = isByOccupancy ? byOccupancy : byNode;
        if (groups == null) {
            groups = new NodeGroups(index, range, isByOccupancy);
            if (isByOccupancy) {
                byOccupancy = groups;
            } else {
                byNode = groups;
            }
        }
        return groups;
    }

    /** Returns the number of specs. */
    int specs() {
        return rankings.size();
    }

    /** Returns the number of entries of all specs. */
    long size() {
        return size;
    }

    /** Forgets the spec that was not asked for longest; there must be one. */
    void forgetOldest() {
        Iterator<Ranking> oldest = rankings.values().iterator();
        size -= oldest.next().size();
        oldest.remove();
    }

    /** Makes each spec keep about so many entries at most. */
    void trim(int most) {
        for (Ranking ranking : rankings.values()) {
            if (ranking.size() > most) {
                size -= ranking.size();
                ranking.trim(most);
                size += ranking.size();
            }
        }
    }
}
