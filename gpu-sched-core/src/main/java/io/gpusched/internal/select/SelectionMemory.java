package io.gpusched.internal.select;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, for the clusters used lately, which nodes have which labels and taints, and catches up with any snapshot by
 * looking at what changed. What it holds is bounded: the nodes of at most {@value #MOST_CLUSTERS} snapshots. Not thread-safe.
 */
public final class SelectionMemory {
    private static final int MOST_CLUSTERS = 4;

    /** The one used last first. */
    private final Deque<SelectionIndex> indexes = new ArrayDeque<>();

    /**
     * Returns the nodes that a pod may ever go to by all static constraints, in no particular order, some perhaps several
     * times, if its selector or its tolerations leave few; null if not.
     */
    public @Nullable List<NodeState> few(Cluster cluster, PodDemand demand) {
        Pod pod = demand.pod();
        boolean selects = !pod.nodeSelector().terms().isEmpty() || !pod.tolerations().isEmpty();
        return selects ? index(cluster).few(demand) : null;
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
        }
        indexes.addFirst(index);
        return index;
    }
}
