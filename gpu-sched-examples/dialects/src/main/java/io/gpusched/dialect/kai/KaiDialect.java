package io.gpusched.dialect.kai;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.dialect.nvidia.DevicePluginDialect;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * KAI-Scheduler's sharing of GPUs: a pod asks by annotation {@value #FRACTION} for a part of one GPU, of its compute and its memory
 * alike, or by {@value #MEMORY} for so many MiB of it, and by {@value #DEVICES} for that of several GPUs. All other pods ask for whole
 * GPUs of a device plugin. The first tenant of a GPU makes it whole or shared.
 *
 * <p>An annotation is not a container's: the reader of a pod marks the container that gets the part by the resource {@value #PART}.
 * Which GPU a running pod shares, KAI says only by the group of pods that share it; a reader that counts groups writes the index as
 * annotation {@value #SHARED}.
 */
public final class KaiDialect implements Dialect {
    /** Annotation: a part of a GPU, more than 0 and less than 1. */
    public static final String FRACTION = "gpu-fraction";

    /** Annotation: memory of a GPU in MiB. */
    public static final String MEMORY = "gpu-memory";

    /** Annotation: of how many GPUs the pod gets that, 1 where it is absent. */
    public static final String DEVICES = "gpu-fraction-num-devices";

    /** Marks the container that gets the part; it is of the manifest that is read, and not of the pod itself. */
    public static final String PART = "gpu-sched.io/kai-part";

    /** Annotation of the manifest that is read: the index of the GPU that a running pod shares. */
    public static final String SHARED = "gpu-sched.io/kai-gpu";

    private static final int MILLIS = 1_000;
    private static final int PERCENT = 100;

    private final DevicePluginDialect whole = DevicePluginDialect.of("nvidia.com/gpu");

    private KaiDialect() {}

    /** Returns the dialect. */
    public static KaiDialect of() {
        return new KaiDialect();
    }

    @Override
    public String name() {
        return "kai";
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.MOST_TENANTS;
    }

    @Override
    public Node node(NodeManifest manifest) {
        return whole.node(manifest).toBuilder().mode(NodeMode.MIXED).build();
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Pod asked = whole.pod(manifest);
        List<Container> containers = new ArrayList<>();
        for (Container container : asked.containers()) {
            boolean isShared = manifest.containers().stream()
                    .anyMatch(one ->
                            one.name().equals(container.name()) && one.limits().containsKey(PART));
            if (isShared && !container.gpu().isNone()) {
                throw new RefusedException(
                        "pod \"" + manifest.id() + "\"", "asks for whole GPUs and for a part of one; KAI refuses both");
            }
            containers.add(
                    isShared
                            ? new Container(container.name(), container.kind(), container.resources(), part(manifest))
                            : container);
        }
        return new Pod(asked.id(), containers, asked.nodeSelector(), asked.tolerations(), asked.overhead())
                .withRules(asked.rules());
    }

    private static GpuRequest part(PodManifest manifest) {
        String fraction = manifest.annotations().get(FRACTION);
        String memory = manifest.annotations().get(MEMORY);
        if ((fraction == null) == (memory == null)) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"", "must have one of the annotations " + FRACTION + " and " + MEMORY);
        }
        int devices =
                (int) number(manifest, DEVICES, manifest.annotations().getOrDefault(DEVICES, "1"), 1, Node.MAX_GPUS);
        GpuRequest.Share one = memory == null
                ? fraction(manifest, Objects.requireNonNull(fraction))
                : GpuRequest.share(0, GpuMemory.mib(number(manifest, MEMORY, memory, 1, 1 << 24)));
        return one.withCount(devices);
    }

    private static GpuRequest.Share fraction(PodManifest manifest, String text) {
        try {
            BigDecimal value = new BigDecimal(text.strip());
            if (value.signum() > 0 && value.compareTo(BigDecimal.ONE) < 0) {
                int millis = value.multiply(BigDecimal.valueOf(MILLIS))
                        .setScale(0, RoundingMode.CEILING)
                        .intValue();
                int percent = value.multiply(BigDecimal.valueOf(PERCENT))
                        .setScale(0, RoundingMode.FLOOR)
                        .intValue();
                return GpuRequest.share(millis, percent == 0 ? GpuMemory.none() : GpuMemory.percent(percent));
            }
        } catch (NumberFormatException e) {
            // refused below, as are numbers out of range
        }
        throw new RefusedException(
                "pod \"" + manifest.id() + "\"",
                "annotation " + FRACTION + " must be more than 0 and less than 1, got \"" + text + "\"");
    }

    private static long number(PodManifest manifest, String field, String text, long min, long max) {
        long value = text.strip().matches("[0-9]{1,9}") ? Long.parseLong(text.strip()) : -1;
        if (value < min || value > max) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    "annotation " + field + " must be in " + min + ".." + max + ", got \"" + text + "\"");
        }
        return value;
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        ContainerManifest one = manifest.containers().get(container);
        return one.limits().containsKey(PART) && manifest.annotations().containsKey(SHARED)
                ? Manifests.indexes(manifest, SHARED)
                : List.of();
    }

    /** KAI reserves the GPU by a pod of its own, and tells containers of it; nothing is written here. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        return BindingMetadata.NOTHING;
    }
}
