package io.gpusched.internal.fit;

import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A pod's request, taken apart once for the many nodes that are tried. */
public final class PodDemand {
    private final Pod pod;
    private final AllocationPool allocations;
    private final Resources resources;
    private final List<Container> gpuContainers;

    /** The one GPU request of a pod of which only one ordinary container asks for GPUs; null for any other pod. */
    private final @Nullable GpuRequest single;

    private final boolean needsWhole;
    private final boolean needsShares;
    private final boolean wholeNode;
    private final boolean looksAtUuids;

    /** The greatest number of idle GPUs, and of distinct GPUs, that one container asks for. */
    private final int mostIdle;

    private final int mostGpus;

    public PodDemand(Pod pod, AllocationPool allocations) {
        this.pod = pod;
        this.allocations = allocations;
        this.resources = pod.resources();
        boolean whole = false;
        boolean shares = false;
        boolean all = false;
        boolean uuids = false;
        int idle = 0;
        int gpus = 0;
        this.gpuContainers = withGpus(pod.containers());
        for (int i = 0; i < gpuContainers.size(); i++) {
            GpuRequest request = gpuContainers.get(i).gpu();
            uuids |= request.selector().looksAtUuids();
            if (request instanceof GpuRequest.Exclusive exclusive) {
                whole = true;
                idle = Math.max(idle, exclusive.count());
            } else if (request instanceof GpuRequest.Share share) {
                shares = true;
                gpus = Math.max(gpus, share.count());
            } else {
                all = true;
                idle = Math.max(idle, 1);
            }
        }
        needsWhole = whole || all;
        needsShares = shares;
        wholeNode = all;
        looksAtUuids = uuids;
        mostIdle = idle;
        mostGpus = Math.max(gpus, idle);
        boolean plain = gpuContainers.size() == 1 && !gpuContainers.get(0).init();
        single = plain ? gpuContainers.get(0).gpu() : gpuContainers.isEmpty() ? GpuRequest.none() : null;
    }

    /** Mostly all of them: then nothing is copied. */
    private static List<Container> withGpus(List<Container> containers) {
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).gpu() instanceof GpuRequest.None) {
                return containers.stream()
                        .filter(container -> !(container.gpu() instanceof GpuRequest.None))
                        .toList();
            }
        }
        return containers;
    }

    public Pod pod() {
        return pod;
    }

    /** Where its allocations come from. */
    public AllocationPool allocations() {
        return allocations;
    }

    public Resources resources() {
        return resources;
    }

    /** The containers that ask for GPUs, in the pod's order. */
    public List<Container> gpuContainers() {
        return gpuContainers;
    }

    @Nullable
    public GpuRequest single() {
        return single;
    }

    public boolean needsWhole() {
        return needsWhole;
    }

    public boolean needsShares() {
        return needsShares;
    }

    public boolean wholeNode() {
        return wholeNode;
    }

    public boolean looksAtUuids() {
        return looksAtUuids;
    }

    public int mostIdle() {
        return mostIdle;
    }

    public int mostGpus() {
        return mostGpus;
    }
}
