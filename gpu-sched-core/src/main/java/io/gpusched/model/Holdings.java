package io.gpusched.model;

import java.util.List;

/**
 * What is held of the GPUs of a node: some whole, of some a part.
 *
 * @param whole the GPUs held whole, as a mask by index
 * @param shares the {@link GpuWord} of what is held of each GPU in parts, or {@link #NO_SHARES}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Holdings(long whole, long[] shares) {
    /** Nothing is held in parts: not one word for each GPU, but none at all. */
    static final long[] NO_SHARES = {};

    /**
     * Returns what a placement takes of the GPUs of a node: the sum over containers, or the greatest init container.
     *
     * @throws PlacementConflictException if the placement names a GPU that the node does not have, asks for more of a
     *     GPU than a device can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node
     *     of another size
     */
    static Holdings of(Placement placement, NodeState node) {
        Holdings sum = new Holdings(0, NO_SHARES);
        Holdings init = sum;
        List<ContainerGrant> containers = placement.containers();
        for (int i = 0; i < containers.size(); i++) {
            ContainerGrant container = containers.get(i);
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.init()) {
                init = init.max(sum(placement, node, container, 0, NO_SHARES));
            } else {
                sum = sum(placement, node, container, sum.whole, sum.shares);
            }
        }
        return sum.max(init);
    }

    /** The GPUs of which anything is held in parts. */
    static long held(long[] shares) {
        long held = 0;
        for (int g = 0; g < shares.length; g++) {
            held |= shares[g] != 0 ? 1L << g : 0;
        }
        return held;
    }

    /** Returns the shares of a node once these are taken too. */
    long[] addedTo(long[] used) {
        if (shares.length == 0 || used.length == 0) {
            return used.length == 0 ? shares : used;
        }
        long[] sum = used.clone();
        for (int g = 0; g < sum.length; g++) {
            sum[g] += shares[g];
        }
        return sum;
    }

    /** Returns the shares of a node once these are given back. */
    long[] takenFrom(long[] used) {
        if (shares.length == 0) {
            return used;
        }
        long[] left = used.clone();
        long any = 0;
        for (int g = 0; g < left.length; g++) {
            left[g] -= shares[g];
            any |= left[g];
        }
        return any == 0 ? NO_SHARES : left;
    }

    private Holdings max(Holdings other) {
        if (other.whole == 0 && other.shares.length == 0) {
            return this;
        }
        long both = whole | other.whole;
        long[] most = NO_SHARES;
        for (int g = 0; g < Math.max(shares.length, other.shares.length); g++) {
            long word = (both >>> g & 1) != 0 ? 0 : GpuWord.max(share(g), other.share(g));
            if (word != 0) {
                most = most.length == 0 ? new long[Math.max(shares.length, other.shares.length)] : most;
                most[g] = word;
            }
        }
        return new Holdings(both, most);
    }

    private long share(int gpu) {
        return shares.length == 0 ? 0 : shares[gpu];
    }

    /** What a container takes, beside what the pod's other ordinary containers take. */
    private static Holdings sum(
            Placement placement, NodeState node, ContainerGrant container, long whole, long[] shares) {
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            long[] sum = shares.length == 0 ? new long[node.gpuCount()] : shares;
            for (int i = 0; i < shared.shares().size(); i++) {
                GpuShare share = shared.shares().get(i);
                checkGpu(placement, node, container, share.gpu());
                addShare(placement, node, container, share, whole, sum);
            }
            return new Holdings(whole, sum);
        }
        long mask = whole;
        if (container.gpus() instanceof GpuGrant.Whole list) {
            for (int i = 0; i < list.gpus().size(); i++) {
                int gpu = list.gpus().get(i);
                checkGpu(placement, node, container, gpu);
                mask = withWhole(placement, node, container, gpu, mask, shares);
            }
        } else if (container.gpus() instanceof GpuGrant.WholeNode all) {
            if (all.gpuCount() != node.gpuCount()) {
                throw new PlacementConflictException(at(placement, node, container) + "holds the whole of a node with "
                        + all.gpuCount() + " gpus, but the node has " + node.gpuCount());
            }
            for (int gpu = 0; gpu < node.gpuCount(); gpu++) {
                mask = withWhole(placement, node, container, gpu, mask, shares);
            }
        }
        return new Holdings(mask, shares);
    }

    private static void checkGpu(Placement placement, NodeState node, ContainerGrant container, int gpu) {
        if (gpu >= node.gpuCount()) {
            throw new PlacementConflictException(at(placement, node, container) + "gpu index must be in 0.."
                    + (node.gpuCount() - 1) + ", got " + gpu);
        }
    }

    private static long withWhole(
            Placement placement, NodeState node, ContainerGrant container, int gpu, long whole, long[] shares) {
        if ((whole >>> gpu & 1) != 0 || shares.length > 0 && shares[gpu] != 0) {
            throw new PlacementConflictException(
                    at(placement, node, container) + "gpu " + gpu + " is held by another container of the same pod");
        }
        return whole | 1L << gpu;
    }

    private static void addShare(
            Placement placement, NodeState node, ContainerGrant container, GpuShare share, long whole, long[] sum) {
        Gpu gpu = node.nodeClass().gpus().get(share.gpu());
        long word = GpuWord.of(share);
        if ((whole >>> share.gpu() & 1) != 0 || !GpuWord.sumFits(sum[share.gpu()], word, gpu)) {
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
