package io.gpusched.internal.search;

import io.gpusched.internal.fit.Admission;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.fit.SearchSteps;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.internal.index.NodeIndex;
import io.gpusched.internal.index.NodeRange;
import io.gpusched.internal.rules.Preferences;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best placement of a pod that prefers some nodes: of all nodes with room those it likes best, and of these the one
 * that the policy likes best. Looks at every node with the CPU and memory.
 */
final class PreferredSearch {
    private final List<? extends NodeIndex> trees;
    private final PodDemand demand;
    private final NodeRange range;
    private final SearchSteps steps;

    PreferredSearch(List<? extends NodeIndex> trees, PodDemand demand, NodeRange range, SearchSteps steps) {
        this.trees = trees;
        this.demand = demand;
        this.range = range;
        this.steps = steps;
    }

    /**
     * Returns the best placement, or null if no node has room.
     *
     * @param best finds the policy's best placement on some nodes
     */
    @Nullable
    Placement best(Preferences preferences, Function<List<NodeState>, @Nullable Placement> best) {
        List<NodeState> nodes = nodesWithRoom();
        long[] scores = preferences.scores(nodes);
        TreeMap<Long, List<NodeState>> tiers = new TreeMap<>();
        for (int i = 0; i < scores.length; i++) {
            tiers.computeIfAbsent(scores[i], score -> new ArrayList<>()).add(nodes.get(i));
        }
        for (List<NodeState> tier : tiers.descendingMap().values()) {
            Placement found = best.apply(tier);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private List<NodeState> nodesWithRoom() {
        List<NodeState> nodes = new ArrayList<>();
        for (NodeIndex tree : trees) {
            if (Admission.of(demand, tree.nodeClass()) != Admission.Verdict.NEVER) {
                tree.first(CapacityQuery.of(demand.resources()), range, node -> {
                    if (NodeFit.hasResources(demand, node) && Admission.admits(demand, node) && hasGpus(node)) {
                        nodes.add(node);
                    }
                    return false;
                });
            }
        }
        return nodes;
    }

    /** Whether the GPUs are known to be enough, or the search of the layouts ran out of steps. */
    private boolean hasGpus(NodeState node) {
        GpuRequest single = demand.single();
        if (!demand.countsDecide() || demand.needsPartitions() || single == null) {
            return mayBeLaidOut(node);
        }
        if (single.takesNode()) {
            return NodeFit.canTakeWhole(single, node);
        }
        return single.isNone() || Long.bitCount(NodeFit.fitting(single, node)) >= single.count();
    }

    private boolean mayBeLaidOut(NodeState node) {
        long allowed = Math.min(steps.left(), LEAST_STEPS);
        SearchSteps mine = steps.atMost(allowed);
        boolean fits = LayoutSearch.fitsGpus(demand, node, mine);
        steps.spend(allowed, mine);
        return fits || mine.isReached();
    }

    /** What a node may cost before it is known whether it has room. */
    private static final long LEAST_STEPS = 500;
}
