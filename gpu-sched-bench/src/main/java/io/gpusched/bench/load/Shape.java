package io.gpusched.bench.load;

import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.List;

/**
 * What one kind of pod asks, and how often it arrives.
 *
 * @param resources CPU and memory
 * @param gpu GPUs
 * @param weight how often it arrives, relative to the other shapes of its mix
 */
public record Shape(Resources resources, GpuRequest gpu, int weight) {
    /** Returns a shape in the terms of the openb trace: {@code gpuMillis} of each of {@code gpus} devices. */
    static Shape openb(long cpuMillis, long memoryMib, int gpus, int gpuMillis, int weight) {
        GpuRequest request = gpus == 0
                ? GpuRequest.none()
                : gpuMillis == 1000
                        ? GpuRequest.exclusive(gpus)
                        : GpuRequest.share(gpuMillis, GpuMemory.none()).withCount(gpus);
        return new Shape(new Resources(cpuMillis, memoryMib), request, weight);
    }

    /** Returns a pod of this shape. */
    public Pod pod(String id) {
        return new Pod(PodId.of(id), List.of(Container.of("main", resources, gpu)), NodeSelector.ANY, List.of());
    }
}
