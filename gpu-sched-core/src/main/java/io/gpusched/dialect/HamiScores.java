package io.gpusched.dialect;

import java.util.List;
import java.util.Locale;

/** The scores by which HAMi orders GPUs and nodes. Higher means fuller. They order, they never decide what fits. */
public final class HamiScores {
    private static final double SCALE = 10;

    private HamiScores() {}

    /**
     * Returns how full a GPU would be with the requests of its type on it: ten times the weighted sum of the parts of
     * slots, compute and memory in use; 0 for a GPU that lacks one of the three. Each request counts as one slot, however
     * many GPUs it is for. 3 of 10 slots, 2 of 4 compute and 3,072 of 8,192 MiB with equal weights score 11.75.
     */
    public static double gpu(VgpuDevice gpu, List<VgpuRequest> requests, HamiWeights weights) {
        VgpuDevice.Amount slots = gpu.slots();
        VgpuDevice.Amount cores = gpu.cores();
        VgpuDevice.Amount memory = gpu.memoryMib();
        if (slots.total() == 0 || cores.total() == 0 || memory.total() == 0) {
            return 0;
        }
        for (VgpuRequest request : requests) {
            if (request.type().equals(gpu.type()) || isVendorOf(request, gpu)) {
                slots = slots.plus(1);
                cores = cores.plus(request.cores());
                memory = memory.plus(scoredMemoryMib(request, memory.total()));
            }
        }
        return SCALE * (weights.slot() * part(slots) + weights.core() * part(cores) + weights.memory() * part(memory));
    }

    /** Returns how full a node is before the request: ten times the sum of the parts in use over all its GPUs. */
    public static double node(List<VgpuDevice> gpus) {
        VgpuDevice.Amount slots = new VgpuDevice.Amount(0, 0);
        VgpuDevice.Amount cores = slots;
        VgpuDevice.Amount memory = slots;
        for (VgpuDevice gpu : gpus) {
            slots = sum(slots, gpu.slots());
            cores = sum(cores, gpu.cores());
            memory = sum(memory, gpu.memoryMib());
        }
        return slots.total() == 0 || cores.total() == 0 || memory.total() == 0
                ? 0
                : SCALE * (part(slots) + part(cores) + part(memory));
    }

    /** A request names a vendor, a GPU often vendor and model: {@code NVIDIA} and {@code NVIDIA A100}. */
    private static boolean isVendorOf(VgpuRequest request, VgpuDevice gpu) {
        String type = gpu.type().toUpperCase(Locale.ROOT);
        String vendor = request.type().toUpperCase(Locale.ROOT);
        return type.startsWith(vendor + " ") || type.startsWith(vendor + "-");
    }

    /** In the score the percentage counts even where an amount decides the fit. */
    private static long scoredMemoryMib(VgpuRequest request, long totalMib) {
        return request.memoryPercent().isPresent()
                ? totalMib * request.memoryPercent().getAsInt() / 100
                : request.memoryMib();
    }

    private static VgpuDevice.Amount sum(VgpuDevice.Amount a, VgpuDevice.Amount b) {
        return new VgpuDevice.Amount(a.used() + b.used(), a.total() + b.total());
    }

    private static double part(VgpuDevice.Amount amount) {
        return (double) amount.used() / amount.total();
    }
}
