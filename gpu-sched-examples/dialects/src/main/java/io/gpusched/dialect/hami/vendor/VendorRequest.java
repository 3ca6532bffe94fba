package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeClass;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.NodeSelector;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a container asks of a vendor's devices.
 *
 * @param vendor whose devices
 * @param amounts what, in HAMi's words
 */
public record VendorRequest(HamiVendor vendor, VgpuRequest amounts) {
    /** Checks that nothing is missing. */
    public VendorRequest {
        Objects.requireNonNull(vendor, "vendor");
        Objects.requireNonNull(amounts, "amounts");
    }

    /**
     * Returns the request in the library's terms; O(classes of nodes).
     *
     * @param pod the pod, whose annotations select devices
     * @param cluster the snapshot it is for; without one the devices of other vendors are not told apart
     */
    public GpuRequest on(PodManifest pod, @Nullable Cluster cluster) {
        Objects.requireNonNull(pod, "pod");
        Set<Gpu> devices = new HashSet<>();
        Set<String> refused = new HashSet<>();
        VgpuSelector types = VgpuSelector.of(
                pod.annotations().get(vendor.annotations().useTypes()),
                pod.annotations().get(vendor.annotations().nouseTypes()));
        for (NodeClass nodes :
                cluster == null ? Set.<NodeClass>of() : cluster.classes().keySet()) {
            for (Gpu gpu : nodes.gpus()) {
                if (!gpu.model().vendor().equals(vendor.vendor())) {
                    refused.add(gpu.model().name());
                } else {
                    devices.add(gpu);
                    if (!types.acceptsType(VgpuView.type(gpu)) || !vendor.form().accepts(gpu, amounts)) {
                        refused.add(gpu.model().name());
                    }
                }
            }
        }
        GpuRequest request = vendor.form().request(amounts, pod, List.copyOf(devices));
        return accepting(request, uuids(pod).withDeniedModels(refused));
    }

    /** Several lists of one kind: a device must be on each list of accepted devices, and on no list of refused ones. */
    private GpuSelector uuids(PodManifest pod) {
        Set<String> allowed = new HashSet<>();
        Set<String> denied = new HashSet<>();
        for (String annotation : vendor.annotations().nouseUuids()) {
            denied.addAll(uuids(pod, annotation));
        }
        for (String annotation : vendor.annotations().useUuids()) {
            List<String> names = uuids(pod, annotation);
            if (!names.isEmpty() && allowed.isEmpty()) {
                allowed.addAll(names);
            } else if (!names.isEmpty()) {
                denied.addAll(without(allowed, names));
            }
        }
        return GpuSelector.ANY.withAllowedUuids(allowed).withDeniedUuids(denied);
    }

    private List<String> uuids(PodManifest pod, String annotation) {
        return VgpuSelector.names(pod.annotations().get(annotation)).stream()
                .flatMap(name -> vendor.form().uuids(name).stream())
                .toList();
    }

    /** Returns the nodes that the pod's annotations demand. */
    public NodeSelector nodes(PodManifest pod) {
        Objects.requireNonNull(pod, "pod");
        Map<String, String> labels = vendor.form().nodeSelector(pod);
        return labels.isEmpty() ? NodeSelector.ANY : NodeSelector.labels(labels);
    }

    /** Returns why a node has no place for it, where HAMi has words of its own for that; empty otherwise. */
    public String refusal(NodeState node) {
        Objects.requireNonNull(node, "node");
        int devices = Devices.of(node.node(), vendor.vendor()).size();
        return devices < vendor.form().devices(amounts)
                ? "NodeInsufficientDevice"
                : vendor.sets().isRestricted() ? vendor.sets().words() : "";
    }

    private static List<String> without(Set<String> all, List<String> some) {
        List<String> rest = new ArrayList<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static GpuRequest accepting(GpuRequest request, GpuSelector selector) {
        GpuSelector both = selector.withMinMemoryMib(request.selector().minMemoryMib());
        return request instanceof GpuRequest.FirstOf first
                ? new GpuRequest.FirstOf(first.alternatives().stream()
                        .map(shape -> accepting(shape, selector))
                        .toList())
                : request.withSelector(both);
    }
}
