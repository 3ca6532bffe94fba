package io.gpusched.dialect.hami;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.vendor.GrantForm;
import io.gpusched.dialect.internal.VgpuEnvironment;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Writes down what pods were granted as HAMi does, in annotations and variables, and reads it again.
 *
 * @param json the reader of JSON texts
 */
record HamiGrants(HamiContainers containers, Function<String, Object> json) {
    private static final String ALLOCATED = "hami.io/vgpu-devices-allocated";

    /** Returns the devices that a container of a running pod holds, by index. */
    List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        List<Integer> held = new ArrayList<>(nvidiaGpus(manifest, container, node));
        held.addAll(containers.vendors().held(manifest, container, node));
        return held;
    }

    /** Returns the MIG instances that a container of a running pod holds. */
    List<GpuPartition> heldPartitions(PodManifest manifest, int container, Node node) {
        return HamiMigAllocations.read(manifest, container, nvidiaGpus(manifest, container, node), node, json);
    }

    private List<Integer> nvidiaGpus(PodManifest manifest, int container, Node node) {
        String text = manifest.annotations().getOrDefault(ALLOCATED, "");
        if (text.isBlank()) {
            return List.of();
        }
        List<Boolean> asking = containers.asked(manifest).stream()
                .map(asked -> asked.nvidia().isPresent())
                .toList();
        return VgpuView.indexes(text, VgpuView.place(text, container, asking), node);
    }

    /** Returns the annotations that are grants; a {@code *} stands for any text. */
    static Set<String> names() {
        Set<String> names = new TreeSet<>(Set.of(
                "hami.io/*-to-allocate",
                "hami.io/*-allocated",
                "hami.io/*-allocations",
                "hami.io/vgpu-node",
                "hami.io/vgpu-time",
                "hami.io/bind-time",
                "hami.io/bind-phase"));
        for (GrantForm form : GrantForm.values()) {
            names.addAll(form.names());
        }
        return names;
    }

    /** Returns what is written when a pod is bound. */
    BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        List<HamiContainers.ContainerRequest> asked = containers.asked(manifest);
        List<Optional<VgpuRequest>> all =
                asked.stream().map(HamiContainers.ContainerRequest::amounts).toList();
        List<Optional<VgpuRequest>> nvidia =
                asked.stream().map(HamiContainers.ContainerRequest::nvidia).toList();
        Map<String, String> annotations = new TreeMap<>(containers.vendors().annotations(all, node, placement));
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        if (annotations.isEmpty() || nvidia.stream().anyMatch(Optional::isPresent)) {
            List<List<VgpuShare>> shares = shares(node, placement, nvidia);
            String devices = VgpuCodec.encodeHami(shares);
            annotations.put("hami.io/vgpu-devices-to-allocate", devices);
            annotations.put(ALLOCATED, devices);
            HamiMigAllocations.write(placement, node)
                    .ifPresent(instances -> annotations.put(HamiMigAllocations.ANNOTATION, instances));
            environment.putAll(VgpuEnvironment.of(manifest, shares, node));
            placement.containers().stream()
                    .filter(grant -> !HamiMigAllocations.of(grant.gpus(), node).isEmpty())
                    .forEach(grant -> environment.remove(grant.container()));
        }
        annotations.put("hami.io/vgpu-node", placement.node());
        return new BindingMetadata(environment, annotations, Map.of());
    }

    /** What the containers hold; of an instance its profile's amounts, whatever was asked. */
    private static List<List<VgpuShare>> shares(Node node, Placement placement, List<Optional<VgpuRequest>> requests) {
        List<List<VgpuShare>> shares = new ArrayList<>(VgpuView.shares(node.gpus(), placement, requests));
        for (int c = 0; c < shares.size(); c++) {
            List<GpuPartition> held =
                    HamiMigAllocations.of(placement.containers().get(c).gpus(), node);
            if (!held.isEmpty()) {
                shares.set(
                        c,
                        held.stream()
                                .map(one -> HamiMig.share(node.gpus().get(one.gpu()), one))
                                .toList());
            }
        }
        return shares;
    }
}
