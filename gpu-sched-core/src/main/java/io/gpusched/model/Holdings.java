package io.gpusched.model;

import java.util.List;

/** What a placement takes of each GPU of a node: the sum over containers, or the greatest init container. */
final class Holdings {
    private Holdings() {}

    /**
     * Returns a {@link GpuWord} for each GPU of the node, 0 where nothing is taken.
     *
     * @throws PlacementConflictException if the placement names a GPU that the node does not have, asks for more of a
     *     GPU than a device can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node
     *     of another size
     */
    static long[] of(Placement placement, NodeState node) {
        int gpus = node.gpuCount();
        long[] sum = new long[gpus];
        long[] init = null;
        List<ContainerGrant> containers = placement.containers();
        for (int i = 0; i < containers.size(); i++) {
            ContainerGrant container = containers.get(i);
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.init()) {
                long[] one = new long[gpus];
                add(placement, node, container, one);
                init = init == null ? one : max(init, one);
            } else {
                add(placement, node, container, sum);
            }
        }
        return init == null ? sum : max(sum, init);
    }

    private static long[] max(long[] a, long[] b) {
        for (int g = 0; g < a.length; g++) {
            a[g] = GpuWord.max(a[g], b[g]);
        }
        return a;
    }

    private static void add(Placement placement, NodeState node, ContainerGrant container, long[] sum) {
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            List<GpuShare> shares = shared.shares();
            for (int i = 0; i < shares.size(); i++) {
                GpuShare share = shares.get(i);
                checkGpu(placement, node, container, share.gpu());
                addShare(placement, node, container, share, sum);
            }
        } else if (container.gpus() instanceof GpuGrant.Whole whole) {
            for (int i = 0; i < whole.gpus().size(); i++) {
                int gpu = whole.gpus().get(i);
                checkGpu(placement, node, container, gpu);
                takeWhole(placement, node, container, gpu, sum);
            }
        } else if (container.gpus() instanceof GpuGrant.WholeNode all) {
            if (all.gpuCount() != sum.length) {
                throw new PlacementConflictException(at(placement, node, container) + "holds the whole of a node with "
                        + all.gpuCount() + " gpus, but the node has " + sum.length);
            }
            for (int gpu = 0; gpu < sum.length; gpu++) {
                takeWhole(placement, node, container, gpu, sum);
            }
        }
    }

    private static void checkGpu(Placement placement, NodeState node, ContainerGrant container, int gpu) {
        if (gpu >= node.gpuCount()) {
            throw new PlacementConflictException(at(placement, node, container) + "gpu index must be in 0.."
                    + (node.gpuCount() - 1) + ", got " + gpu);
        }
    }

    private static void takeWhole(Placement placement, NodeState node, ContainerGrant container, int gpu, long[] sum) {
        if (sum[gpu] != 0) {
            throw new PlacementConflictException(
                    at(placement, node, container) + "gpu " + gpu + " is held by another container of the same pod");
        }
        sum[gpu] = GpuWord.WHOLE;
    }

    private static void addShare(
            Placement placement, NodeState node, ContainerGrant container, GpuShare share, long[] sum) {
        Gpu gpu = node.nodeClass().gpus().get(share.gpu());
        long word = GpuWord.of(share);
        if (GpuWord.isWhole(sum[share.gpu()]) || !GpuWord.sumFits(sum[share.gpu()], word, gpu)) {
            throw new PlacementConflictException(at(placement, node, container) + share
                    + " and what the pod's other containers hold there exceed the device (" + gpu.computeMillis()
                    + "m, " + gpu.memoryMib() + " MiB, " + gpu.slots() + " slots)");
        }
        sum[share.gpu()] += word;
    }

    private static String at(Placement placement, NodeState node, ContainerGrant container) {
        return "pod \"" + placement.pod() + "\", container \"" + container.container() + "\", node \""
                + node.node().name() + "\": ";
    }
}
