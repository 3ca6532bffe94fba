package io.gpusched.simulator.trace;

import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A pod of an openb trace: the request for the scheduler, and the numbers it was made from.
 *
 * @param pod the request
 * @param gpus how many GPUs it asks for, 0 for none
 * @param gpuMillis compute of each GPU in thousandths: 0 without GPUs, 1..999 for a share of one, 1,000 for whole GPUs
 * @param gpuSpec the GPU models it accepts, separated by {@code |}; empty for any
 * @param lifetime when it came and how long it ran, where the trace tells
 */
public record TracePod(Pod pod, int gpus, int gpuMillis, String gpuSpec, Optional<Lifetime> lifetime) {
    /** Compute of a whole GPU in thousandths. */
    public static final int WHOLE_GPU_MILLIS = 1_000;

    /** Checks that everything is there; {@link #of} checks the numbers. */
    public TracePod {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(gpuSpec, "gpuSpec");
        Objects.requireNonNull(lifetime, "lifetime");
    }

    /**
     * Returns the pod that asks for these amounts, without times. Memory of the GPU is not modelled.
     *
     * @throws IllegalArgumentException if a share is asked of more than one GPU, GPUs are asked for without compute, or
     *     compute without GPUs
     */
    public static TracePod of(String name, Resources resources, int gpus, int gpuMillis, String gpuSpec) {
        return new TracePod(
                Pod.of(name, resources, request(gpus, gpuMillis, selector(gpuSpec))),
                gpus,
                gpuMillis,
                gpuSpec,
                Optional.empty());
    }

    private static GpuRequest request(int gpus, int gpuMillis, GpuSelector selector) {
        if (gpus == 0 && gpuMillis == 0) {
            return GpuRequest.none();
        }
        if (gpus > 0 && gpuMillis == WHOLE_GPU_MILLIS) {
            return GpuRequest.exclusive(gpus, selector);
        }
        if (gpus == 1 && gpuMillis > 0 && gpuMillis < WHOLE_GPU_MILLIS) {
            return GpuRequest.share(gpuMillis, GpuMemory.none()).withSelector(selector);
        }
        throw new IllegalArgumentException("gpus and gpuMillis must be 0 and 0, 1 and 1..999, or 1..64 and 1000, got "
                + gpus + " and " + gpuMillis);
    }

    private static GpuSelector selector(String gpuSpec) {
        return GpuSelector.ANY.withAllowedModels(models(gpuSpec));
    }

    /** Returns the models that a {@code |}-separated list names, empty parts left out. */
    public static Set<String> models(String gpuSpec) {
        return Arrays.stream(gpuSpec.split("\\|"))
                .filter(part -> !part.isBlank())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns this pod with these times. */
    public TracePod withLifetime(Lifetime value) {
        return new TracePod(pod, gpus, gpuMillis, gpuSpec, Optional.of(value));
    }

    /** Returns this pod under another name, in the same namespace. */
    public TracePod withName(String name) {
        return new TracePod(pod.withId(new PodId(pod.id().namespace(), name)), gpus, gpuMillis, gpuSpec, lifetime);
    }

    /** Returns its name without the namespace. */
    public String name() {
        return pod.id().name();
    }

    /** Returns the CPU it asks for, in milli. */
    public long cpuMillis() {
        return pod.containers().get(0).resources().cpuMillis();
    }

    /** Returns the memory it asks for, in MiB. */
    public long memoryMib() {
        return pod.containers().get(0).resources().memoryMib();
    }

    /** Returns the GPU compute it asks for on all GPUs together, in thousandths of a GPU. */
    public long totalGpuMillis() {
        return (long) gpus * gpuMillis;
    }
}
