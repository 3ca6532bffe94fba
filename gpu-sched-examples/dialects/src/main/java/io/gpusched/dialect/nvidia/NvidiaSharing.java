package io.gpusched.dialect.nvidia;

import io.gpusched.model.Gpu;
import java.util.Objects;

/**
 * How NVIDIA's device plugin shares GPUs (section {@code sharing} of its configuration). Where both strategies are
 * configured, mps wins. The fields {@code rename} and {@code devices} of a resource are switched off in the plugin.
 *
 * @param strategy time slicing or mps
 * @param replicas how many times each GPU is offered, at least 2
 * @param renameByDefault whether the resource is then called {@code nvidia.com/gpu.shared}
 * @param failRequestsGreaterThanOne whether a container that asks for more than one replica is refused; always so for mps
 */
public record NvidiaSharing(
        Strategy strategy, int replicas, boolean renameByDefault, boolean failRequestsGreaterThanOne) {
    /** The resource, unless it is renamed. */
    public static final String RESOURCE = "nvidia.com/gpu";

    /** What bounds a tenant. */
    public enum Strategy {
        /** Turns of time; memory is not bounded. */
        TIME_SLICING,
        /** Equal, fixed parts of memory and threads. */
        MPS
    }

    /**
     * What a tenant may use of one GPU.
     *
     * @param memoryMib pinned memory limit
     * @param activeThreadPercentage part of the threads, 1..100
     */
    public record Limits(long memoryMib, int activeThreadPercentage) {}

    /**
     * Checks the number of replicas.
     *
     * @throws IllegalArgumentException if it is out of range
     */
    public NvidiaSharing {
        Objects.requireNonNull(strategy, "strategy");
        if (replicas < 2 || replicas > 100_000) {
            throw new IllegalArgumentException("sharing: replicas must be in 2..100000, got " + replicas);
        }
        failRequestsGreaterThanOne |= strategy == Strategy.MPS;
    }

    /** Returns time slicing with so many replicas, without renaming and without refusal of larger requests. */
    public static NvidiaSharing timeSlicing(int replicas) {
        return new NvidiaSharing(Strategy.TIME_SLICING, replicas, false, false);
    }

    /** Returns mps with so many replicas, without renaming. */
    public static NvidiaSharing mps(int replicas) {
        return new NvidiaSharing(Strategy.MPS, replicas, false, true);
    }

    /** Returns the name under which replicas are offered. */
    public String resource() {
        return renameByDefault ? RESOURCE + ".shared" : RESOURCE;
    }

    /** Returns an mps tenant's part of a GPU: memory and threads divided by the replicas, rounded down. */
    public Limits limits(Gpu gpu) {
        Objects.requireNonNull(gpu, "gpu");
        return new Limits(gpu.memoryMib() / replicas, 100 / replicas);
    }
}
