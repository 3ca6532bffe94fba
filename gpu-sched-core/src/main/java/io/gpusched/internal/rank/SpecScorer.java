package io.gpusched.internal.rank;

import io.gpusched.internal.fit.FitRule;
import io.gpusched.internal.fit.LayoutSearch;
import io.gpusched.internal.fit.PodDemand;
import io.gpusched.internal.index.SnapshotIndex;
import io.gpusched.model.NodeState;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import org.jspecify.annotations.Nullable;

/** What a policy says of nodes for pods of one spec. Not thread-safe. */
final class SpecScorer {
    /** The pod itself may run by the time, so one under a name of its own stands for all of its spec. */
    private static final PodId ANY_OF_SPEC = new PodId("gpusched.io", "any of this spec");

    private final PlacementPolicy policy;
    private final SnapshotIndex index;
    private final StatisticsTracker tracker;
    private final PodDemand demand;
    private final boolean isByOccupancy;

    SpecScorer(PlacementPolicy policy, SnapshotIndex index, StatisticsTracker tracker, PodDemand named) {
        this.policy = policy;
        this.index = index;
        this.tracker = tracker;
        this.demand = new PodDemand(named.pod().withId(ANY_OF_SPEC)).withAvoided(named.avoided());
        this.isByOccupancy = policy.scope() == PlacementPolicy.Scope.OCCUPANCY
                && demand.pod().nodeSelector().terms().isEmpty()
                && !demand.looksAtUuids();
    }

    /** Returns what a node must have free to be worth a look. */
    NodeGroups.Least least() {
        int share = 0;
        for (Container container : demand.gpuContainers()) {
            if (container.gpu() instanceof GpuRequest.Share part) {
                share = Math.max(share, part.computeMillis());
            }
        }
        return new NodeGroups.Least(
                demand.resources().cpuMillis(), demand.resources().memoryMib(), demand.mostIdle(), share);
    }

    /** Whether nodes of equal occupancy score equally. */
    boolean isByOccupancy() {
        return isByOccupancy;
    }

    /** Returns the node in a slot. */
    NodeState node(int slot) {
        return index.state(slot);
    }

    /** Whether a node may take the pod; a quick look that is mostly right. */
    boolean mayFit(NodeState node) {
        return node.idleGpus() >= demand.mostIdle() && FitRule.butForGpus(demand, node) == null;
    }

    /** Returns what the policy says of a node that {@link #mayFit}, null if it cannot take the pod. */
    @Nullable
    Scored score(NodeState node) {
        LayoutSearch.Found found = LayoutSearch.best(demand, node, policy);
        return found == null ? null : new Scored(found.score(), tracker.key(node, found));
    }
}
