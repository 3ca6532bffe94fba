package io.gpusched.dialect.hami.vendor;

import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.hami.registration.RegisteredProfiles;
import io.gpusched.dialect.internal.AskedAmounts;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Gpu;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One partition of the profiles that a node registers: by its number of slices, or the smallest with so much memory and compute
 * (Enflame DRS). Memory is in GB, or in MiB where it is more than twice the largest profile's.
 *
 * <p>In HAMi's words a request by slices has their number as count, and neither memory nor cores.
 */
public record DeviceProfiles() implements VendorForm {
    private static final int MIB_PER_GB = 1_024;

    @Override
    public Optional<VgpuRequest> read(
            String word, VendorResources names, PodManifest pod, ContainerManifest container) {
        Objects.requireNonNull(word, "word");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(container, "container");
        AskedAmounts asked = new AskedAmounts(container.limits(), container.requests());
        if (asked.has(names.count())) {
            long slices = AskedAmounts.inRange(names.count(), asked.number(names.count(), 0), 1, 255);
            return Optional.of(new VgpuRequest((int) slices, word, 0, OptionalInt.empty(), 0));
        }
        if (!asked.has(names.memory()) && !asked.has(names.cores())) {
            return Optional.empty();
        }
        long memory = asked.has(names.memory())
                ? AskedAmounts.inRange(names.memory(), asked.number(names.memory(), 0), 1, Integer.MAX_VALUE)
                : 0;
        long cores = asked.has(names.cores())
                ? AskedAmounts.inRange(names.cores(), asked.number(names.cores(), 0), 1, DeviceParts.ALL_CORES)
                : 0;
        return Optional.of(new VgpuRequest(1, word, memory, OptionalInt.empty(), cores));
    }

    @Override
    public GpuRequest request(VgpuRequest asked, PodManifest pod, List<Gpu> devices) {
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(devices, "devices");
        List<String> profiles = devices.stream()
                .map(device -> smallest(asked, device))
                .flatMap(Optional::stream)
                .distinct()
                .sorted()
                .limit(16)
                .toList();
        if (profiles.size() < 2) {
            return GpuRequest.partition(profiles.isEmpty() ? "drs " + words(asked) : profiles.get(0), 1);
        }
        List<GpuRequest> shapes = new ArrayList<>();
        profiles.forEach(profile -> shapes.add(GpuRequest.partition(profile, 1)));
        return new GpuRequest.FirstOf(shapes);
    }

    private static String words(VgpuRequest asked) {
        return bySlices(asked)
                ? "with " + asked.count() + " slices"
                : "with memory " + asked.memoryMib() + " and " + asked.cores() + " % of compute";
    }

    private static boolean bySlices(VgpuRequest asked) {
        return asked.memoryMib() == 0 && asked.cores() == 0;
    }

    /** The first of a device's profiles that serves, which ascend by slices and memory. */
    private static Optional<String> smallest(VgpuRequest asked, Gpu device) {
        long most = device.memoryMib();
        long memory = asked.memoryMib() > 2 * most / MIB_PER_GB ? asked.memoryMib() : asked.memoryMib() * MIB_PER_GB;
        return device.partitions().profiles().stream()
                .filter(profile -> bySlices(asked)
                        ? profile.counters().amount(RegisteredProfiles.SLICES) == asked.count()
                        : profile.memoryMib() >= memory
                                && profile.counters().amount(RegisteredProfiles.CORES) >= asked.cores())
                .map(PartitionProfile::name)
                .findFirst();
    }

    @Override
    public int devices(VgpuRequest asked) {
        Objects.requireNonNull(asked, "asked");
        return 1;
    }

    @Override
    public VgpuShare share(Gpu gpu, VgpuRequest asked, String profile) {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(asked, "asked");
        Objects.requireNonNull(profile, "profile");
        return gpu.partitions().profiles().stream()
                .filter(one -> one.name().equals(profile))
                .findFirst()
                .map(one -> new VgpuShare(
                        gpu.uuid(),
                        asked.type(),
                        one.memoryMib(),
                        one.counters().amount(RegisteredProfiles.CORES)))
                .orElseGet(() -> new VgpuShare(gpu.uuid(), asked.type(), 0, 0));
    }
}
