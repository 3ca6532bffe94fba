package io.gpusched.conformance.emulation;

import io.gpusched.dialect.vgpu.VgpuDevice;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Volcano's older gpushare plugin: {@value #MEMORY} asks for memory on one GPU, {@value #NUMBER} for idle GPUs, and the
 * annotation {@value #INDEX} says which were given. The pod counts as a whole: its containers are added up, unless one
 * init container needs more.
 */
public final class VolcanoGpuShare {
    /** Memory on one GPU. */
    public static final String MEMORY = "volcano.sh/gpu-memory";

    /** Idle GPUs. */
    public static final String NUMBER = "volcano.sh/gpu-number";

    /** Indexes of the GPUs given, separated by commas. */
    public static final String INDEX = "volcano.sh/gpu-index";

    private VolcanoGpuShare() {}

    /** Returns what a pod needs of one of the two resources: the greater of the init peak and the sum of containers. */
    public static long podDemand(List<Long> initContainers, List<Long> containers) {
        long peak = initContainers.stream().mapToLong(Long::longValue).max().orElse(0);
        return Math.max(peak, containers.stream().mapToLong(Long::longValue).sum());
    }

    /**
     * Returns the GPU with the lowest index that has this much memory free, as a list of one, or none. An over-booked GPU
     * has nothing free.
     */
    public static List<Integer> byMemory(List<VgpuDevice> gpus, long memoryMib) {
        return gpus.stream()
                .filter(gpu -> gpu.healthy() && gpu.memoryMib().free() >= memoryMib)
                .map(VgpuDevice::index)
                .sorted()
                .limit(1)
                .toList();
    }

    /** Returns the idle GPUs with the lowest indexes, or none if there are fewer than asked for. */
    public static List<Integer> byNumber(List<VgpuDevice> gpus, int number) {
        List<Integer> idle = gpus.stream()
                .filter(gpu -> gpu.healthy() && !gpu.isUsed())
                .map(VgpuDevice::index)
                .sorted()
                .limit(number)
                .toList();
        return idle.size() < number ? List.of() : idle;
    }

    /** Returns the value of the annotation {@value #INDEX}. */
    public static String index(List<Integer> gpus) {
        return gpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
