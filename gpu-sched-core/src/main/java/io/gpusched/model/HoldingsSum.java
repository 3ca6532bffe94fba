package io.gpusched.model;

/** Adds up what the containers of a placement take of the GPUs of a node, checked device by device. */
final class HoldingsSum {
    private final Placement placement;
    private final NodeState node;

    private HoldingsSum(Placement placement, NodeState node) {
        this.placement = placement;
        this.node = node;
    }

    /** Does what {@link Holdings#of} does, for any placement. */
    static Holdings of(Placement placement, NodeState node) {
        return new HoldingsSum(placement, node).sum();
    }

    private Holdings sum() {
        Holdings sum = Holdings.NOTHING;
        Holdings sidecars = sum;
        Holdings init = sum;
        for (ContainerGrant container : placement.containers()) {
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.init()) {
                init = max(init, plus(sidecars, container));
            } else {
                sum = plus(sum, container);
                sidecars = container.kind() == ContainerKind.SIDECAR ? plus(sidecars, container) : sidecars;
            }
        }
        return max(sum, init);
    }

    private Holdings max(Holdings one, Holdings other) {
        long whole = one.whole() | other.whole();
        long[] most = new long[node.gpuCount()];
        for (int g = 0; g < most.length; g++) {
            most[g] = (whole >>> g & 1) != 0 ? 0 : GpuWord.max(one.share(g), other.share(g));
        }
        return Holdings.of(whole, most);
    }

    private Holdings plus(Holdings others, ContainerGrant container) {
        long whole = others.whole();
        long[] sum = new long[node.gpuCount()];
        for (int g = 0; g < sum.length; g++) {
            sum[g] = others.share(g);
        }
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                checkGpu(container, share.gpu());
                addShare(container, share, whole, sum);
            }
        } else if (container.gpus() instanceof GpuGrant.WholeNode all && all.gpuCount() != node.gpuCount()) {
            throw new PlacementConflictException(at(container) + "holds the whole of a node with " + all.gpuCount()
                    + " gpus, but the node has " + node.gpuCount());
        } else {
            for (int gpu : container.gpus().indexes()) {
                checkGpu(container, gpu);
                whole = withWhole(container, gpu, whole, sum);
            }
        }
        return Holdings.of(whole, sum);
    }

    private void checkGpu(ContainerGrant container, int gpu) {
        if (gpu >= node.gpuCount()) {
            throw new PlacementConflictException(
                    at(container) + "gpu index must be in 0.." + (node.gpuCount() - 1) + ", got " + gpu);
        }
    }

    private long withWhole(ContainerGrant container, int gpu, long whole, long[] shares) {
        if ((whole >>> gpu & 1) != 0 || shares[gpu] != 0) {
            throw new PlacementConflictException(
                    at(container) + "gpu " + gpu + " is held by another container of the same pod");
        }
        return whole | 1L << gpu;
    }

    private void addShare(ContainerGrant container, GpuShare share, long whole, long[] sum) {
        Gpu gpu = node.nodeClass().gpus().get(share.gpu());
        long word = GpuWord.of(share);
        if ((whole >>> share.gpu() & 1) != 0 || !GpuWord.sumFits(sum[share.gpu()], word, gpu)) {
            throw new PlacementConflictException(at(container) + share
                    + " and what the pod's other containers hold there exceed the device (" + gpu.computeMillis()
                    + "m, " + gpu.memoryMib() + " MiB, " + gpu.slots() + " slots)");
        }
        sum[share.gpu()] += word;
    }

    private String at(ContainerGrant container) {
        return "pod \"" + placement.pod() + "\", container \"" + container.container() + "\", node \"" + node.name()
                + "\": ";
    }
}
