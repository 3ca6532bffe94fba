package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.ClassIndex;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;

/** Where to look for room for a pod whose selector or tolerations leave few nodes. Good until another pod is asked for. */
public final class Candidates {
    /** So many nodes are quicker looked up in the snapshot than what changed since the last is followed. */
    private static final int MOST_FETCHED = 2;

    private final SelectionIndex index;
    private final PodDemand demand;

    /** The nodes, or those of them that have taints; too many if trees of them would not help. */
    private final Selection selection;

    /** Whether the nodes without taints are candidates as well, and too many to be among the selected ones. */
    private final boolean freeToo;

    private final LongPredicate keys;

    private Candidates(
            SelectionIndex index, PodDemand demand, Selection selection, boolean freeToo, LongPredicate keys) {
        this.index = index;
        this.demand = demand;
        this.selection = selection;
        this.freeToo = freeToo;
        this.keys = keys;
    }

    /** Some nodes. */
    static Candidates of(SelectionIndex index, PodDemand demand, Selection selection) {
        return new Candidates(index, demand, selection, false, ClassIndex.ANY_KEY);
    }

    /** Some nodes with taints and all without. */
    static Candidates withFree(SelectionIndex index, PodDemand demand, Selection tainted) {
        return new Candidates(index, demand, tainted, true, ClassIndex.ANY_KEY);
    }

    /** Nodes that stand all over the cluster's trees. */
    static Candidates everywhere(SelectionIndex index, PodDemand demand, LongPredicate keys) {
        Selection none = new Selection(new Selection.Limits(0, 0, 0)).withTooMany();
        return new Candidates(index, demand, none, false, keys);
    }

    /** Whether the pod may go to no more than so many nodes. */
    public boolean areAtMost(int nodes) {
        return !freeToo && !selection.isTooMany() && selection.size() <= nodes;
    }

    /**
     * Returns all nodes that the pod may go to by all static constraints and by what CPU and memory they have free, in no
     * particular order, some perhaps several times. Only to be asked for where they are at most some number.
     */
    public List<NodeState> nodes() {
        if (freeToo || selection.isTooMany()) {
            throw new IllegalStateException("there may be many nodes");
        }
        List<NodeState> admitted = new ArrayList<>(selection.size());
        boolean fetch = selection.size() <= MOST_FETCHED;
        if (!fetch) {
            index.catchUp();
        }
        ClusterIndex nodes = ClusterIndex.of(index.current());
        for (NodeBucket bucket : selection.buckets()) {
            bucket.forEach(known -> {
                NodeState last = known.spot().node();
                NodeState node = fetch ? nodes.node(NodeAccess.location(last)) : last;
                if (NodeFit.hasResources(demand, node) && Admission.of(demand, node)) {
                    admitted.add(node);
                }
            });
        }
        return admitted;
    }

    /** Returns a test that all nodes pass, by their keys in the node order, which the pod may ever go to. */
    public LongPredicate keys() {
        return keys;
    }

    /** Returns trees that hold all nodes that the pod may ever go to, and perhaps others. */
    public List<ClassIndex> trees() {
        if (selection.isTooMany()) {
            return ClusterIndex.of(index.current()).classes();
        }
        index.catchUp();
        List<ClassIndex> trees = new ArrayList<>();
        for (NodeBucket bucket : selection.buckets()) {
            bucket.addTrees(trees);
        }
        if (freeToo) {
            for (ClassIndex tree : ClusterIndex.of(index.current()).classes()) {
                if (!NodeAccess.isMixed(tree.nodeClass())
                        || tree.nodeClass().taints().isEmpty()) {
                    trees.add(tree);
                }
            }
        }
        return trees;
    }
}
