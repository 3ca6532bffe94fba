package io.gpusched.internal.select;

import io.gpusched.internal.access.ClusterAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one snapshot by labels and taints, and how this follows other snapshots that came of the same cluster: by
 * their difference. Not thread-safe.
 */
final class SelectionIndex {
    private static final int LEAST_FEW = 16;

    private final Map<String, KnownNode> nodes = new HashMap<>();
    private final LabelIndex labels = new LabelIndex(nodes.values());
    private final TaintIndex taints = new TaintIndex();
    private Cluster seen;

    SelectionIndex(Cluster cluster) {
        this.seen = cluster;
        cluster.nodes().forEach(node -> replace(null, node));
    }

    /** Whether it can follow a snapshot by what changed. */
    boolean isOf(Cluster cluster) {
        return ClusterAccess.store(seen).isRelatedTo(ClusterAccess.store(cluster));
    }

    /** Takes note of what differs in another snapshot; O(changed nodes &middot; log n). */
    @SuppressWarnings("ReferenceEquality") // a snapshot that is the same object has no changes
    void follow(Cluster cluster) {
        if (cluster != seen) {
            cluster.forEachChange(seen, this::replace);
            seen = cluster;
        }
    }

    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    private void replace(@Nullable NodeState before, @Nullable NodeState after) {
        KnownNode known = before == null ? null : nodes.get(before.name());
        if (before != null && after != null && known != null && before.node() == after.node()) {
            known.setState(after);
            return;
        }
        if (before != null && known != null) {
            labels.remove(known, before.node().labels());
            taints.remove(known, before.nodeClass());
            nodes.remove(before.name());
        }
        if (after != null) {
            KnownNode fresh = new KnownNode(after);
            nodes.put(after.name(), fresh);
            labels.add(fresh, after.node().labels());
            taints.add(fresh, after.nodeClass());
        }
    }

    /**
     * Returns the nodes that a pod may ever go to, in no particular order, some perhaps several times; or null if there may
     * be many: then looking for room first is quicker.
     */
    @Nullable
    List<NodeState> few(PodDemand demand) {
        Pod pod = demand.pod();
        int most = mostFew();
        Selection best = null;
        if (!pod.nodeSelector().terms().isEmpty()) {
            best = labels.select(pod.nodeSelector(), most);
        }
        if (!pod.tolerations().isEmpty() && (best == null || !best.isFew())) {
            best = taints.select(pod.tolerations(), most);
        }
        return best != null && best.isFew() ? admitted(best, demand) : null;
    }

    /**
     * How many nodes are few. Where m of n nodes match, a search that looks for room first meets about n / m of them before
     * one that matches, and looking at all that match costs m: the less is at most the root of n. To look at one that
     * matches is about twice as dear.
     */
    private int mostFew() {
        return Math.max(LEAST_FEW, (int) Math.sqrt(nodes.size()) / 2);
    }

    private static List<NodeState> admitted(Selection selection, PodDemand demand) {
        List<NodeState> admitted = new ArrayList<>(selection.size());
        for (NodeBucket bucket : selection.buckets()) {
            bucket.forEach(known -> {
                if (Admission.of(demand, known.state())) {
                    admitted.add(known.state());
                }
            });
        }
        return admitted;
    }
}
