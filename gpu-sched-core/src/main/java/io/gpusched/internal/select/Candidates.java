package io.gpusched.internal.select;

import io.gpusched.internal.access.NodeAccess;
import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.ClusterIndex;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
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
    private final @Nullable Lead selected;
    private final @Nullable Lead tolerated;

    private final boolean byTaintsAlone;

    /** Tests by slot whether labels, taints and rules admit the pod; made when first needed. */
    private @Nullable IntPredicate test;

    /**
     * @param selected nodes among which are all candidates; null for all nodes
     * @param tolerated other nodes of which that is true; null for all nodes
     * @param byTaintsAlone whether there are no other requirements than taints
     */
    Candidates(
            SelectionIndex index,
            PodDemand demand,
            @Nullable Lead selected,
            @Nullable Lead tolerated,
            boolean byTaintsAlone) {
        this.index = index;
        this.demand = demand;
        this.selected = selected;
        this.tolerated = tolerated;
        this.byTaintsAlone = byTaintsAlone;
    }

    private @Nullable Lead narrower() {
        Lead one = selected;
        Lead other = tolerated;
        return one == null || other != null && other.size() < one.size() ? other : one;
    }

    /** Whether the pod may go to no more than so many nodes. */
    public boolean areAtMost(int nodes) {
        Lead lead = narrower();
        return lead != null && lead.size() <= nodes;
    }

    /** Whether labels, taints and rules admit the pod to a node of the snapshot. */
    public boolean admit(NodeState node) {
        return test().test(index.nodes().slot(node));
    }

    private IntPredicate test() {
        IntPredicate known = test;
        if (known == null) {
            known = index.test(demand);
            test = known;
        }
        return known;
    }

    /**
     * Returns all nodes that the pod may go to by all static constraints and by what CPU and memory they have free, in no
     * particular order, some perhaps several times; null if these are more than so many.
     */
    public @Nullable List<NodeState> nodes(int most) {
        List<NodeState> nodes = new ArrayList<>();
        Lead lead = narrower();
        if (lead != null && lead.size() <= MOST_FETCHED) {
            ClusterIndex snapshot = ClusterIndex.of(index.current());
            lead.any()
                    .forEach(set -> set.forEach(slot -> {
                        if (test().test(slot)) {
                            addTo(
                                    nodes,
                                    snapshot.node(
                                            NodeAccess.location(index.nodes().state(slot))));
                        }
                    }));
            return nodes.size() > most ? null : nodes;
        }
        for (NodeIndex admitted : admitted()) {
            admitted.first(CapacityQuery.of(demand.resources()), NodeRange.EVERYWHERE, node -> {
                addTo(nodes, node);
                return nodes.size() > most;
            });
        }
        return nodes.size() > most ? null : nodes;
    }

    private void addTo(List<NodeState> nodes, NodeState node) {
        if (NodeFit.hasResources(demand, node) && Admission.of(demand, node.nodeClass()) != Admission.Verdict.NEVER) {
            nodes.add(node);
        }
    }

    private List<NodeIndex> admitted() {
        return index.admitted(demand, selected, tolerated);
    }

    /** Returns what holds all nodes that the pod may go to at this snapshot, and perhaps others. */
    public List<? extends NodeIndex> indexes() {
        // the classes of most nodes tell of their taints
        return byTaintsAlone && tolerated == null
                ? ClusterIndex.of(index.current()).classes()
                : admitted();
    }
}
