package io.gpusched.analysis;

import io.gpusched.internal.fit.GpuTake;
import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;

/**
 * Sums that tell that pods cannot fit, never that they can: what they take at least, wherever they go, against what is
 * free at most.
 *
 * @param gpus whole GPUs
 * @param shareMillis compute of GPUs held in part
 */
record BulkAmounts(long cpuMillis, long memoryMib, long gpus, long shareMillis) {
    static final BulkAmounts NOTHING = new BulkAmounts(0, 0, 0, 0);

    /** What a cluster has free, unhealthy GPUs and cordoned nodes included; O(1). */
    static BulkAmounts free(Cluster cluster) {
        ClusterTotals totals = cluster.totals();
        return new BulkAmounts(
                totals.capacity().cpuMillis() - totals.used().cpuMillis(),
                totals.capacity().memoryMib() - totals.used().memoryMib(),
                totals.idleGpus(),
                totals.gpuComputeMillis() - totals.usedGpuComputeMillis());
    }

    /** What a node has free, counted so that no more is taken off than {@link #free(Cluster)} counts. */
    static BulkAmounts free(NodeState node) {
        return new BulkAmounts(node.freeCpuMillis(), node.freeMemoryMib(), node.idleGpus(), node.freeComputeMillis());
    }

    /**
     * What a pod takes of any node at least; init containers aside, for they may share with others, and containers that ask for
     * one of several alternatives, for they may get another one next time.
     */
    static BulkAmounts asked(Pod pod) {
        long gpus = 0;
        long millis = 0;
        for (Container container : pod.containers()) {
            GpuRequest request = container.gpu();
            if (container.kind() == ContainerKind.INIT || request.alternatives().size() > 1) {
                continue;
            }
            if (request instanceof GpuRequest.Share share) {
                millis += (long) share.count() * share.computeMillis();
            } else if (GpuTake.isWhole(request)) {
                gpus += request.count();
            }
        }
        return new BulkAmounts(pod.resources().cpuMillis(), pod.resources().memoryMib(), gpus, millis);
    }

    BulkAmounts plus(BulkAmounts other) {
        return new BulkAmounts(
                cpuMillis + other.cpuMillis,
                memoryMib + other.memoryMib,
                gpus + other.gpus,
                shareMillis + other.shareMillis);
    }

    BulkAmounts minus(BulkAmounts other) {
        return new BulkAmounts(
                cpuMillis - other.cpuMillis,
                memoryMib - other.memoryMib,
                gpus - other.gpus,
                shareMillis - other.shareMillis);
    }

    boolean fitsIn(BulkAmounts other) {
        return cpuMillis <= other.cpuMillis
                && memoryMib <= other.memoryMib
                && gpus <= other.gpus
                && shareMillis <= other.shareMillis;
    }
}
