package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.hami.registration.VendorDevice;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** Makes GPUs of the devices that a node registers; used for one node. */
final class VendorNodes {
    /** By GPU of the node: the groups and modules that it is in. */
    private final List<String> groups = new ArrayList<>();

    private final List<String> modules = new ArrayList<>();
    private final List<Gpu> gpus = new ArrayList<>();
    private final Map<String, String> labels = new TreeMap<>();

    /** Begins a node that has so many GPUs already. */
    VendorNodes(int gpus) {
        groups.addAll(Collections.nCopies(gpus, ""));
        modules.addAll(Collections.nCopies(gpus, ""));
    }

    /** Adds what a node registers of a vendor's devices. */
    void add(HamiVendor vendor, NodeManifest manifest, Function<String, Object> json) {
        List<VendorDevice> devices = vendor.registration().devices(vendor.word(), manifest, json);
        for (VendorDevice device : devices) {
            gpus.add(gpu(vendor, device, groups.size()));
            groups.add(device.group().isEmpty() ? "" : vendor.word() + " " + device.group());
            modules.add(
                    vendor.sets() == DeviceSets.MODULES
                            ? vendor.word() + " " + device.device().index() / 2
                            : "");
        }
        if (!devices.isEmpty()) {
            labels.putAll(vendor.form().labels(manifest));
            labels.putAll(vendor.registration().labels(manifest, json));
        }
    }

    /** Puts it all onto the node. */
    void addTo(Node.Builder node, Set<String> cordoned) {
        gpus.forEach(gpu -> node.gpu(gpu.withHealthy(gpu.healthy() && !cordoned.contains(gpu.uuid()))));
        labels.forEach(node::label);
        boolean linked = groups.stream().anyMatch(group -> !group.isEmpty())
                || modules.stream().anyMatch(module -> !module.isEmpty());
        if (linked) {
            node.links(links());
        }
    }

    private GpuLinks links() {
        List<List<GpuLinks.Link>> matrix = new ArrayList<>();
        for (int a = 0; a < groups.size(); a++) {
            List<GpuLinks.Link> row = new ArrayList<>();
            for (int b = 0; b < groups.size(); b++) {
                row.add(link(a, b));
            }
            matrix.add(row);
        }
        return GpuLinks.of(matrix, List.of());
    }

    private GpuLinks.Link link(int a, int b) {
        if (!modules.get(a).isEmpty() && modules.get(a).equals(modules.get(b))) {
            return Devices.MODULE;
        }
        return !groups.get(a).isEmpty() && groups.get(a).equals(groups.get(b)) ? Devices.GROUP : GpuLinks.Link.NONE;
    }

    private static Gpu gpu(HamiVendor vendor, VendorDevice registered, int index) {
        VgpuDevice device = registered.device();
        int millis = vendor.form().computeMillis(device.cores().total());
        GpuModel model = GpuModel.of(
                vendor.vendor(), name(vendor, device.type()), device.memoryMib().total());
        return Gpu.of(index, device.id(), model)
                .withSlots((int) Math.max(1, device.slots().total()))
                .withComputeMillis(Math.max(1, millis))
                .withNumaNode(device.numa())
                .withHealthy(device.healthy() && device.slots().total() > 0 && millis > 0)
                .withPartitions(vendor.form().geometry(registered));
    }

    /** The name names the family, so that no two families have a model of one name. */
    private static String name(HamiVendor vendor, String type) {
        boolean named = type.toUpperCase(Locale.ROOT).contains(vendor.word().toUpperCase(Locale.ROOT));
        return named ? type : type.isBlank() ? vendor.word() : vendor.word() + "-" + type;
    }
}
