package io.gpusched.dialect.internal;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says what a request of HAMi or Volcano means in the library's terms. All of a GPU's compute is a whole GPU of one's own.
 *
 * @param types models asked for and refused
 * @param uuids UUIDs asked for and refused
 * @param sameNuma whether the GPUs of a container must hang on one NUMA node
 */
public record VgpuTerms(VgpuSelector types, VgpuSelector uuids, boolean sameNuma) {
    private static final long ALL_CORES = 100;

    /**
     * Returns a pod in the library's terms; O(classes of nodes).
     *
     * @param requests what each container asks, in the manifest's order
     * @param cluster the snapshot it is for; without one, models must be named in full
     */
    public Pod pod(PodManifest manifest, List<Optional<VgpuRequest>> requests, @Nullable Cluster cluster) {
        Pod.Builder pod = Pod.builder(manifest.id().toString())
                .nodeSelector(manifest.nodeSelector())
                .overhead(manifest.overhead())
                .rules(manifest.rules());
        manifest.tolerations().forEach(pod::toleration);
        for (int c = 0; c < requests.size(); c++) {
            var container = manifest.containers().get(c);
            GpuRequest gpu = requests.get(c)
                    .<GpuRequest>map(request -> request(request, cluster))
                    .orElse(GpuRequest.none());
            pod.container(new Container(container.name(), container.kind(), PodManifest.resources(container), gpu));
        }
        manifest.claimed().forEach(pod::container);
        return pod.build();
    }

    /** Returns what a container asks in the library's terms; O(classes of nodes). */
    public GpuRequest request(VgpuRequest request, @Nullable Cluster cluster) {
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
                && cluster.classes().keySet().stream()
                        .flatMap(nodes -> nodes.gpus().stream())
                        .anyMatch(gpu -> gpu.computeMillis() > Gpu.WHOLE_COMPUTE_MILLIS);
    }

    /** Returns which GPUs a container accepts; O(classes of nodes). */
    public GpuSelector selector(VgpuRequest request, @Nullable Cluster cluster) {
        GpuSelector selector = GpuSelector.ANY
                .withAllowedUuids(Set.copyOf(uuids.use()))
                .withDeniedUuids(Set.copyOf(uuids.nouse()))
                .withAffinity(sameNuma ? GpuAffinity.requiring(Bond.NUMA_NODE) : GpuAffinity.ANY);
        return cluster == null ? byName(selector) : byModel(selector, request, cluster);
    }

    private GpuSelector byName(GpuSelector selector) {
        return selector.withAllowedModels(Set.copyOf(types.use())).withDeniedModels(Set.copyOf(types.nouse()));
    }

    /** The models of the cluster whose types are asked for, or refused; what is asked for and not there as it is asked for. */
    private GpuSelector byModel(GpuSelector selector, VgpuRequest request, Cluster cluster) {
        Set<String> accepted = new HashSet<>();
        Set<String> refused = new HashSet<>();
        for (NodeClass nodes : cluster.classes().keySet()) {
            for (Gpu gpu : nodes.gpus()) {
                String type = VgpuView.type(gpu);
                boolean isAccepted = type.toUpperCase(Locale.ROOT).contains(request.type()) && types.acceptsType(type);
                (isAccepted ? accepted : refused).add(gpu.model().name());
            }
        }
        accepted.removeAll(refused);
        if (types.use().isEmpty()) {
            return selector.withDeniedModels(refused);
        }
        if (!accepted.isEmpty()) {
            return selector.withAllowedModels(accepted);
        }
        refused.retainAll(types.use());
        refused.addAll(types.nouse());
        return byName(selector).withDeniedModels(refused);
    }
}
