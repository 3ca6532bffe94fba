package io.gpusched.dialect.hami;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.VgpuTerms;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a container that asks for NVIDIA's GPUs may get: a share of GPUs that are not in MIG mode first, then instances of GPUs that are, of
 * the profile with the least memory first.
 *
 * @param rules what the pod's annotations say
 * @param mayExceedQuota whether the pod could take more than its namespace's quota leaves, wherever it goes
 */
record HamiMigShapes(HamiPodRules rules, boolean mayExceedQuota) {
    private static final int MOST_SHAPES = 16;
    private static final int MOST_INSTANCES = 255;

    /** Stands for a profile where no GPU has one that would do. */
    private static final String NO_PROFILE = "a profile with enough memory";

    /** Returns the request of a container; without a snapshot instances are not told apart. */
    GpuRequest request(
            PodManifest manifest, ContainerKind kind, VgpuTerms terms, VgpuRequest request, @Nullable Cluster cluster) {
        boolean onlyMig = rules.modes().equals(List.of(HamiPodRules.MIG));
        boolean acceptsMig = rules.acceptsMode(HamiPodRules.MIG);
        String obstacle = obstacle(kind, request);
        if (onlyMig && !obstacle.isEmpty()) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"", HamiPodRules.MODE + ": mig does not go with " + obstacle);
        }
        List<GpuRequest> shapes = new ArrayList<>();
        if (!onlyMig) {
            shapes.add(terms.request(request, cluster));
        }
        if (cluster != null && acceptsMig && obstacle.isEmpty()) {
            shapes.addAll(instances(request, cluster, terms.selector(request, cluster)));
        }
        if (shapes.isEmpty()) {
            return GpuRequest.partition(NO_PROFILE, Math.min(MOST_INSTANCES, request.count()));
        }
        return shapes.size() == 1
                ? shapes.get(0)
                : new GpuRequest.FirstOf(shapes.subList(0, Math.min(MOST_SHAPES, shapes.size())));
    }

    /** What of HAMi's rules is not known for instances; empty if there is nothing. */
    private String obstacle(ContainerKind kind, VgpuRequest request) {
        if (rules.gpuPolicy().isMutex() || rules.gpuPolicy().isTopologyAware()) {
            return HamiGpuPolicy.ANNOTATION + ": "
                    + String.join(",", rules.gpuPolicy().names());
        }
        if (mayExceedQuota) {
            return "a quota that the pod could exceed";
        }
        if (kind == ContainerKind.INIT) {
            return "an init container that asks for GPUs";
        }
        return request.count() > MOST_INSTANCES ? "more than " + MOST_INSTANCES + " GPUs" : "";
    }

    /** GPUs of one model are told apart by nothing else, so all of them must give instances of the same profile. */
    private List<GpuRequest> instances(VgpuRequest request, Cluster cluster, GpuSelector selector) {
        Map<String, Optional<PartitionProfile>> byModel = new HashMap<>();
        Map<Cut, Optional<PartitionProfile>> known = new HashMap<>();
        Set<String> unlike = new HashSet<>();
        for (NodeClass nodes : cluster.classes().keySet()) {
            for (Gpu gpu : nodes.gpus()) {
                if (HamiMig.isIn(gpu)) {
                    Cut cut = new Cut(gpu.partitions(), gpu.memoryMib(), gpu.computeMillis(), gpu.slots());
                    Optional<PartitionProfile> profile =
                            known.computeIfAbsent(cut, key -> HamiMig.profile(gpu, request));
                    Optional<PartitionProfile> other =
                            byModel.putIfAbsent(gpu.model().name(), profile);
                    if (other != null && !name(other).equals(name(profile))) {
                        unlike.add(gpu.model().name());
                    }
                }
            }
        }
        byModel.keySet().removeAll(unlike);
        Map<PartitionProfile, Set<String>> models = new TreeMap<>(
                Comparator.comparingLong(PartitionProfile::memoryMib).thenComparing(PartitionProfile::name));
        byModel.forEach((model, profile) -> profile.filter(
                        any -> !selector.deniedModels().contains(model)
                                && (selector.allowedModels().isEmpty()
                                        || selector.allowedModels().contains(model)))
                .ifPresent(one ->
                        models.computeIfAbsent(one, key -> new HashSet<>()).add(model)));
        List<GpuRequest> instances = new ArrayList<>();
        models.forEach((profile, names) -> instances.add(
                GpuRequest.partition(profile.name(), request.count()).withSelector(selector.withAllowedModels(names))));
        return instances;
    }

    /** What of a GPU decides about the profile that serves a request. */
    private record Cut(PartitionGeometry partitions, long memoryMib, int computeMillis, int slots) {}

    private static String name(Optional<PartitionProfile> profile) {
        return profile.map(PartitionProfile::name).orElse("");
    }
}
