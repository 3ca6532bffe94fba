package io.gpusched.dialect.hami;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.dialect.internal.VgpuTerms;
import io.gpusched.model.Cluster;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes pods of manifests in HAMi's words. */
final class HamiPods {
    private HamiPods() {}

    /**
     * Returns a pod in the library's terms.
     *
     * @param mayExceedQuota whether the pod could take more than its namespace's quota leaves
     * @param cluster the snapshot it is for; without one, models must be named in full
     */
    static Pod of(HamiContainers containers, PodManifest manifest, boolean mayExceedQuota, @Nullable Cluster cluster) {
        HamiPodRules rules = rules(manifest);
        HamiMigShapes shapes = new HamiMigShapes(rules, mayExceedQuota);
        VgpuTerms terms = new VgpuTerms(rules.types(), rules.uuids(), rules.numaBind());
        List<Container> translated = new ArrayList<>();
        NodeSelector nodes = manifest.nodeSelector();
        List<HamiContainers.ContainerRequest> all = containers.asked(manifest);
        for (int c = 0; c < all.size(); c++) {
            HamiContainers.ContainerRequest asked = all.get(c);
            ContainerManifest container = manifest.containers().get(c);
            GpuRequest gpu = asked.nvidia()
                    .map(request -> shapes.request(manifest, container.kind(), terms, request, cluster))
                    .or(() -> asked.other().map(request -> request.on(manifest, cluster)))
                    .orElse(GpuRequest.none());
            nodes = asked.other().isPresent() ? nodes.and(asked.other().get().nodes(manifest)) : nodes;
            translated.add(new Container(container.name(), container.kind(), PodManifest.resources(container), gpu));
        }
        return marked(manifest, all, Manifests.build(manifest, translated, nodes, List.of()));
    }

    /** Labels tell of a running pod how it shares, where that matters for its neighbours. */
    private static Pod marked(PodManifest manifest, List<HamiContainers.ContainerRequest> all, Pod pod) {
        Map<String, String> labels = new HashMap<>();
        all.stream()
                .flatMap(asked -> asked.other().stream())
                .forEach(request ->
                        labels.putAll(request.vendor().of(manifest).form().marks()));
        if (labels.isEmpty()) {
            return pod;
        }
        labels.putAll(pod.rules().labels());
        return pod.withRules(pod.rules().withLabels(labels));
    }

    /** Returns what the annotations of a pod say, or refuses them. */
    static HamiPodRules rules(PodManifest manifest) {
        try {
            return HamiPodRules.of(manifest.annotations());
        } catch (IllegalArgumentException e) {
            throw new RefusedException("pod \"" + manifest.id() + "\"", String.valueOf(e.getMessage()));
        }
    }
}
