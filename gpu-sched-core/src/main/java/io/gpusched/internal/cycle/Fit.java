package io.gpusched.internal.cycle;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import org.jspecify.annotations.Nullable;

/** Whether a placement that is known fits on a snapshot. */
final class Fit {
    private static final long UNKNOWN = -1;

    private Fit() {}

    /** Returns the snapshot with the placement, on GPUs that are not healthy too, or null if it does not fit. */
    static @Nullable Cluster with(Cluster cluster, Placement placement) {
        NodeState node = cluster.node(placement.node()).orElse(null);
        if (node == null || !mayFit(node, placement)) {
            return null;
        }
        try {
            return cluster.withRunning(placement);
        } catch (PlacementConflictException e) {
            return null;
        }
    }

    /** Whether it fits on a node; for whole GPUs that is told without trying. */
    private static boolean mayFit(NodeState node, Placement placement) {
        if (node.isHeldWhole() || node.podCount() >= node.nodeClass().maxPods()) {
            return false;
        }
        if (placement.resources().cpuMillis() > node.freeCpuMillis()
                || placement.resources().memoryMib() > node.freeMemoryMib()) {
            return placement.holdsWholeNode() && node.isEmpty();
        }
        long mask = wholeMask(placement);
        if (mask == UNKNOWN) {
            return true;
        }
        for (long left = mask & ~node.idleMask(); left != 0; left &= left - 1) {
            if (isHeld(node, Long.numberOfTrailingZeros(left))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isHeld(NodeState node, int gpu) {
        return gpu >= node.gpuCount() || node.isWhole(gpu) || node.isShared(gpu) || node.isCut(gpu);
    }

    private static long wholeMask(Placement placement) {
        long mask = 0;
        for (ContainerGrant container : placement.containers()) {
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.kind() == ContainerKind.INIT || !(container.gpus() instanceof GpuGrant.Whole)) {
                return UNKNOWN;
            }
            for (int gpu : container.gpus().indexes()) {
                mask |= 1L << gpu;
            }
        }
        return mask;
    }
}
