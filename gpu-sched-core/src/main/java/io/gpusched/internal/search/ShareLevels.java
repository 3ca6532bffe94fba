package io.gpusched.internal.search;

import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** What must be left of a GPU for a share of it, in percent. */
final class ShareLevels {
    private static final int NONE = 100;

    private ShareLevels() {}

    /** Whether what is left is measured by compute, else by memory. */
    static boolean areByCompute(GpuRequest.Share share) {
        return share.computeMillis() > 0 || share.memory().on(Long.MAX_VALUE >>> 8) == 0;
    }

    /** The least level at which any GPU of some classes could hold a share; 100 if none can. */
    static int least(GpuRequest.Share share, List<NodeClass> classes) {
        boolean byCompute = areByCompute(share);
        long least = NONE;
        for (int i = 0; i < classes.size(); i++) {
            List<Gpu> kinds = classes.get(i).kinds();
            for (int kind = 0; kind < kinds.size(); kind++) {
                Gpu gpu = kinds.get(kind);
                long capacity = byCompute ? gpu.computeMillis() : gpu.memoryMib();
                long need = byCompute ? share.computeMillis() : share.memory().on(capacity);
                least = capacity == 0 ? least : Math.min(least, need * 100 / capacity);
            }
        }
        return (int) least;
    }
}
