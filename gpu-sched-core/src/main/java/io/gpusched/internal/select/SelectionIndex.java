package io.gpusched.internal.select;

import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of one snapshot by labels, taints and what they have free of resources counted by name, and how this follows other
 * snapshots that came of the same cluster: by their difference. Not thread-safe.
 */
final class SelectionIndex {
    /** Where a requirement leaves more than a part in so many of all nodes, looking for room among all is as quick. */
    private static final int NARROW = 4;

    private static final int FEW_BUCKETS = 32;

    private final NodeTable nodes = new NodeTable();
    private final LabelIndex labels = new LabelIndex(nodes);
    private final TaintIndex taints = new TaintIndex();
    private final ResourceIndex resources = new ResourceIndex(nodes);

    /** The snapshot whose states of nodes are known. */
    private Cluster seen;

    /** The snapshot it is at, which has the same nodes in the same places, but perhaps in other states. */
    private Cluster current;

    SelectionIndex(Cluster cluster) {
        this.seen = cluster;
        this.current = cluster;
        ClusterIndex index = ClusterIndex.of(cluster);
        cluster.nodes().forEach(node -> replace(null, node, index));
    }

    /** Whether it can follow a snapshot by what changed. */
    boolean isOf(Cluster cluster) {
        return ClusterIndex.of(seen).isRelatedTo(ClusterIndex.of(cluster));
    }

    /** Goes to another snapshot: in O(1) if no node changed, else O(changed nodes &middot; (log n + labels in use)). */
    void follow(Cluster cluster) {
        current = cluster;
        if (!ClusterIndex.of(cluster).hasSameNodes(ClusterIndex.of(seen))) {
            catchUp();
        }
    }

    /** Takes note of the states of nodes at the snapshot it is at. */
    @SuppressWarnings("ReferenceEquality") // a snapshot that is the same object has no changes
    void catchUp() {
        if (current != seen) {
            ClusterIndex index = ClusterIndex.of(current);
            current.forEachChange(seen, (before, after) -> replace(before, after, index));
            seen = current;
        }
    }

    /** Returns the snapshot it is at. */
    Cluster current() {
        return current;
    }

    @SuppressWarnings("ReferenceEquality") // a machine that did not change is the same object
    private void replace(@Nullable NodeState before, @Nullable NodeState after, ClusterIndex index) {
        KnownNode known = before == null ? null : nodes.find(before.name());
        if (before != null && after != null && known != null && before.node() == after.node()) {
            NodeSpot last = known.spot();
            NodeSpot now = new NodeSpot(after, index.treeClass(after));
            labels.note(last, now);
            taints.note(last, now);
            nodes.move(known, now);
            resources.note(known, last);
            return;
        }
        if (before != null && known != null) {
            labels.remove(known, before.node());
            taints.remove(known, before.nodeClass());
            resources.remove(known);
            nodes.remove(known);
        }
        if (after != null) {
            KnownNode fresh = nodes.add(new NodeSpot(after, index.treeClass(after)));
            labels.add(fresh, after.node());
            taints.add(fresh, after.nodeClass());
            resources.add(fresh);
        }
    }

    /** Calls back with every node. */
    void forEach(Consumer<? super KnownNode> action) {
        nodes.forEach(action);
    }

    /**
     * Returns where to look for room for a pod.
     *
     * @param selector labels that its nodes must have
     */
    Candidates candidates(PodDemand demand, NodeSelector selector) {
        Pod pod = demand.pod();
        Selection.Limits limits = limits();
        Selection best = new Selection(limits).withTooMany();
        if (!selector.terms().isEmpty()) {
            best = labels.select(selector, limits);
        }
        boolean freeToo = false;
        if (!pod.tolerations().isEmpty()) {
            Selection tainted = taints.select(pod.tolerations(), limits);
            Selection all = new Selection(limits);
            boolean narrow = all.addAll(tainted) && all.add(taints.free());
            best = all.isBetterThan(best) ? all : best;
            freeToo = best.isTooMany() && !narrow && !tainted.isTooMany();
            best = freeToo ? tainted : best;
        }
        return new Candidates(this, demand, best, freeToo, test(demand));
    }

    /** Returns where to look for room for a pod by what it asks for by name, or null if no part of that is rare. */
    @Nullable
    Candidates havingResources(PodDemand demand) {
        catchUp();
        Selection having = resources.select(demand.resources().named(), limits());
        return having.isTooMany() ? null : new Candidates(this, demand, having, false, test(demand));
    }

    private Selection.Limits limits() {
        return new Selection.Limits(limit(nodes.size() / NARROW), FEW_BUCKETS, limit((int) Math.sqrt(nodes.size())));
    }

    /** Returns an exact test of what labels, taints and rules admit, by the number of a node. */
    private IntPredicate test(PodDemand demand) {
        Pod pod = demand.pod();
        IntPredicate byTaints = node -> demand.acceptsTaints(nodes.get(node).taints());
        IntPredicate test = pod.nodeSelector().terms().isEmpty()
                ? byTaints
                : labels.test(pod.nodeSelector()).and(byTaints);
        RuleSet rules = demand.rules();
        return rules == null
                ? test
                : test.and(node -> rules.admits(nodes.get(node).machine()));
    }

    /** Returns the same test by the key of a node in the node order. */
    LongPredicate byOrder(IntPredicate test) {
        return order -> {
            int node = nodes.id(order);
            return node >= 0 && test.test(node);
        };
    }

    private static int limit(int nodes) {
        return Math.max(16, nodes);
    }
}
