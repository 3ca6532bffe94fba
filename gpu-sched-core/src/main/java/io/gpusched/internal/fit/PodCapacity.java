package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuRequest;

/**
 * How many equal pods fit, counted instead of placed: exact for pods that each take one from that number wherever they
 * go ({@link #isExact}).
 */
public final class PodCapacity {
    private PodCapacity() {}

    /**
     * Whether a pod takes exactly one from the number of its like that a node can take, wherever it is put there, so that
     * counting is exact.
     */
    public static boolean isExact(PodDemand demand) {
        GpuRequest single = demand.single();
        return single != null
                && demand.otherwise() == null
                && !demand.needsPartitions()
                && (GpuTake.isWhole(single) && !Bonds.include(single.selector().affinity(), Bond.NVLINK_CLIQUE)
                        || single.count() <= 1);
    }

    /** The machine with all its GPUs healthy, and not cordoned. */
    public static Node healed(Node machine) {
        Node healed = machine.withCordoned(false);
        for (Gpu gpu : machine.gpus()) {
            healed = gpu.healthy() ? healed : healed.withGpuHealth(gpu.index(), true);
        }
        return healed;
    }

    /** How many such pods a node that admits them can take. */
    public static long of(PodDemand demand, NodeState node) {
        GpuRequest request = demand.single();
        if (request == null || FitRule.ofState(demand, node) != null) {
            return 0;
        }
        if (request instanceof GpuRequest.WholeNode) {
            return FitRule.canTakeWhole(request, node) ? 1 : 0;
        }
        long most = byResources(demand, node);
        if (request.isNone()) {
            return most;
        }
        GpuRequest.Partition partition = demand.singlePartition();
        if (partition != null) {
            return Math.min(most, PartitionFit.count(partition, node) / partition.instances());
        }
        return request instanceof GpuRequest.Share share
                ? shares(share, node, most)
                : Math.min(most, wholeGpus(request, node));
    }

    /** Returns no less than the number of such pods that a node can take: as many as its resources and its pod limit leave room for. */
    public static long atMost(PodDemand demand, NodeState node) {
        return FitRule.ofState(demand, node) == null ? byResources(demand, node) : 0;
    }

    private static long byResources(PodDemand demand, NodeState node) {
        long most = (long) node.nodeClass().maxPods() - node.podCount();
        most = atMost(most, demand.resources().cpuMillis(), node.freeCpuMillis());
        most = atMost(most, demand.resources().memoryMib(), node.freeMemoryMib());
        NamedAmounts named = demand.resources().named();
        return named.isEmpty() ? most : Math.min(most, named.timesIn(node.freeNamed()));
    }

    private static long atMost(long most, long each, long free) {
        return each == 0 || most * each <= free ? most : free / each;
    }

    private static long wholeGpus(GpuRequest request, NodeState node) {
        long idle = FitRule.idleAccepted(request, node);
        if (Bonds.isNone(request.selector().affinity())) {
            return Long.bitCount(idle) / request.count();
        }
        long sum = 0;
        while (idle != 0) {
            long near = Bonds.onNumaNodeOf(node.nodeClass(), Long.numberOfTrailingZeros(idle), idle);
            sum += Long.bitCount(near) / request.count();
            idle &= ~near;
        }
        return sum;
    }

    private static long shares(GpuRequest.Share share, NodeState node, long most) {
        long sum = 0;
        for (int g = 0; g < node.gpuCount() && sum < most; g++) {
            if (FitRule.fits(share, node, g)) {
                GpuShare part = share.on(node.nodeClass().gpus().get(g));
                long here = node.freeSlots(g) / part.slots();
                here = atMost(here, part.computeMillis(), node.freeComputeMillis(g));
                sum += atMost(here, part.memoryMib(), node.freeMemoryMib(g));
            }
        }
        return Math.min(most, sum);
    }
}
