package io.gpusched.internal.select;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for the clusters used lately, which nodes have which labels, taints and free resources, and catches up with any
 * snapshot by looking at what changed. What it holds is bounded: the nodes of at most {@value #MOST_CLUSTERS} snapshots. Not
 * thread-safe.
 */
public final class SelectionMemory {
    private static final int MOST_CLUSTERS = 4;

    /** The one used last first. */
    private final Deque<SelectionIndex> indexes = new ArrayDeque<>();

    /**
     * Returns where to look for room for a pod by labels, taints and rules, or null if it neither selects nor tolerates anything
     * and no rule keeps it away from nodes.
     */
    public @Nullable Candidates candidates(Cluster cluster, PodDemand demand) {
        NodeSelector selector = demand.nodeSelector();
        boolean selects =
                !selector.terms().isEmpty() || !demand.pod().tolerations().isEmpty() || demand.isRuled();
        return selects ? index(cluster).candidates(demand, selector) : null;
    }

    /** Returns where to look for room for a pod by what it asks for by name, or null if that is nothing or too many are in use. */
    public @Nullable Candidates havingResources(Cluster cluster, PodDemand demand) {
        return demand.resources().named().isEmpty() ? null : index(cluster).havingResources(demand);
    }

    private SelectionIndex index(Cluster cluster) {
        SelectionIndex index = null;
        for (SelectionIndex known : indexes) {
            index = index == null && known.isOf(cluster) ? known : index;
        }
        if (index == null) {
            index = new SelectionIndex(cluster);
            if (indexes.size() == MOST_CLUSTERS) {
                indexes.removeLast();
            }
        } else {
            indexes.remove(index);
            index.follow(cluster);
            index = index.isWorn() ? new SelectionIndex(cluster) : index;
        }
        indexes.addFirst(index);
        return index;
    }
}
