package io.gpusched.internal.usage;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import java.util.List;

/** Adds up what the containers of a pod take of the GPUs of a node, checked device by device. */
public final class HoldingsSum {
    private final PodId pod;
    private final String node;
    private final List<Gpu> gpus;

    private HoldingsSum(PodId pod, String node, List<Gpu> gpus) {
        this.pod = pod;
        this.node = node;
        this.gpus = gpus;
    }

    /**
     * Returns what a pod takes of the GPUs of a node: the sum over containers, or the greatest init container.
     *
     * @throws PlacementConflictException if a grant names a GPU that the node does not have, asks for more of a GPU than a
     *     device can be, holds one GPU whole and in part by ordinary containers, or takes the whole of a node of another
     *     size
     */
    public static Holdings of(PodId pod, List<ContainerGrant> containers, String node, List<Gpu> gpus) {
        return new HoldingsSum(pod, node, gpus).sum(containers);
    }

    private Holdings sum(List<ContainerGrant> containers) {
        Holdings sum = Holdings.NOTHING;
        Holdings sidecars = sum;
        Holdings init = sum;
        for (ContainerGrant container : containers) {
            if (container.gpus() instanceof GpuGrant.None) {
                continue;
            }
            if (container.kind() == ContainerKind.INIT) {
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
        long[] most = new long[gpus.size()];
        for (int g = 0; g < most.length; g++) {
            most[g] = (whole >>> g & 1) != 0 ? 0 : GpuWord.max(one.share(g), other.share(g));
        }
        return Holdings.of(whole, most);
    }

    private Holdings plus(Holdings others, ContainerGrant container) {
        long whole = others.whole();
        long[] sum = new long[gpus.size()];
        for (int g = 0; g < sum.length; g++) {
            sum[g] = others.share(g);
        }
        if (container.gpus() instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                checkGpu(container, share.gpu());
                addShare(container, share, whole, sum);
            }
        } else if (container.gpus() instanceof GpuGrant.WholeNode all && all.gpuCount() != gpus.size()) {
            throw new PlacementConflictException(at(container) + "holds the whole of a node with " + all.gpuCount()
                    + " gpus, but the node has " + gpus.size());
        } else {
            for (int gpu : container.gpus().indexes()) {
                checkGpu(container, gpu);
                whole = withWhole(container, gpu, whole, sum);
            }
        }
        return Holdings.of(whole, sum);
    }

    private void checkGpu(ContainerGrant container, int gpu) {
        if (gpu >= gpus.size()) {
            throw new PlacementConflictException(
                    at(container) + "gpu index must be in 0.." + (gpus.size() - 1) + ", got " + gpu);
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
        Gpu gpu = gpus.get(share.gpu());
        long word = GpuWord.of(share);
        if ((whole >>> share.gpu() & 1) != 0 || !GpuWord.sumFits(sum[share.gpu()], word, gpu)) {
            throw new PlacementConflictException(at(container) + share
                    + " and what the pod's other containers hold there exceed the device (" + gpu.computeMillis()
                    + "m, " + gpu.memoryMib() + " MiB, " + gpu.slots() + " slots)");
        }
        sum[share.gpu()] += word;
    }

    private String at(ContainerGrant container) {
        return "pod \"" + pod + "\", container \"" + container.container() + "\", node \"" + node + "\": ";
    }
}
