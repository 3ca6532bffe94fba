package io.gpusched.dialect.hami;

import io.gpusched.check.Checks;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * A namespace's ResourceQuota on what HAMi gives away: keys {@code limits.nvidia.com/gpumem} and
 * {@code limits.nvidia.com/gpucores}. It is held against what a pod really takes, summed over its GPUs.
 *
 * @param memoryMib the most memory in MiB, 0 for none at all, or empty for no bound
 * @param cores the most compute in percent of one GPU, 0 for none at all, or empty for no bound
 * @param usedMemoryMib memory that pods of the namespace hold, in MiB
 * @param usedCores compute that they hold
 */
public record HamiQuota(OptionalLong memoryMib, OptionalLong cores, long usedMemoryMib, long usedCores) {
    /** Checks that nothing is null. */
    public HamiQuota {
        Objects.requireNonNull(memoryMib, "memoryMib");
        Objects.requireNonNull(cores, "cores");
    }

    /** No bound. */
    public static final HamiQuota NONE = new HamiQuota(OptionalLong.empty(), OptionalLong.empty(), 0, 0);

    /** Returns the quota that these hard limits set, with nothing used; memory is counted in the settings' unit. */
    public static HamiQuota of(Map<String, Long> hard, HamiSettings settings) {
        Checks.noNulls("hard", hard);
        Objects.requireNonNull(settings, "settings");
        Long memory = hard.get("limits." + settings.memoryResource());
        Long cores = hard.get("limits." + settings.coresResource());
        return new HamiQuota(
                memory == null ? OptionalLong.empty() : OptionalLong.of(memory * settings.memoryFactor()),
                cores == null ? OptionalLong.empty() : OptionalLong.of(cores),
                0,
                0);
    }

    /** Returns this quota with this much in use: memory in MiB, compute in percent of one GPU. */
    public HamiQuota withUsed(long memory, long compute) {
        return new HamiQuota(memoryMib, cores, memory, compute);
    }

    /** Returns whether this much more may be taken: memory in MiB, compute in percent of one GPU. */
    public boolean admits(long memory, long compute) {
        return (memoryMib.isEmpty() || usedMemoryMib + memory <= memoryMib.getAsLong())
                && (cores.isEmpty() || usedCores + compute <= cores.getAsLong());
    }

    /**
     * Returns whether a pod may hold these shares: per GPU the greater of its init containers' peak and its app
     * containers' sum.
     *
     * @param initContainers how many of the containers, from the first, are init containers
     */
    public boolean admits(int initContainers, List<List<VgpuShare>> containers) {
        Objects.requireNonNull(containers, "containers");
        long memory = 0;
        long compute = 0;
        for (VgpuUsage usage : VgpuUsage.collapse(initContainers, containers)) {
            memory += usage.memoryMib();
            compute += usage.cores();
        }
        return admits(memory, compute);
    }

    /**
     * Returns whether a pod with these requests is let in when it is created, before its GPUs are known: amounts count
     * once for each GPU asked for, percentages of memory count as nothing yet.
     *
     * @param initContainers what init containers ask; the greatest counts
     * @param containers what app containers ask; the sum counts
     */
    public boolean admitsAsked(List<VgpuRequest> initContainers, List<VgpuRequest> containers) {
        Objects.requireNonNull(initContainers, "initContainers");
        Objects.requireNonNull(containers, "containers");
        long initMemory =
                initContainers.stream().mapToLong(HamiQuota::memoryAsked).max().orElse(0);
        long initCores =
                initContainers.stream().mapToLong(HamiQuota::coresAsked).max().orElse(0);
        long memory = containers.stream().mapToLong(HamiQuota::memoryAsked).sum();
        long compute = containers.stream().mapToLong(HamiQuota::coresAsked).sum();
        return admits(Math.max(initMemory, memory), Math.max(initCores, compute));
    }

    private static long memoryAsked(VgpuRequest request) {
        return request.memoryMib() * request.count();
    }

    private static long coresAsked(VgpuRequest request) {
        return request.cores() * request.count();
    }

    /** Whether a pod whose containers ask for this could take more than is left, wherever it goes. */
    boolean mayBeExceeded(List<HamiContainers.ContainerRequest> all) {
        long memory = 0;
        long compute = 0;
        boolean known = true;
        for (HamiContainers.ContainerRequest asked : all) {
            if (asked.nvidia().isPresent()) {
                VgpuRequest request = asked.nvidia().get();
                known &= request.memoryMib() > 0;
                memory += request.memoryMib() * request.count();
                compute += Math.min(100, request.cores()) * request.count();
            }
        }
        return !equals(NONE) && !(known && admits(memory, compute));
    }
}
