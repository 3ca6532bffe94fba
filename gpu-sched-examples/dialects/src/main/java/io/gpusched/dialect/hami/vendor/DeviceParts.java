package io.gpusched.dialect.hami.vendor;

import io.gpusched.check.Checks;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.Gpu;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Any part of each device: memory in a unit of the vendor's, compute in percent of a device (Hygon, Iluvatar, Cambricon).
 * Without memory it is all memory. All compute is a device of one's own: with a unit of 256 MiB, {@code vMem: 64} and no
 * default compute, a container gets 16,384 MiB of a device, and others may compute beside it.
 *
 * @param unitMib MiB for each unit of memory asked, at least 1
 * @param defaultCores compute where none is asked for, 0..100
 * @param severalWhole whether a container with several devices gets all compute of each, whatever amount stands there: HAMi's
 *     webhook writes 100 for each device
 */
public record DeviceParts(int unitMib, int defaultCores, boolean severalWhole) implements VendorForm {
    static final int MILLIS_PER_CORE = 10;
    static final int ALL_CORES = 100;

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a value is out of range
     */
    public DeviceParts {
        Checks.inRange("device parts", "unitMib", unitMib, 1, Integer.MAX_VALUE);
        Checks.inRange("device parts", "defaultCores", defaultCores, 0, ALL_CORES);
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
            long cores = severalWhole && count > 1 ? ALL_CORES : amounts.cores(defaultCores, ALL_CORES);
            return asked(word, count, amounts.memoryMib(unitMib), cores);
        });
    }

    /** Returns a request for so much of each device; without memory for all of it. */
    static VgpuRequest asked(String word, int count, long memoryMib, long cores) {
        OptionalInt percent = memoryMib == 0 ? OptionalInt.of(100) : OptionalInt.empty();
        return new VgpuRequest(count, word, memoryMib, percent, cores);
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        return wholeOrShare(asked, devices);
    }

    /** A request for all compute has a device to itself, unless a device has more or less to give than that. */
    static GpuRequest wholeOrShare(VgpuRequest asked, List<Gpu> devices) {
        boolean scaled = devices.stream().anyMatch(gpu -> gpu.computeMillis() != Gpu.WHOLE_COMPUTE_MILLIS);
        return asked.cores() == ALL_CORES && !scaled ? whole(asked) : share(asked, MILLIS_PER_CORE);
    }

    static GpuRequest whole(VgpuRequest asked) {
        return GpuRequest.exclusive(
                asked.count(), io.gpusched.workload.GpuSelector.ANY.withMinMemoryMib(asked.memoryMib()));
    }

    static GpuRequest share(VgpuRequest asked, int millisPerCore) {
        GpuMemory memory = asked.memoryPercent().isPresent()
                ? GpuMemory.percent(asked.memoryPercent().getAsInt())
                : GpuMemory.mib(asked.memoryMib());
        return GpuRequest.share((int) asked.cores() * millisPerCore, memory).withCount(asked.count());
    }
}
