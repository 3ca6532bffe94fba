package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a pod holds of one GPU while it lives, all its containers together.
 *
 * @param gpu UUID
 * @param memoryMib memory in MiB
 * @param cores compute in percent of one GPU
 * @param slots how many users it counts as
 */
record VgpuUsage(String gpu, long memoryMib, long cores, long slots) {
    /**
     * Returns what a pod holds per GPU, ordered by UUID: of memory and compute the greater of the sum over its app
     * containers and the greatest single init container, each on its own; one slot for each app container, one for all
     * init containers together, which run one after the other.
     *
     * @param initContainers how many of the containers, from the first, are init containers
     * @param containers the shares of each container, init containers first
     */
    public static List<VgpuUsage> collapse(int initContainers, List<List<VgpuShare>> containers) {
        Map<String, VgpuUsage> init = new TreeMap<>();
        Map<String, VgpuUsage> apps = new TreeMap<>();
        for (int c = 0; c < containers.size(); c++) {
            boolean isInit = c < initContainers;
            for (VgpuShare share : containers.get(c)) {
                VgpuUsage one = new VgpuUsage(share.gpu(), share.memoryMib(), share.cores(), 1);
                (isInit ? init : apps).merge(share.gpu(), one, isInit ? VgpuUsage::max : VgpuUsage::plus);
            }
        }
        init.forEach((gpu, peak) -> apps.merge(gpu, peak, VgpuUsage::max));
        return List.copyOf(apps.values());
    }

    private VgpuUsage max(VgpuUsage other) {
        return new VgpuUsage(
                gpu, Math.max(memoryMib, other.memoryMib), Math.max(cores, other.cores), Math.max(slots, other.slots));
    }

    private VgpuUsage plus(VgpuUsage other) {
        return new VgpuUsage(gpu, memoryMib + other.memoryMib, cores + other.cores, slots + other.slots);
    }
}
