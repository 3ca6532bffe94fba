package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.hami.registration.RegisteredMetax;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.internal.dialect.AskedAmounts;
import io.gpusched.model.Gpu;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A part of each device with memory in GiB, or in bytes with a unit, and compute in percent, all of it where none is asked for
 * (MetaX sGPU): {@code vmemory: 4} and {@code vmemory: 4Gi} are 4,096 MiB.
 *
 * <p>Devices share by one policy at a time. Pods here share by {@value RegisteredMetax#BEST_EFFORT}, MetaX's default; they do not go to devices
 * that register another one. Online and offline pods, and the other policies, are refused.
 */
public record MetaxShares() implements VendorForm {
    private static final String POLICY = "metax-tech.com/sgpu-qos-policy";
    private static final String APP_CLASS = "metax-tech.com/sgpu-app-class";
    private static final int MIB_PER_GIB = 1_024;

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        return VendorAmounts.of(names, container).map(amounts -> {
            String policy = pod.annotations().getOrDefault(POLICY, RegisteredMetax.BEST_EFFORT);
            long cores = amounts.cores(DeviceParts.ALL_CORES, DeviceParts.ALL_CORES);
            if (pod.annotations().containsKey(APP_CLASS)) {
                throw new IllegalArgumentException(APP_CLASS + ": online and offline pods are not supported, got \""
                        + pod.annotations().get(APP_CLASS) + "\"");
            }
            if (!policy.equals(RegisteredMetax.BEST_EFFORT)) {
                throw new IllegalArgumentException(
                        POLICY + ": only " + RegisteredMetax.BEST_EFFORT + " is supported, got \"" + policy + "\"");
            }
            return DeviceParts.asked(word, amounts.count(), memoryMib(names.memory(), amounts), cores);
        });
    }

    private static long memoryMib(String name, VendorAmounts amounts) {
        String text = amounts.memoryText().trim();
        if (text.isEmpty() || !Character.isLetter(text.charAt(text.length() - 1))) {
            return amounts.memoryMib(MIB_PER_GIB);
        }
        try {
            return AskedAmounts.inRange(name, Quantity.parse(text).mibFloor(), 0, Integer.MAX_VALUE);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
        }
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return asked.cores() == DeviceParts.ALL_CORES
                ? DeviceParts.whole(asked)
                : DeviceParts.share(asked, DeviceParts.MILLIS_PER_CORE);
    }

    @Override
    public boolean accepts(Gpu device, VgpuRequest asked) {
        Objects.requireNonNull(device, "device");
        Objects.requireNonNull(asked, "asked");
        return asked.cores() == DeviceParts.ALL_CORES
                || RegisteredMetax.isBestEffort(device.model().name());
    }
}
