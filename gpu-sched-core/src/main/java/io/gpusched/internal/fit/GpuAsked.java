package io.gpusched.internal.fit;

import io.gpusched.model.ContainerKind;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What containers ask of GPUs.
 *
 * @param containers those that ask for any, in the pod's order
 * @param requests what they ask, each request once
 * @param single the request of at most one container that asks for GPUs; null where several do
 * @param partitions what they ask of partitions
 * @param whole whether any of them takes GPUs whole
 * @param shares whether any takes parts of GPUs
 * @param node whether one takes the whole node
 * @param uuids whether any looks at UUIDs
 * @param mostIdle the greatest number of idle GPUs that one container asks for
 * @param mostGpus the greatest number of distinct GPUs
 * @param ordinaryWhole how many GPUs those that keep running hold whole together
 * @param gpusNeeded the least number of GPUs of a node that could ever do
 */
record GpuAsked(
        List<Container> containers,
        List<GpuRequest> requests,
        @Nullable GpuRequest single,
        List<GpuRequest.Partition> partitions,
        boolean whole,
        boolean shares,
        boolean node,
        boolean uuids,
        int mostIdle,
        int mostGpus,
        int ordinaryWhole,
        int gpusNeeded) {
    static GpuAsked of(List<Container> all) {
        List<Container> containers = withGpus(all);
        boolean whole = false;
        boolean shares = false;
        boolean node = false;
        boolean uuids = false;
        int idle = 0;
        int gpus = 0;
        int ordinary = 0;
        int shared = 0;
        int sidecars = 0;
        int init = 0;
        for (int i = 0; i < containers.size(); i++) {
            GpuRequest request = containers.get(i).gpu();
            ContainerKind kind = containers.get(i).kind();
            int count = request.count();
            if (kind == ContainerKind.INIT) {
                init = Math.max(init, sidecars + count);
            } else if (GpuTake.isWhole(request)) {
                ordinary += count;
                sidecars += kind == ContainerKind.SIDECAR ? count : 0;
            } else {
                shared = Math.max(shared, count);
            }
            uuids |= request.selector().looksAtUuids();
            whole |= GpuTake.isWhole(request);
            shares |= request instanceof GpuRequest.Share;
            node |= request instanceof GpuRequest.WholeNode;
            idle = Math.max(idle, GpuTake.isWhole(request) ? count : 0);
            gpus = Math.max(gpus, count);
        }
        GpuRequest first =
                containers.isEmpty() ? GpuRequest.none() : containers.get(0).gpu();
        GpuRequest single = containers.size() > 1 ? null : first;
        int needed = Math.max(init, ordinary + shared);
        return new GpuAsked(
                containers,
                requests(containers),
                single,
                partitions(containers),
                whole,
                shares,
                node,
                uuids,
                idle,
                gpus,
                ordinary,
                needed);
    }

    private static List<GpuRequest> requests(List<Container> containers) {
        return switch (containers.size()) {
            case 0 -> List.of();
            case 1 -> List.of(containers.get(0).gpu());
            default -> containers.stream().map(Container::gpu).distinct().toList();
        };
    }

    private static List<GpuRequest.Partition> partitions(List<Container> containers) {
        List<GpuRequest.Partition> found = List.of();
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).gpu() instanceof GpuRequest.Partition partition) {
                found = found.isEmpty() ? new ArrayList<>(containers.size()) : found;
                found.add(partition);
            }
        }
        return found;
    }

    /** Mostly all of them: then nothing is copied. */
    private static List<Container> withGpus(List<Container> containers) {
        for (int i = 0; i < containers.size(); i++) {
            if (containers.get(i).gpu().isNone()) {
                return containers.stream()
                        .filter(container -> !container.gpu().isNone())
                        .toList();
            }
        }
        return containers;
    }
}
