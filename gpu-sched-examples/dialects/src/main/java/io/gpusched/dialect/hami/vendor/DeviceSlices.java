package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of one device with memory in slices of legal sizes, and compute in cores (Moore Threads). Of several devices, or of one
 * without memory, it is the largest slice and all cores.
 *
 * <p>A core is the greatest whole number of milli of which a device has room for all its cores: 62 for 16 cores.
 *
 * @param unitMib MiB for each unit of memory asked, at least 1
 * @param coresPerDevice how many cores a device has, 1..1,000
 * @param sizes the legal sizes in units, ascending
 */
public record DeviceSlices(int unitMib, int coresPerDevice, List<Long> sizes) implements VendorForm {
    /**
     * Copies the list and checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range or there is no size
     */
    public DeviceSlices {
        Checks.noNulls("sizes", sizes);
        sizes = sizes.stream().sorted().toList();
        Checks.inRange("device slices", "unitMib", unitMib, 1, Integer.MAX_VALUE);
        Checks.inRange("device slices", "coresPerDevice", coresPerDevice, 1, Gpu.WHOLE_COMPUTE_MILLIS);
        Checks.inRange("device slices", "number of sizes", sizes.size(), 1, Integer.MAX_VALUE);
    }

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container).map(amounts -> {
            int count = amounts.count();
            if (count > 1 || !amounts.hasMemory()) {
                return DeviceParts.asked(word, count, sizes.get(sizes.size() - 1) * unitMib, coresPerDevice);
            }
            long memory = amounts.memoryMib(unitMib);
            if (!sizes.contains(memory / unitMib)) {
                throw new IllegalArgumentException(
                        names.memory() + ": must be one of " + sizes + ", got " + memory / unitMib);
            }
            return DeviceParts.asked(word, 1, memory, amounts.cores(0, coresPerDevice));
        });
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return DeviceParts.share(asked, millisPerCore());
    }

    @Override
    public int computeMillis(long cores) {
        return Math.toIntExact(cores * millisPerCore());
    }

    @Override
    public VgpuDevice counted(NodeState node, VgpuDevice device) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(device, "device");
        int free = node.freeComputeMillis(device.index()) / millisPerCore();
        return device.withCores(new VgpuDevice.Amount(coresPerDevice - free, coresPerDevice));
    }

    private int millisPerCore() {
        return Gpu.WHOLE_COMPUTE_MILLIS / coresPerDevice;
    }
}
