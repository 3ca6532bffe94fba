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
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where to look for room for a pod that selects nodes, tolerates taints or asks for resources by name. Good until another pod is
 * asked for.
 */
public final class Candidates {
    /** So many nodes are quicker looked up in the snapshot than what changed since the last is followed. */
    private static final int MOST_FETCHED = 2;

    private final SelectionIndex index;
    private final PodDemand demand;

    /** Nodes among which are all candidates, or those of them that have taints; too many if trees of them would not help. */
    private final Selection selection;

    /** Whether the nodes without taints are candidates as well, and too many to be among the selected ones. */
    private final boolean freeToo;

    /** Tests by the number of a node whether labels and taints admit the pod. */
    private final IntPredicate test;

    Candidates(SelectionIndex index, PodDemand demand, Selection selection, boolean freeToo, IntPredicate test) {
        this.index = index;
        this.demand = demand;
        this.selection = selection;
        this.freeToo = freeToo;
        this.test = test;
    }

    private boolean isNarrow() {
        return !freeToo && !selection.isTooMany();
    }

    /** Whether the pod may go to no more than so many nodes. */
    public boolean areAtMost(int nodes) {
        return isNarrow() && selection.size() <= nodes;
    }

    /**
     * Returns all nodes that the pod may go to by all static constraints and by what CPU and memory they have free, in no
     * particular order, some perhaps several times; null if labels and taints leave more nodes than so many.
     *
     * <p>Costs a look at two arrays for each node of the narrowest requirement, or for each node of the cluster if none is
     * narrow, and a look at the state of each that labels and taints leave.
     */
    public @Nullable List<NodeState> nodes(int most) {
        boolean fetch = isNarrow() && selection.size() <= MOST_FETCHED;
        if (!fetch) {
            index.catchUp();
        }
        Collector collector = new Collector(fetch ? ClusterIndex.of(index.current()) : null, most);
        if (isNarrow()) {
            selection.buckets().forEach(bucket -> bucket.forEach(collector));
        } else {
            index.forEach(collector);
        }
        return collector.admitted > most ? null : collector.nodes;
    }

    /** Collects the nodes that may take the pod. */
    private final class Collector implements Consumer<KnownNode> {
        private final @Nullable ClusterIndex snapshot;
        private final int most;
        private final List<NodeState> nodes = new ArrayList<>();
        private int admitted;

        /**
         * @param snapshot where to look nodes up; null if their last known states are current
         */
        Collector(@Nullable ClusterIndex snapshot, int most) {
            this.snapshot = snapshot;
            this.most = most;
        }

        @Override
        public void accept(KnownNode known) {
            if (admitted > most || !test.test(known.id())) {
                return;
            }
            admitted++;
            NodeState last = known.spot().node();
            NodeState node = snapshot == null ? last : snapshot.node(NodeAccess.location(last));
            if (NodeFit.hasResources(demand, node) && Admission.of(demand, node)) {
                nodes.add(node);
            }
        }
    }

    /** Returns a test that exactly those nodes pass, by their keys in the node order, which labels and taints admit. */
    public LongPredicate keys() {
        return index.byOrder(test);
    }

    /** Returns trees that hold all nodes that the pod may go to at this snapshot, and perhaps others. */
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
