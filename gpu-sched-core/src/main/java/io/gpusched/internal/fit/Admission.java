package io.gpusched.internal.fit;

import io.gpusched.internal.rules.RuleSet;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** What does not depend on what runs: whether a pod may go to a class of nodes, or to a node, at all. */
public final class Admission {
    private Admission() {}

    /** What a class as a whole answers to a pod. */
    public enum Verdict {
        /** No node of the class can ever take it. */
        NEVER,
        /** Each node's own labels and taints have to be looked at. */
        ASK_NODES,
        /** All static constraints are met on every node of the class. */
        ALL_NODES
    }

    public static Verdict of(PodDemand demand, NodeClass nodeClass) {
        if (!demand.acceptsTaints(nodeClass.taints()) || !admitsHardware(demand, nodeClass)) {
            return Verdict.NEVER;
        }
        return demand.pod().nodeSelector().terms().isEmpty() && !demand.isRuled()
                ? Verdict.ALL_NODES
                : Verdict.ASK_NODES;
    }

    /** Whether nodes of the class, taints aside, are of the mode and size for a pod and have the GPUs. */
    public static boolean admitsHardware(PodDemand demand, NodeClass nodeClass) {
        return admitsMode(demand, nodeClass)
                && fits(demand.resources(), nodeClass)
                && nodeClass.maxPods() > 0
                && hasGpus(demand, nodeClass);
    }

    /** Whether a node of the class may have so much; the exact amounts of named resources are each node's own. */
    private static boolean fits(Resources asked, NodeClass nodeClass) {
        Resources capacity = nodeClass.capacity();
        return asked.cpuMillis() <= capacity.cpuMillis()
                && asked.memoryMib() <= capacity.memoryMib()
                && asked.named().fitsIn(capacity.named());
    }

    /** Whether a pod meets all static constraints of this node. */
    public static boolean of(PodDemand demand, NodeState node) {
        Verdict verdict = of(demand, node.nodeClass());
        return verdict == Verdict.ALL_NODES || verdict == Verdict.ASK_NODES && admits(demand, node);
    }

    /** Whether a node's own labels are accepted, its taints tolerated and all rules met; asked where the class could not tell. */
    public static boolean admits(PodDemand demand, NodeState node) {
        RuleSet rules = demand.rules();
        return demand.acceptsTaints(node.nodeClass().taints())
                && demand.acceptsLabels(node.node())
                && (rules == null || rules.admits(node.node()));
    }

    public static boolean admitsMode(PodDemand demand, NodeClass nodeClass) {
        return (!demand.needsWhole() || nodeClass.mode().admitsWhole())
                && (!demand.needsShares() || nodeClass.mode().admitsShares());
    }

    /** Whether each container alone finds enough GPUs of the right kind, UUIDs aside. */
    private static boolean hasGpus(PodDemand demand, NodeClass nodeClass) {
        List<Container> containers = demand.gpuContainers();
        for (int i = 0; i < containers.size(); i++) {
            GpuRequest request = containers.get(i).gpu();
            if (!(request instanceof GpuRequest.Partition) && !hasGpus(request, nodeClass)) {
                return false;
            }
        }
        return PartitionFit.mayServe(demand, nodeClass);
    }

    private static boolean hasGpus(GpuRequest request, NodeClass nodeClass) {
        int count = 0;
        List<Gpu> kinds = nodeClass.kinds();
        for (int i = 0; i < kinds.size(); i++) {
            Gpu kind = kinds.get(i);
            count += mayServe(request, kind) ? Long.bitCount(nodeClass.alike(kind.index())) : 0;
        }
        return count >= gpusNeeded(request, nodeClass);
    }

    private static int gpusNeeded(GpuRequest request, NodeClass nodeClass) {
        return request instanceof GpuRequest.WholeNode
                ? Math.max(1, nodeClass.gpus().size())
                : request.count();
    }

    private static boolean mayServe(GpuRequest request, Gpu gpu) {
        return request.selector().acceptsModel(gpu) && GpuTake.fitsOnIdle(request, gpu);
    }
}
