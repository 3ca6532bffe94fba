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
import java.util.OptionalInt;

/**
 * A part of each device with memory rounded up to one of a few sizes, and compute in proportion; all tenants of a device have one
 * size (Kunlun vxpu). Without memory it is the whole device.
 *
 * @param sizesMib the sizes, ascending; the last is the whole device
 */
public record RoundedShares(List<Long> sizesMib) implements VendorForm {
    /**
     * Copies the list.
     *
     * @throws IllegalArgumentException if there is no size or one is out of range
     */
    public RoundedShares {
        Checks.noNulls("sizesMib", sizesMib);
        sizesMib = sizesMib.stream().sorted().toList();
        Checks.inRange("rounded shares", "number of sizes", sizesMib.size(), 1, Integer.MAX_VALUE);
        sizesMib.forEach(size -> Checks.inRange("rounded shares", "size", size, 1, Integer.MAX_VALUE));
    }

    private long whole() {
        return sizesMib.get(sizesMib.size() - 1);
    }

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container).map(amounts -> {
            long asked = amounts.hasMemory() ? amounts.memoryMib(1) : whole();
            long memory =
                    sizesMib.stream().filter(size -> asked <= size).findFirst().orElse(whole());
            long cores = memory * DeviceParts.ALL_CORES / whole();
            return new VgpuRequest(amounts.count(), word, memory, OptionalInt.empty(), cores);
        });
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return asked.memoryMib() == whole()
                ? DeviceParts.whole(asked)
                : DeviceParts.share(asked, DeviceParts.MILLIS_PER_CORE);
    }
}
