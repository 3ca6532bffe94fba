package io.gpusched.internal.fit;

import io.gpusched.internal.word.GpuWord;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the containers of a pod need of each GPU of one node, and what is free there, as plain numbers. */
final class LayoutProblem {
    final LayoutPlan plan;
    final NodeState node;
    final int gpus;

    /** By GPU: the {@link GpuWord} of what is free. */
    final long[] free;

    /** By GPU: the least index of the GPUs that no container can tell from it. */
    final int[] kind;

    /** By GPU: the next lower one of its kind, or -1. */
    final int[] previousOfKind;

    /** By type of container and GPU: the {@link GpuWord} of what it takes, where it may be. */
    final long[][] need;

    /** By type: the GPUs that are accepted and have room while the pod holds nothing, as a mask. */
    final long[] alone;

    /** By GPU: what it may be cut into; empty where the pod asks for no partitions. */
    final @Nullable PartitionTable[] tables;

    /** By type and GPU: the GPUs that a container may get beside it, as a mask; null for any. */
    private final long[] @Nullable [] mates;

    /**
     * @param distinguishing requests that GPUs of one kind must look alike to, besides those of the pod
     */
    LayoutProblem(LayoutPlan plan, NodeState node, List<GpuRequest> distinguishing) {
        this.plan = plan;
        this.node = node;
        this.gpus = node.gpuCount();
        free = new long[gpus];
        kind = new int[gpus];
        previousOfKind = new int[gpus];
        int types = plan.requests.size();
        need = new long[types][gpus];
        mates = new long[types][];
        alone = new long[types];
        tables = new PartitionTable[plan.partitions > 0 ? gpus : 0];
        for (int g = 0; g < tables.length; g++) {
            tables[g] = node.nodeClass().partitions(g);
        }
        for (int g = 0; g < gpus; g++) {
            free[g] = GpuWord.of(
                    Math.max(0, node.freeComputeMillis(g)),
                    Math.max(0, node.freeMemoryMib(g)),
                    Math.max(0, node.freeSlots(g)));
        }
        Map<GpuAffinity, long[]> matesOf = new HashMap<>();
        for (int t = 0; t < types; t++) {
            GpuRequest request = plan.requests.get(t);
            GpuAffinity affinity = Bonds.of(request);
            if (!Bonds.isNone(affinity)) {
                mates[t] = matesOf.computeIfAbsent(affinity, any -> Bonds.mates(any, node.nodeClass()));
            }
            if (request instanceof GpuRequest.Partition partition) {
                findOpen(t, partition);
            } else {
                findNeeds(t, request);
            }
        }
        findKinds(distinguishing);
    }

    /** What it takes to make one, in steps. */
    static long steps(LayoutPlan plan, NodeState node) {
        long gpus = node.gpuCount();
        return 4 * gpus * (plan.requests.size() + 1) + gpus * gpus / 4 + gpus * plan.groups / 4 + plan.units();
    }

    private void findOpen(int type, GpuRequest.Partition request) {
        for (int g = 0; g < gpus; g++) {
            PartitionTable table = PartitionFit.open(request, node, g);
            alone[type] |= table != null && table.name(request.profile()) >= 0 ? 1L << g : 0;
        }
    }

    private void findNeeds(int type, GpuRequest request) {
        List<Gpu> devices = node.nodeClass().gpus();
        for (int g = 0; g < gpus; g++) {
            if (FitRule.fits(request, node, g)) {
                alone[type] |= 1L << g;
                need[type][g] = request instanceof GpuRequest.Share share ? word(share.on(devices.get(g))) : free[g];
            }
        }
    }

    private static long word(GpuShare part) {
        return GpuWord.of(part.computeMillis(), part.memoryMib(), part.slots());
    }

    private void findKinds(List<GpuRequest> distinguishing) {
        for (int g = 0; g < gpus; g++) {
            kind[g] = g;
            previousOfKind[g] = -1;
            for (int lower = g - 1; lower >= 0 && kind[g] == g; lower--) {
                if (node.isInterchangeable(lower, g) && areAcceptedAlike(distinguishing, lower, g)) {
                    kind[g] = kind[lower];
                    previousOfKind[g] = lower;
                }
            }
        }
    }

    private boolean areAcceptedAlike(List<GpuRequest> distinguishing, int one, int other) {
        for (long mask : alone) {
            if ((mask >>> one & 1) != (mask >>> other & 1)) {
                return false;
            }
        }
        for (GpuRequest request : distinguishing) {
            if (FitRule.accepts(request.selector(), node, one) != FitRule.accepts(request.selector(), node, other)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the next lower GPU of the same kind, or -1. */
    int previousOfKind(int gpu) {
        return previousOfKind[gpu];
    }

    /** Those of the GPUs of a mask that a container of this type may get beside this one. */
    long matesOf(int type, int gpu, long mask) {
        long[] of = mates[type];
        return of == null ? mask : of[gpu] & mask;
    }

    /** Whether a container of this type may find as many GPUs as it asks for among these. */
    boolean hasEnough(int type, int count, long mask) {
        return Long.bitCount(mask) >= count && promising(type, count, mask) != 0;
    }

    /** Those of the GPUs of a mask that a container of this type may get together with as many others as it asks for. */
    long promising(int type, int count, long mask) {
        long[] of = mates[type];
        return of == null ? mask : Bonds.promising(of, count, mask);
    }
}
