package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Gpu;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Whole devices, by number (MetaX gpu, Enflame gcu, Kunlun xpu).
 *
 * @param memoryMib the memory that a grant states for each device, or 0 for the device's own
 */
public record WholeDevices(long memoryMib) implements VendorForm {
    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the memory is negative
     */
    public WholeDevices {
        Checks.inRange("whole devices", "memoryMib", memoryMib, 0, Integer.MAX_VALUE);
    }

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container)
                .map(amounts -> DeviceParts.asked(word, amounts.count(), memoryMib, DeviceParts.ALL_CORES));
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return GpuRequest.exclusive(asked.count());
    }
}
