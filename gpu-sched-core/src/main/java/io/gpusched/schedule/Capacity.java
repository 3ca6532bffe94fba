package io.gpusched.schedule;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Room;
import io.gpusched.workload.GpuRequest;

/**
 * How many equal pods fit, counted instead of placed: exact for pods of which each takes one from that number wherever it
 * goes ({@link Gang.Kind#isCountable()}).
 */
final class Capacity {
    private Capacity() {}

    /** Whether at least so many pods fit into a range of the node order; O(nodes with room there). */
    static boolean isAtLeast(Cluster cluster, PodDemand demand, int fromOrder, int toOrder, long least) {
        long[] sum = {0};
        for (NodeClass nodeClass : cluster.classes()) {
            Admission.Verdict verdict = Admission.of(demand, nodeClass);
            if (verdict != Admission.Verdict.NEVER && sum[0] < least) {
                boolean ask = verdict == Admission.Verdict.ASK_NODES;
                Room room = demand.wholeNode() ? Room.emptyNode(demand.resources()) : Room.of(demand.resources());
                cluster.first(nodeClass, room, fromOrder, toOrder, node -> {
                    sum[0] += ask && !Admission.admits(demand.pod(), node) ? 0 : of(demand, node);
                    return sum[0] >= least;
                });
            }
        }
        return sum[0] >= least;
    }

    /** How many such pods a node that admits them can take. */
    static long of(PodDemand demand, NodeState node) {
        GpuRequest request = demand.single();
        if (request == null || !NodeFit.hasResources(demand, node)) {
            return 0;
        }
        if (request instanceof GpuRequest.WholeNode) {
            return NodeFit.canTakeWhole(request, node) ? 1 : 0;
        }
        long most = node.nodeClass().maxPods() - node.podCount();
        most = atMost(most, demand.resources().cpuMillis(), node.freeCpuMillis());
        most = atMost(most, demand.resources().memoryMib(), node.freeMemoryMib());
        if (request instanceof GpuRequest.Exclusive exclusive) {
            return Math.min(most, wholeGpus(exclusive, node));
        }
        return request instanceof GpuRequest.Share share ? Math.min(most, shares(share, node, most)) : most;
    }

    private static long atMost(long most, long each, long free) {
        return each == 0 || most * each <= free ? most : free / each;
    }

    private static long wholeGpus(GpuRequest.Exclusive request, NodeState node) {
        long idle = NodeFit.idleAccepted(request, node);
        if (!request.selector().sameNumaNode()) {
            return Long.bitCount(idle) / request.count();
        }
        long sum = 0;
        while (idle != 0) {
            long near = NodeFit.sameNuma(idle, node);
            sum += Long.bitCount(near) / request.count();
            idle &= ~near;
        }
        return sum;
    }

    private static long shares(GpuRequest.Share share, NodeState node, long most) {
        long sum = 0;
        for (int g = 0; g < node.gpuCount() && sum < most; g++) {
            if (NodeFit.fits(share, node, g)) {
                Gpu gpu = node.nodeClass().gpus().get(g);
                long here = node.freeSlots(g) / share.slots();
                here = atMost(here, share.computeMillis(), node.freeComputeMillis(g));
                sum += atMost(here, share.memory().on(gpu.memoryMib()), node.freeMemoryMib(g));
            }
        }
        return sum;
    }
}
