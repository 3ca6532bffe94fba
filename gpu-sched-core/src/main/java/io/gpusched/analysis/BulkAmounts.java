package io.gpusched.analysis;

import io.gpusched.model.Cluster;
import io.gpusched.model.ClusterTotals;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;

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

    /** What a pod takes of any node at least; init containers aside, for they may share with others. */
    static BulkAmounts asked(Placement placement) {
        long gpus = 0;
        long millis = 0;
        for (ContainerGrant container : placement.containers()) {
            if (container.kind() != ContainerKind.INIT && container.gpus() instanceof GpuGrant.Shared shared) {
                millis += shared.shares().stream()
                        .mapToLong(GpuShare::computeMillis)
                        .sum();
            } else if (container.kind() != ContainerKind.INIT && container.gpus() instanceof GpuGrant.Whole whole) {
                gpus += whole.gpus().size();
            } else {
                gpus += container.gpus() instanceof GpuGrant.WholeNode ? 1 : 0;
            }
        }
        return new BulkAmounts(
                placement.resources().cpuMillis(), placement.resources().memoryMib(), gpus, millis);
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
