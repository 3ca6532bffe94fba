package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** How much work it is to lay a pod out on a node, said beforehand. */
public final class LayoutCount {
    /** Ways to choose GPUs of several kinds that are few enough not to be counted. */
    private static final int MOST_UNCOUNTED_WAYS = 256;

    private LayoutCount() {}

    /**
     * Whether the ways to lay a pod out on any node of a class are so few that no steps have to be counted: one GPU or
     * none, the whole node, or idle GPUs of few kinds.
     */
    public static boolean isQuick(PodDemand demand, NodeClass nodeClass) {
        GpuRequest single = demand.single();
        GpuRequest.Partition partition = demand.singlePartition();
        if (partition != null) {
            return partition.instances() == 1;
        }
        if (single == null || !GpuTake.isWhole(single)) {
            return single != null && single.count() <= 1;
        }
        if (LinkSets.matter(nodeClass, single.selector().affinity(), single.count())) {
            return single instanceof GpuRequest.WholeNode || nodeClass.gpus().size() <= LinkSets.MOST_EXACT;
        }
        long ways = 1;
        for (Gpu kind : nodeClass.kinds()) {
            long one = Math.min(Long.bitCount(nodeClass.alike(kind.index())), single.count()) + 1L;
            ways *= single.selector().looksAtUuids() ? one * one : one;
            if (ways > MOST_UNCOUNTED_WAYS) {
                return single instanceof GpuRequest.WholeNode;
            }
        }
        return true;
    }

    /** Whether that holds of all nodes of some classes. */
    public static boolean isQuick(PodDemand demand, List<NodeClass> classes) {
        for (int i = 0; i < classes.size(); i++) {
            if (!isQuick(demand, classes.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns about how many steps it takes to lay a pod out on a node without looking back. */
    public static long leastSteps(PodDemand demand, NodeState node) {
        if (demand.wholeNode()
                || demand.needsPartitions()
                || demand.gpuContainers().isEmpty()) {
            return 0;
        }
        LayoutPlan plan = demand.plan();
        return LayoutProblem.steps(plan, node)
                + 10L * node.gpuCount() * plan.units()
                + plan.stepsToScore(node.gpuCount());
    }
}
