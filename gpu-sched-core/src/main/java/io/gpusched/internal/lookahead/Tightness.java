package io.gpusched.internal.lookahead;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/**
 * What {@link io.gpusched.policy.BinPack} scores: the rule itself. By it the policy scores a placement, and the search
 * for the tightest room orders the rooms that it asks for. The higher, the better.
 */
public final class Tightness {
    private static final int ALL = 100;

    private Tightness() {}

    /**
     * Returns the score of a placement.
     *
     * @param idle how many idle GPUs it takes
     * @param level what was left of the GPUs that it takes parts of: the sum of their levels
     * @param takesParts whether it takes parts of any GPU that was not idle
     * @param idleOnNode how many GPUs idled on its node before
     */
    public static long score(long idle, long level, boolean takesParts, int idleOnNode) {
        return -(idle << 32 | level << 8 | (takesParts ? 0 : idleOnNode));
    }

    /** Returns the level of a shared GPU: the percentage left, rounded down, of compute or of memory; of no memory 100. */
    public static int level(NodeState node, int gpu, boolean byCompute) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        if (byCompute) {
            return node.freeComputeMillis(gpu) * 100 / device.computeMillis();
        }
        return device.memoryMib() == 0 ? 100 : (int) (node.freeMemoryMib(gpu) * 100 / device.memoryMib());
    }

    /** Returns whether a GPU is of this {@link #level}; to multiply is faster than to divide. */
    public static boolean isOfLevel(NodeState node, int gpu, boolean byCompute, int level) {
        Gpu device = node.nodeClass().gpus().get(gpu);
        long all = byCompute ? device.computeMillis() : device.memoryMib();
        long left = byCompute ? node.freeComputeMillis(gpu) : node.freeMemoryMib(gpu);
        long above = left * 100 - level * all;
        return all == 0 ? level == 100 : above >= 0 && above < all;
    }

    /** Returns whether what is left for a share is measured by compute, else by memory. */
    public static boolean isByCompute(GpuRequest.Share share) {
        return share.computeMillis() > 0 || share.memory().on(Long.MAX_VALUE >>> 8) == 0;
    }

    /** Returns the least {@linkplain #level level} at which any GPU of some classes could hold a share; 100 if none can. */
    public static int leastLevel(GpuRequest.Share share, List<NodeClass> classes) {
        boolean byCompute = isByCompute(share);
        long least = ALL;
        for (int i = 0; i < classes.size(); i++) {
            List<Gpu> kinds = classes.get(i).kinds();
            for (int kind = 0; kind < kinds.size(); kind++) {
                Gpu gpu = kinds.get(kind);
                long capacity = byCompute ? gpu.computeMillis() : gpu.memoryMib();
                long need = byCompute ? share.computeMillis() : share.memory().on(capacity);
                least = capacity == 0 ? least : Math.min(least, need * ALL / capacity);
            }
        }
        return (int) least;
    }
}
