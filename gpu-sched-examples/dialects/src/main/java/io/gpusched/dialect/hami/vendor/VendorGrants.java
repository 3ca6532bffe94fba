package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Writes what pods hold of a vendor's devices, and reads it back. */
final class VendorGrants {
    private VendorGrants() {}

    /** Returns the annotations for a placed pod; none if it asks for no device of the vendor. */
    static Map<String, String> write(
            HamiVendor vendor, List<Optional<VgpuRequest>> requests, Node node, Placement placement) {
        VendorGrant grant = grant(vendor, requests, node, placement);
        Map<String, String> annotations = new TreeMap<>();
        if (!grant.held().isEmpty()) {
            String devices = VgpuCodec.encodeHami(vendor.grants().shares(grant));
            annotations.put(vendor.annotations().allocated(), devices);
            if (!vendor.annotations().toAllocate().isEmpty()) {
                annotations.put(vendor.annotations().toAllocate(), devices);
            }
            annotations.putAll(vendor.grants().annotations(grant));
        }
        return annotations;
    }

    private static VendorGrant grant(
            HamiVendor vendor, List<Optional<VgpuRequest>> requests, Node node, Placement placement) {
        List<Integer> devices = Devices.of(node, vendor.vendor());
        List<VendorGrant.Container> containers = new ArrayList<>();
        for (int c = 0; c < placement.containers().size(); c++) {
            ContainerGrant grant = placement.containers().get(c);
            List<VendorGrant.Held> held = new ArrayList<>();
            Optional<VgpuRequest> request =
                    requests.get(c).filter(one -> one.type().equals(vendor.word()));
            if (request.isPresent()) {
                String profile = grant.gpus() instanceof GpuGrant.Partitions cut
                        ? cut.partitions().get(0).profile()
                        : "";
                for (int index : grant.gpus().indexes()) {
                    Gpu gpu = node.gpus().get(index);
                    held.add(new VendorGrant.Held(
                            devices.indexOf(index), vendor.form().share(gpu, request.get(), profile), profile));
                }
            }
            containers.add(new VendorGrant.Container(grant.container(), held));
        }
        return new VendorGrant(node.name(), node.labels(), vendor.resources(), containers);
    }

    /** Returns the GPUs that a running pod's annotation names for a container, by index. */
    static List<Integer> held(HamiVendor vendor, PodManifest manifest, int container, Node node) {
        String annotation = vendor.annotations().allocated();
        String text = manifest.annotations().getOrDefault(annotation, "");
        try {
            if (text.isBlank()) {
                return List.of();
            }
            return vendor.grants().held(text, VgpuView.place(text, container, asking(vendor, manifest)), node);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(annotation + ": " + e.getMessage(), e);
        }
    }

    private static List<Boolean> asking(HamiVendor vendor, PodManifest manifest) {
        return manifest.containers().stream()
                .map(container -> vendor.resources().names().stream()
                        .anyMatch(name -> container.limits().containsKey(name)
                                || container.requests().containsKey(name)))
                .toList();
    }
}
