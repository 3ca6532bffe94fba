package io.gpusched.queue;

import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;

/**
 * A node as it is free all along, although it changes: a pod that belongs to no job holds what is free at first and not later. Where two
 * reservations follow each other on one GPU, or one follows a running job, they do not fit on the GPU at the same time.
 *
 * <p>A GPU that is shared or cut at first takes no other pod if a reservation has a part of it.
 */
final class Covered {
    private static final String NAMESPACE = "gpu-sched.reserved";

    private Covered() {}

    /**
     * Returns a snapshot in which a node has no more free than it has in each of others.
     *
     * @param reserved what is reserved on the node in these
     */
    static Cluster of(Cluster cluster, String name, List<Placement> reserved, List<Cluster> others) {
        NodeState node = cluster.node(name).orElseThrow();
        long idle = node.idleMask();
        long cpuMillis = node.freeCpuMillis();
        long memoryMib = node.freeMemoryMib();
        for (Cluster other : others) {
            NodeState then = other.node(name).orElseThrow();
            boolean isFull = then.isHeldWhole();
            idle &= isFull ? 0 : then.idleMask();
            cpuMillis = Math.min(cpuMillis, isFull ? 0 : then.freeCpuMillis());
            memoryMib = Math.min(memoryMib, isFull ? 0 : then.freeMemoryMib());
        }
        Cluster closed = withoutParts(cluster, node, reserved);
        Placement holder = new Placement(
                new PodId(NAMESPACE, name),
                name,
                Resources.of(node.freeCpuMillis() - cpuMillis, node.freeMemoryMib() - memoryMib),
                List.of(ContainerGrant.of("reserved", whole(node.idleMask() & ~idle))));
        try {
            return closed.withRunning(holder);
        } catch (PlacementConflictException e) {
            return closed.withCordoned(name, true); // it holds as many pods as it may
        }
    }

    private static GpuGrant whole(long mask) {
        List<Integer> gpus = new ArrayList<>();
        for (long left = mask; left != 0; left &= left - 1) {
            gpus.add(Long.numberOfTrailingZeros(left));
        }
        return gpus.isEmpty() ? new GpuGrant.None() : new GpuGrant.Whole(gpus);
    }

    private static Cluster withoutParts(Cluster cluster, NodeState node, List<Placement> reserved) {
        Cluster closed = cluster;
        for (Placement placement : reserved) {
            for (int gpu : placement.gpus()) {
                if ((node.isShared(gpu) || node.isCut(gpu)) && node.isHealthy(gpu)) {
                    closed = closed.withGpuHealth(node.name(), gpu, false);
                }
            }
        }
        return closed;
    }
}
