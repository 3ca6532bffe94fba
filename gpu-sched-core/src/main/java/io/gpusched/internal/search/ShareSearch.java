package io.gpusched.internal.search;

import io.gpusched.internal.fit.Layout;
import io.gpusched.internal.fit.NodeFit;
import io.gpusched.internal.index.CapacityQuery;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuKind;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the tightest room for a part of one GPU: on shared GPUs by what is left of them, the least first, then on idle ones. */
final class ShareSearch {
    private final ClassWalk walk;
    private final GpuRequest share;

    /** Whether what is left is measured by compute, else by memory. */
    private final boolean byCompute;

    ShareSearch(ClassWalk walk, GpuRequest share) {
        this.walk = walk;
        this.share = share;
        this.byCompute = isByCompute(share);
    }

    @Nullable
    Placement tightest() {
        Placement shared = onSharedGpu();
        return shared != null ? shared : onIdleGpu();
    }

    private @Nullable Placement onIdleGpu() {
        NodeState node = walk.firstByIdleGpus(1, candidate -> NodeFit.idleFitting(share, candidate) != 0);
        return node == null
                ? null
                : Layout.single(walk.demand(), node, Long.lowestOneBit(NodeFit.idleFitting(share, node)));
    }

    private @Nullable Placement onSharedGpu() {
        int[] leastLevels = leastLevels();
        for (int level = nextLevel(0, leastLevels); level >= 0; level = nextLevel(level + 1, leastLevels)) {
            NodeFit.SharedLevel exactly = new NodeFit.SharedLevel(level, byCompute);
            CapacityQuery query = byCompute
                    ? CapacityQuery.withComputeLevel(level, walk.resources())
                    : CapacityQuery.withMemoryLevel(level, walk.resources());
            NodeState node = walk.first(
                    query, candidate -> NodeFit.firstShared(share, candidate, exactly) >= 0, nodeClass -> true);
            if (node != null) {
                return Layout.single(walk.demand(), node, 1L << NodeFit.firstShared(share, node, exactly));
            }
        }
        return null;
    }

    /** The least level, at least this one, that any GPU of a class has left which could take the share; -1 if none has. */
    private int nextLevel(int from, int[] leastLevels) {
        int next = -1;
        for (int i = 0; i < leastLevels.length; i++) {
            if (!walk.mayTake(i)) {
                continue;
            }
            int start = Math.max(from, leastLevels[i]);
            int level = walk.tree(i).nextSharedLevel(start);
            next = level >= 0 && (next < 0 || level < next) ? level : next;
        }
        return next;
    }

    /** For each class the least level at which any of its GPUs could hold the share. */
    private int[] leastLevels() {
        int[] levels = new int[walk.size()];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = leastLevel(walk.nodeClass(i));
        }
        return levels;
    }

    private int leastLevel(NodeClass nodeClass) {
        return leastLevel(share, byCompute, nodeClass);
    }

    /** Returns the least level at which any GPU of a class could hold a share; 100 or more if none can. */
    static int leastLevel(GpuRequest share, NodeClass nodeClass) {
        return leastLevel(share, isByCompute(share), nodeClass);
    }

    private static boolean isByCompute(GpuRequest share) {
        return share.computeMillis() > 0 || share.memory().on(Long.MAX_VALUE >>> 8) == 0;
    }

    private static int leastLevel(GpuRequest share, boolean byCompute, NodeClass nodeClass) {
        long least = 100;
        List<GpuKind> kinds = nodeClass.gpuKinds();
        for (int i = 0; i < kinds.size(); i++) {
            Gpu gpu = kinds.get(i).sample();
            long capacity = byCompute ? gpu.computeMillis() : gpu.memoryMib();
            long need = byCompute ? share.computeMillis() : share.memory().on(capacity);
            least = capacity == 0 ? least : Math.min(least, need * 100 / capacity);
        }
        return (int) least;
    }
}
