package io.gpusched.internal.fit;

import io.gpusched.model.Gpu;
import io.gpusched.workload.GpuRequest;

/** What a request takes of the GPUs that it gets. A request with alternatives is asked for each of them by itself. */
public final class GpuTake {
    private GpuTake() {}

    /** Whether it takes its GPUs whole, so that no other pod may have a part of them. */
    public static boolean isWhole(GpuRequest request) {
        return request instanceof GpuRequest.Exclusive || request instanceof GpuRequest.WholeNode;
    }

    /** Whether a GPU has as much as the request takes when it is idle; the selector is not looked at. */
    public static boolean fitsOnIdle(GpuRequest request, Gpu gpu) {
        if (request instanceof GpuRequest.Partition partition) {
            return gpu.partitions().names().contains(partition.profile());
        }
        return !gpu.partitions().isAlwaysCut()
                && (!(request instanceof GpuRequest.Share share)
                        || share.computeMillis() <= gpu.computeMillis()
                                && share.memory().on(gpu.memoryMib()) <= gpu.memoryMib()
                                && share.slots() <= gpu.slots());
    }
}
