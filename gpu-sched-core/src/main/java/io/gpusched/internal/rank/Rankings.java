package io.gpusched.internal.rank;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.index.TextHash;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import io.gpusched.workload.Toleration;
import it.unimi.dsi.fastutil.Hash;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes of a range rank for each shape of pod seen lately, at one snapshot at a time. It is told of every node that changes.
 * Not thread-safe.
 */
final class Rankings {
    /** Each node as a group of its own. */
    private static final Hash.Strategy<NodeState> BY_NAME = new Hash.Strategy<>() {
        @Override
        public int hashCode(NodeState node) {
            return Long.hashCode(TextHash.of(node.name()));
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // the same object needs no comparison
        public boolean equals(NodeState a, NodeState b) {
            return a == b || a != null && b != null && a.name().equals(b.name());
        }
    };

    private static final List<Toleration> EVERY_TAINT = List.of(Toleration.everything());

    /** How many nodes of a ranking that others share are looked at for one that admits a pod. */
    private static final int MOST_STEPS = 2_048;

    private final PlacementPolicy policy;
    private final StatisticsTracker tracker;
    private final NodeRange range;
    private final Map<SpecKey, Ranking> shapes = new LinkedHashMap<>(16, 0.75f, true);

    /** The entries of all shapes. */
    private long size;

    /** Made when first needed. */
    private @Nullable NodeGroups byOccupancy;

    private @Nullable NodeGroups byName;

    /**
     * @param tracker the statistics of the whole snapshot
     */
    Rankings(PlacementPolicy policy, StatisticsTracker tracker, NodeRange range) {
        this.policy = policy;
        this.tracker = tracker;
        this.range = range;
    }

    /** Returns the nodes that are ranked. */
    NodeRange range() {
        return range;
    }

    /** Takes note of a node in another state; null where there was, or is, no such node. */
    void replace(@Nullable NodeState before, @Nullable NodeState after) {
        NodeState left = before != null && range.contains(before) ? before : null;
        NodeState come = after != null && range.contains(after) ? after : null;
        if (byOccupancy != null) {
            byOccupancy.replace(left, come);
        }
        if (byName != null) {
            byName.replace(left, come);
        }
    }

    /**
     * Returns the best node for a pod; O(nodes of the range) for a shape that is not remembered.
     *
     * @param seen the snapshot it is at
     */
    @Nullable
    NodeState best(Cluster seen, PodDemand demand) {
        ToLongFunction<Object> penalties = tracker.penalties(demand.pod());
        Ranking ranking = ranking(seen, demand);
        NodeState best = ranking.best(penalties);
        size += ranking.size();
        return best;
    }

    /**
     * Returns the best node for a pod among those that pass a test, as far as that is found soon.
     *
     * @param seen the snapshot it is at
     */
    RankedNode best(Cluster seen, PodDemand demand, Predicate<NodeState> admitted) {
        /*
         * Pods that differ in what labels they select and what taints they tolerate score alike. So they share a ranking of
         * all nodes, whatever their labels and taints, which is gone through until a node admits the pod.
         */
        Pod pod = demand.pod();
        ToLongFunction<Object> penalties = tracker.penalties(pod);
        Pod anywhere = new Pod(pod.id(), pod.containers(), NodeSelector.ANY, EVERY_TAINT, pod.overhead());
        Ranking ranking = ranking(seen, new PodDemand(anywhere));
        RankedNode best = ranking.best(penalties, admitted, MOST_STEPS);
        size += ranking.size();
        return best;
    }

    /** Returns the ranking of a shape at the snapshot it is at; its entries do not count until it was used. */
    private Ranking ranking(Cluster seen, PodDemand demand) {
        SpecKey key = SpecKey.of(demand);
        Ranking ranking = shapes.get(key);
        if (ranking == null) {
            SpecScorer scorer = new SpecScorer(policy, tracker, demand);
            ranking = new Ranking(scorer, scorer.byOccupancy() ? byOccupancy(seen) : byName(seen));
            shapes.put(key, ranking);
        } else {
            size -= ranking.size();
            ranking.catchUp();
        }
        return ranking;
    }

    private NodeGroups byOccupancy(Cluster seen) {
        NodeGroups groups = byOccupancy;
        if (groups == null) {
            groups = NodeGroups.of(seen, range, Occupancy.STRATEGY);
            byOccupancy = groups;
        }
        return groups;
    }

    private NodeGroups byName(Cluster seen) {
        NodeGroups groups = byName;
        if (groups == null) {
            groups = NodeGroups.of(seen, range, BY_NAME);
            byName = groups;
        }
        return groups;
    }

    int shapes() {
        return shapes.size();
    }

    /** Returns the number of entries of all shapes. */
    long size() {
        return size;
    }

    /** Forgets the shape that was not asked for longest, of which there must be one. */
    void forgetOldest() {
        Iterator<Ranking> oldest = shapes.values().iterator();
        size -= oldest.next().size();
        oldest.remove();
    }

    /** Makes each shape keep about so many entries at most. */
    void trim(int most) {
        for (Ranking ranking : shapes.values()) {
            if (ranking.size() > most) {
                size -= ranking.size();
                ranking.trim(most);
                size += ranking.size();
            }
        }
    }
}
