package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.registration.VendorDevice;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What the amounts mean that containers ask of a vendor's devices. Immutable and thread-safe. */
public sealed interface VendorForm
        permits ChipTemplates,
                DeviceParts,
                DeviceProfiles,
                DeviceSlices,
                MetaxShares,
                NeuronCores,
                RoundedShares,
                WholeDevices {
    /**
     * Returns what a container asks, in HAMi's words and as its webhook leaves it, or nothing if it asks for no such device.
     *
     * @param word what HAMi calls the family
     * @param names the names that containers ask under
     * @param pod the pod, for its annotations
     * @throws IllegalArgumentException if an amount is illegal; the message names resource, value and legal range
     */
    Optional<VgpuRequest> read(String word, VendorResources names, PodManifest pod, ContainerManifest container);

    /**
     * Returns the same in the library's terms, with any device accepted.
     *
     * @param devices the vendor's devices in the snapshot; none where there is no snapshot
     */
    GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices);

    /** Returns what a container with this request holds of a device, as the grant states it. */
    default VgpuShare share(Gpu gpu, VgpuRequest asked, String profile) {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(profile, "profile");
        return VgpuView.share(gpu, asked);
    }

    /**
     * Returns this form for a pod, with what the pod's annotations say of how it shares.
     *
     * @throws IllegalArgumentException if an annotation has an illegal value
     */
    default VendorForm of(PodManifest pod) {
        Objects.requireNonNull(pod, "pod");
        return this;
    }

    /** Returns this form for pods that run: their devices have let them in. */
    default VendorForm held() {
        return this;
    }

    /** Returns a device as HAMi's score of it counts compute. */
    default VgpuDevice counted(NodeState node, VgpuDevice device) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(device, "device");
        return device;
    }

    /**
     * Returns those of the devices with room whose tenants let the pod in, the preferred first.
     *
     * @param devices the devices, in HAMi's order
     * @param earlier what the pod's containers before this one hold
     */
    default List<Integer> welcoming(
            NodeState node, List<Integer> devices, GpuRequest request, List<ContainerGrant> earlier) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(devices, "devices");
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(earlier, "earlier");
        return devices;
    }

    /** Returns labels by which the pod is known as long as it runs, so that {@link #welcoming} can tell tenants apart. */
    default Map<String, String> marks() {
        return Map.of();
    }

    /** Returns whether nothing runs on the device that a GPU stands for. */
    default boolean isIdle(NodeState node, int gpu) {
        return Objects.requireNonNull(node, "node").isIdle(gpu);
    }

    /** Returns whether a pod stays away from devices that have no compute left, though it asks for none. */
    default boolean needsCompute() {
        return true;
    }

    /** Returns how many devices a node must have at least. */
    default int devices(VgpuRequest asked) {
        Objects.requireNonNull(asked, "asked");
        return asked.count();
    }

    /** Returns whether a device may serve a request, whatever is free of it. */
    default boolean accepts(Gpu device, VgpuRequest asked) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(asked, "asked");
        return true;
    }

    /** Returns the GPUs that are meant by an id in a pod's annotation. */
    default List<String> uuids(String name) {
        Objects.requireNonNull(name, "name");
        return List.of(name);
    }

    /** Returns what a device that registers so much compute has to give away, in milli. */
    default int computeMillis(long cores) {
        return Math.toIntExact(cores * 10);
    }

    /** Returns how a device can be cut; as it was registered by default. */
    default PartitionGeometry geometry(VendorDevice device) {
        Objects.requireNonNull(device, "device");
        return device.partitions();
    }

    /** Returns labels that the nodes of a pod must have, because of its annotations. */
    default Map<String, String> nodeSelector(PodManifest pod) {
        Objects.requireNonNull(pod, "pod");
        return Map.of();
    }

    /** Returns labels that a node with such devices gets, because of its annotations. */
    default Map<String, String> labels(NodeManifest node) {
        Objects.requireNonNull(node, "node");
        return Map.of();
    }
}
