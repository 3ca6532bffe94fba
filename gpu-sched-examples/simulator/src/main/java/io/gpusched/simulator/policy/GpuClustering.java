package io.gpusched.simulator.policy;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Objects;

/**
 * Puts like to like: pods that share GPUs with pods that share, pods of n whole GPUs with pods of n whole GPUs.
 *
 * <p>The score follows the GpuClustering baseline in "Beware of Fragmentation" (USENIX ATC 2023): up to 25 points for how
 * much of eight GPUs is in use, and 75 more where only pods of the same kind run, 50 where such pods run among others, 25
 * where no pod with GPUs runs; 0 for pods without GPUs. What counts is what runs now. Equal scores end with the GPU that
 * has least left. Immutable and thread-safe.
 */
public final class GpuClustering implements PlacementPolicy {
    private static final long FULL_MILLIS = 8_000;
    private static final int NO_GPU = -1;
    private static final int SHARE = 0;
    private static final GpuClustering INSTANCE = new GpuClustering();

    private GpuClustering() {}

    /** Returns the policy. */
    public static GpuClustering of() {
        return INSTANCE;
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        int kind = kind(pod, before.gpuCount());
        if (kind == NO_GPU) {
            return 0;
        }
        long inUse = 25 * Math.max(0, FULL_MILLIS - before.freeComputeMillis()) / FULL_MILLIS;
        return (inUse + affinity(before, kind) << 16) - Math.min(Taken.leftOnSharedGpus(before, after), 0xFFFF);
    }

    private static int affinity(NodeState node, int kind) {
        boolean same = false;
        boolean other = false;
        for (Placement placement : node.placements()) {
            int its = kind(placement);
            same |= its == kind;
            other |= its != kind && its != NO_GPU;
        }
        return same ? other ? 50 : 75 : other ? 0 : 25;
    }

    private static int kind(Pod pod, int gpusOfNode) {
        int whole = 0;
        boolean shares = false;
        for (Container container : pod.containers()) {
            GpuRequest request = container.gpu();
            if (request instanceof GpuRequest.Exclusive exclusive) {
                whole += exclusive.count();
            } else if (request instanceof GpuRequest.WholeNode) {
                whole += gpusOfNode;
            }
            shares |= request instanceof GpuRequest.Share;
        }
        return whole > 0 ? whole : shares ? SHARE : NO_GPU;
    }

    private static int kind(Placement placement) {
        int whole = 0;
        boolean shares = false;
        for (ContainerGrant container : placement.containers()) {
            if (container.gpus() instanceof GpuGrant.Shared) {
                shares = true;
            } else {
                whole += container.gpus().indexes().size();
            }
        }
        return whole > 0 ? whole : shares ? SHARE : NO_GPU;
    }

    @Override
    public String toString() {
        return "gpu-clustering";
    }
}
