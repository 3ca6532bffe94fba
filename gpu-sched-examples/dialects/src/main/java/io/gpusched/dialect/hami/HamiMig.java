package io.gpusched.dialect.hami;

import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.ToLongFunction;

/**
 * GPUs that HAMi cuts into MIG instances on demand: their device plugin registers each with its profiles and the places of these.
 *
 * <p>HAMi's rule: of the profiles with enough memory that with the least memory, then the fewest slices, at a place that overlaps with
 * no instance; if it has none, the next. The instance takes its profile's memory and compute, whatever was asked.
 */
final class HamiMig {
    /*
     * On NVIDIA's devices wherever a larger profile fits a smaller one does, for it may begin at the same places. So the first
     * profile that is large enough decides, and a request is one for partitions of that profile. And compute, memory and users,
     * which HAMi counts too, never run out before the places do. Both are properties of what a GPU registers, and are checked here; a
     * GPU of which one does not hold serves no such request.
     */
    private static final int MILLIS_PER_CORE = 10;
    private static final long ALL_CORES = 100;

    private HamiMig() {}

    /**
     * Returns the geometry of a GPU in MIG mode that registers {@code migProfiles}; none if it registers no places.
     *
     * @throws IllegalArgumentException if the profiles make no geometry
     */
    static PartitionGeometry geometry(JsonFields gpu) {
        List<JsonFields> registered = new ArrayList<>(gpu.list("migProfiles"));
        registered.sort(Comparator.comparingLong((JsonFields profile) -> profile.number("memoryMB"))
                .thenComparingLong(profile -> profile.number("sliceCount")));
        List<PartitionProfile> profiles = new ArrayList<>();
        int units = 0;
        for (JsonFields profile : registered) {
            List<JsonFields> places = profile.list("placements");
            if (!places.isEmpty()) {
                PartitionProfile read = profile(profile, places);
                profiles.add(read);
                units = Math.max(units, read.starts().get(read.starts().size() - 1) + read.size());
            }
        }
        return profiles.isEmpty()
                ? PartitionGeometry.NONE
                : PartitionGeometry.of("MIG of " + gpu.text("type"), units, NamedAmounts.NONE, profiles)
                        .withAlwaysCut(true);
    }

    private static PartitionProfile profile(JsonFields profile, List<JsonFields> places) {
        List<Integer> starts = places.stream()
                .map(place -> (int) place.number("start"))
                .distinct()
                .sorted()
                .toList();
        long size = places.get(0).number("size");
        if (places.stream().anyMatch(place -> place.number("size") != size)) {
            throw new IllegalArgumentException(profile.annotation() + ": the places of MIG profile \""
                    + profile.text("name") + "\" must be of one size, got " + profile.fields());
        }
        return PartitionProfile.of(profile.text("name"), (int) size, starts)
                .withMemoryMib(profile.number("memoryMB"))
                .withComputeMillis((int) profile.number("core") * MILLIS_PER_CORE);
    }

    /** Whether a GPU is one that HAMi cuts into MIG instances. */
    static boolean isIn(Gpu gpu) {
        return gpu.model().vendor().toUpperCase(Locale.ROOT).equals(VgpuRequest.NVIDIA)
                && !gpu.partitions().isNone();
    }

    /**
     * Returns the profile of which a GPU gives a container its instances; nothing if none is large enough, or places alone do not
     * decide whether one fits.
     */
    static Optional<PartitionProfile> profile(Gpu gpu, VgpuRequest request) {
        List<PartitionProfile> largeEnough = gpu.partitions().profiles().stream()
                .filter(profile -> profile.memoryMib() >= memoryMib(gpu, request))
                .toList();
        return largeEnough.isEmpty()
                        || !goesWhereOthersGo(largeEnough)
                        || !isDecidedByPlaces(gpu, request, largeEnough.get(0))
                ? Optional.empty()
                : Optional.of(largeEnough.get(0));
    }

    private static long memoryMib(Gpu gpu, VgpuRequest request) {
        return request.memoryMibOn(gpu.memoryMib());
    }

    /** Whether the first of these profiles fits wherever another does. */
    private static boolean goesWhereOthersGo(List<PartitionProfile> profiles) {
        PartitionProfile first = profiles.get(0);
        return profiles.stream()
                .allMatch(
                        other -> other.size() >= first.size() && first.starts().containsAll(other.starts()));
    }

    /** Whether in every state in which a place is free there are compute, memory and users left, as HAMi counts them. */
    private static boolean isDecidedByPlaces(Gpu gpu, VgpuRequest request, PartitionProfile profile) {
        long cores = Math.min(ALL_CORES, request.cores());
        long allCores = gpu.computeMillis() / MILLIS_PER_CORE;
        return profile.starts().stream().allMatch(start -> {
            long free = allCores - mostBeside(gpu, profile, start, PartitionProfile::computeMillis) / MILLIS_PER_CORE;
            return free >= cores
                    && (free != 0 || cores > 0)
                    && gpu.memoryMib() - mostBeside(gpu, profile, start, PartitionProfile::memoryMib)
                            >= memoryMib(gpu, request)
                    && mostBeside(gpu, profile, start, one -> 1) < gpu.slots();
        });
    }

    /** The most that instances beside a place hold together: by unit from the last, the most that those from there on hold. */
    private static long mostBeside(
            Gpu gpu, PartitionProfile kept, int keptStart, ToLongFunction<PartitionProfile> amount) {
        int units = gpu.partitions().gridUnits();
        long[] most = new long[units + 1];
        for (int unit = units - 1; unit >= 0; unit--) {
            most[unit] = most[unit + 1];
            for (PartitionProfile other : gpu.partitions().profiles()) {
                int end = unit + other.size();
                boolean isBeside = end <= keptStart || unit >= keptStart + kept.size();
                if (isBeside && end <= units && other.starts().contains(unit)) {
                    most[unit] = Math.max(most[unit], amount.applyAsLong(other) + most[end]);
                }
            }
        }
        return most[0];
    }

    /** Returns how many instances a GPU of a node has room for, as it is. */
    static int room(NodeState node, Gpu gpu, VgpuRequest request) {
        return profile(gpu, request)
                .map(profile -> free(node, gpu, profile.name(), starts(gpu, profile.name()))
                        .size())
                .orElse(0);
    }

    /** Returns the first instances that find a place on these GPUs, one after the other, at HAMi's end of each. */
    static List<GpuPartition> first(NodeState node, List<VgpuDevice> gpus, GpuRequest.Partition asked) {
        List<GpuPartition> taken = new ArrayList<>();
        for (VgpuDevice device : gpus) {
            Gpu gpu = node.node().gpus().get(device.index());
            taken.addAll(free(node, gpu, asked.profile(), starts(gpu, asked.profile())));
        }
        return List.copyOf(taken.subList(0, Math.min(taken.size(), asked.instances())));
    }

    /**
     * The instances of a profile that find a place, one after the other; from either end these are as many as there can be, since all
     * are of one size.
     */
    private static List<GpuPartition> free(NodeState node, Gpu gpu, String name, List<Integer> starts) {
        int size = profile(gpu, GpuPartition.of(gpu.index(), name, 0)).size();
        List<GpuPartition> free = new ArrayList<>();
        for (int start : starts) {
            GpuPartition one = GpuPartition.of(gpu.index(), name, start);
            boolean isApart = free.stream().allMatch(other -> Math.abs(other.start() - start) >= size);
            if (isApart && node.hasRoomFor(one)) {
                free.add(one);
            }
        }
        return free;
    }

    /** The starts of a profile as HAMi tries them. */
    private static List<Integer> starts(Gpu gpu, String profile) {
        GpuPartition any = GpuPartition.of(gpu.index(), profile, 0);
        List<Integer> starts = new ArrayList<>(profile(gpu, any).starts());
        if (HamiMigPolicy.isPlacedHigh(any)) {
            Collections.reverse(starts);
        }
        return starts;
    }

    /** Returns a request for instances in HAMi's words, as its order of GPUs counts it. */
    static VgpuRequest request(Gpu gpu, GpuRequest.Partition asked) {
        VgpuShare one = share(gpu, GpuPartition.of(gpu.index(), asked.profile(), 0));
        return new VgpuRequest(
                asked.instances(), VgpuRequest.NVIDIA, one.memoryMib(), OptionalInt.empty(), one.cores());
    }

    /** Returns what a container holds of a GPU by an instance. */
    static VgpuShare share(Gpu gpu, GpuPartition partition) {
        PartitionProfile profile = profile(gpu, partition);
        return new VgpuShare(
                gpu.uuid(), VgpuRequest.NVIDIA, profile.memoryMib(), profile.computeMillis() / MILLIS_PER_CORE);
    }

    /** Returns the profile of an instance of a GPU. */
    static PartitionProfile profile(Gpu gpu, GpuPartition partition) {
        return gpu.partitions().profiles().stream()
                .filter(profile -> profile.name().equals(partition.profile()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(partition + " is no MIG instance of gpu \"" + gpu.uuid()
                        + "\", which has " + gpu.partitions()));
    }
}
