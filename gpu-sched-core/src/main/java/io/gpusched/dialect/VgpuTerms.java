package io.gpusched.dialect;

import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Says what a request of HAMi or Volcano means in the library's terms.
 *
 * <p>All of a GPU's compute is a whole GPU of one's own. What these systems say of a GPU in a certain state is looked up
 * in the snapshot and named by UUID: a container that asks for no compute stays off GPUs that have none left.
 *
 * @param types models asked for and refused
 * @param uuids UUIDs asked for and refused
 * @param sameNuma whether the GPUs of a container must hang on one NUMA node
 * @param onlyIdle whether only GPUs without users are taken
 */
record VgpuTerms(VgpuSelector types, VgpuSelector uuids, boolean sameNuma, boolean onlyIdle) {
    private static final long ALL_CORES = 100;

    /**
     * Returns a pod in the library's terms.
     *
     * @param requests what each container asks, in the manifest's order
     * @param cluster the snapshot it is for; without one, models must be named in full and states are not looked at
     */
    Pod pod(PodManifest manifest, List<Optional<VgpuRequest>> requests, @Nullable Cluster cluster) {
        Pod.Builder pod = Pod.builder(manifest.id().toString())
                .nodeSelector(manifest.nodeSelector())
                .overhead(manifest.overhead());
        manifest.tolerations().forEach(pod::toleration);
        for (int c = 0; c < requests.size(); c++) {
            ContainerManifest container = manifest.containers().get(c);
            GpuRequest gpu = requests.get(c)
                    .<GpuRequest>map(request -> request(request, cluster))
                    .orElse(GpuRequest.none());
            pod.container(new Container(container.name(), container.kind(), PodManifest.resources(container), gpu));
        }
        return pod.build();
    }

    private GpuRequest request(VgpuRequest request, @Nullable Cluster cluster) {
        GpuSelector selector = selector(request, cluster);
        long cores = Math.min(ALL_CORES, request.cores());
        if (cores == ALL_CORES && !isScaled(cluster)) {
            return GpuRequest.exclusive(request.count(), selector.withMinMemoryMib(request.memoryMib()));
        }
        GpuMemory memory = request.memoryMib() > 0 || request.memoryPercent().isEmpty()
                ? GpuMemory.mib(request.memoryMib())
                : GpuMemory.percent(request.memoryPercent().getAsInt());
        return new GpuRequest.Share(request.count(), (int) cores * VgpuView.MILLIS_PER_CORE, memory, 1, selector);
    }

    /** Where compute is oversubscribed, 100 percent is only a part of it. */
    private static boolean isScaled(@Nullable Cluster cluster) {
        return cluster != null
                && cluster.nodes().stream()
                        .flatMap(node -> node.node().gpus().stream())
                        .anyMatch(gpu -> gpu.computeMillis() > Gpu.WHOLE_COMPUTE_MILLIS);
    }

    private GpuSelector selector(VgpuRequest request, @Nullable Cluster cluster) {
        GpuSelector selector =
                GpuSelector.ANY.withAllowedUuids(Set.copyOf(uuids.use())).withSameNumaNode(sameNuma);
        Set<String> denied = new HashSet<>(uuids.nouse());
        if (cluster == null) {
            return selector.withDeniedUuids(denied)
                    .withAllowedModels(Set.copyOf(types.use()))
                    .withDeniedModels(Set.copyOf(types.nouse()));
        }
        boolean needsCompute = request.cores() == 0;
        denied.addAll(uuids(
                cluster,
                gpu -> !gpu.type().toUpperCase(Locale.ROOT).contains(request.type())
                        || !types.acceptsType(gpu.type())
                        || onlyIdle && gpu.isUsed()
                        || needsCompute && gpu.cores().free() == 0));
        return selector.withDeniedUuids(denied);
    }

    private static Set<String> uuids(Cluster cluster, Predicate<VgpuDevice> which) {
        Set<String> uuids = new HashSet<>();
        for (NodeState node : cluster.nodes()) {
            VgpuView.gpus(node).stream().filter(which).map(VgpuDevice::id).forEach(uuids::add);
        }
        return uuids;
    }
}
