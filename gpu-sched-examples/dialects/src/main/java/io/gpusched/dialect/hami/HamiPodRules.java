package io.gpusched.dialect.hami;

import io.gpusched.check.Checks;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/**
 * What the annotations of a pod say about its GPUs.
 *
 * @param types models asked for and refused ({@code nvidia.com/use-gputype}, {@code nvidia.com/nouse-gputype})
 * @param uuids UUIDs asked for and refused ({@code nvidia.com/use-gpuuuid}, {@code nvidia.com/nouse-gpuuuid})
 * @param modes sharing modes accepted ({@code nvidia.com/vgpu-mode}), or none for any
 * @param numaBind whether all GPUs of a container must hang on one NUMA node ({@code nvidia.com/numa-bind})
 * @param gpuPolicy the order of GPUs ({@value HamiGpuPolicy#ANNOTATION})
 * @param weights the weights of their score ({@value HamiWeights#ANNOTATION})
 * @param spreadsNodes whether the emptiest node is preferred to the fullest ({@code hami.io/node-scheduler-policy})
 */
public record HamiPodRules(
        VgpuSelector types,
        VgpuSelector uuids,
        List<String> modes,
        boolean numaBind,
        HamiGpuPolicy gpuPolicy,
        HamiWeights weights,
        boolean spreadsNodes) {
    /** The annotation that binds a pod to one NUMA node. */
    public static final String NUMA_BIND = "nvidia.com/numa-bind";

    /** The annotation that chooses between full and empty nodes: {@code binpack} (the default) or {@code spread}. */
    public static final String NODE_POLICY = "hami.io/node-scheduler-policy";

    /** The annotation with the sharing modes that a pod accepts. */
    public static final String MODE = "nvidia.com/vgpu-mode";

    /** The mode of GPUs that are cut into MIG instances. */
    static final String MIG = "mig";

    /** Compute that asks for a GPU of one's own. */
    private static final long ALL_CORES = 100;

    /** What the Go language reads as true, as HAMi does. */
    private static final List<String> TRUE = List.of("1", "t", "T", "true", "TRUE", "True");

    /** The rules of a pod without annotations. */
    public static final HamiPodRules DEFAULT = of(Map.of());

    /** Copies the list. */
    public HamiPodRules {
        Objects.requireNonNull(types, "types");
        Objects.requireNonNull(uuids, "uuids");
        Objects.requireNonNull(gpuPolicy, "gpuPolicy");
        Objects.requireNonNull(weights, "weights");
        modes = Checks.list("modes", modes);
    }

    /**
     * Returns the rules in these annotations; other annotations are ignored.
     *
     * @throws IllegalArgumentException if the weights are not readable, as in HAMi; other unreadable values count as none
     */
    public static HamiPodRules of(Map<String, String> annotations) {
        Checks.noNulls("annotations", annotations);
        return new HamiPodRules(
                VgpuSelector.of(annotations.get("nvidia.com/use-gputype"), annotations.get("nvidia.com/nouse-gputype")),
                VgpuSelector.of(annotations.get("nvidia.com/use-gpuuuid"), annotations.get("nvidia.com/nouse-gpuuuid")),
                annotations.containsKey(MODE)
                        ? List.of(annotations.getOrDefault(MODE, "").trim().split("\\s*,\\s*", -1))
                        : List.of(),
                TRUE.contains(annotations.getOrDefault(NUMA_BIND, "")),
                HamiGpuPolicy.parse(annotations.get(HamiGpuPolicy.ANNOTATION)),
                HamiWeights.parse(annotations.get(HamiWeights.ANNOTATION)),
                annotations.getOrDefault(NODE_POLICY, "").trim().equals("spread"));
    }

    /** Returns what decides about order, beside the order of GPUs, as {@link #annotationsOf} reads it; nothing where all is as usual. */
    List<String> said() {
        List<String> said = new ArrayList<>();
        if (numaBind) {
            said.add(NUMA_BIND);
        }
        if (spreadsNodes) {
            said.add(NODE_POLICY);
        }
        if (!weights.equals(HamiWeights.EQUAL)) {
            said.add("slot=" + weights.slot() + ",core=" + weights.core() + ",memory=" + weights.memory());
        }
        return said;
    }

    /** Returns the annotations that say so. */
    static Map<String, String> annotationsOf(List<String> said, String gpuPolicy) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put(HamiGpuPolicy.ANNOTATION, gpuPolicy);
        for (String each : said) {
            switch (each) {
                case NUMA_BIND -> annotations.put(NUMA_BIND, "true");
                case NODE_POLICY -> annotations.put(NODE_POLICY, "spread");
                default -> annotations.put(HamiWeights.ANNOTATION, each);
            }
        }
        return annotations;
    }

    /** Returns these rules for what is left once models, UUIDs and modes have become part of the request. */
    HamiPodRules ofOrder() {
        VgpuSelector any = VgpuSelector.of(null, null);
        return new HamiPodRules(any, any, List.of(), numaBind, gpuPolicy, weights, spreadsNodes);
    }

    /** Returns the order in which HAMi goes through the GPUs of a node for a request; they are taken from its end. */
    public Comparator<VgpuDevice> order(VgpuRequest request) {
        Objects.requireNonNull(request, "request");
        return gpuPolicy.order(gpu -> weights.score(gpu, List.of(request)), numaBind);
    }

    /** Returns how full a node is before a request: ten times the sum of the parts in use over all its GPUs. */
    public static double fullness(List<VgpuDevice> gpus) {
        Objects.requireNonNull(gpus, "gpus");
        VgpuDevice.Amount slots = sum(gpus, VgpuDevice::slots);
        VgpuDevice.Amount cores = sum(gpus, VgpuDevice::cores);
        VgpuDevice.Amount memory = sum(gpus, VgpuDevice::memoryMib);
        return slots.total() == 0 || cores.total() == 0 || memory.total() == 0
                ? 0
                : 10 * (slots.partUsed() + cores.partUsed() + memory.partUsed());
    }

    private static VgpuDevice.Amount sum(List<VgpuDevice> gpus, Function<VgpuDevice, VgpuDevice.Amount> amount) {
        long used = 0;
        long total = 0;
        for (VgpuDevice gpu : gpus) {
            used += amount.apply(gpu).used();
            total += amount.apply(gpu).total();
        }
        return new VgpuDevice.Amount(used, total);
    }

    /** Returns why a GPU is none that a container may ever get, or nothing: health, vendor, model, sharing mode. */
    public Optional<HamiReason> checkKind(VgpuDevice gpu, VgpuRequest request) {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(request, "request");
        if (!gpu.healthy()) {
            return Optional.of(HamiReason.NOT_HEALTHY);
        }
        boolean accepted =
                request.type().equals(VgpuRequest.NVIDIA) && types.acceptsType(gpu.type()) && acceptsMode(gpu.mode());
        return accepted ? Optional.empty() : Optional.of(HamiReason.TYPE_MISMATCH);
    }

    /**
     * Returns why a GPU has no room for a container, or nothing; the checks are in HAMi's order.
     *
     * @param withinQuota whether the namespace's quota admits what the container would take
     */
    public Optional<HamiReason> checkRoom(VgpuDevice gpu, VgpuRequest request, boolean withinQuota) {
        Objects.requireNonNull(gpu, "gpu");
        Objects.requireNonNull(request, "request");
        long cores = Math.min(request.cores(), ALL_CORES);
        HamiReason reason = null;
        if (gpu.slots().total() <= gpu.slots().used()) {
            reason = HamiReason.TIME_SLICING_EXHAUSTED;
        } else if (gpuPolicy.isMutex() && gpu.isUsed()) {
            reason = HamiReason.EXCLUSIVE_CONFLICT;
        } else if (!withinQuota) {
            reason = HamiReason.QUOTA_NOT_FIT;
        } else if (gpu.memoryMib().free() < request.memoryMibOn(gpu.memoryMib().total())) {
            reason = HamiReason.INSUFFICIENT_MEMORY;
        } else if (gpu.cores().free() < cores) {
            reason = HamiReason.INSUFFICIENT_CORE;
        } else if (gpu.cores().total() == ALL_CORES && cores == ALL_CORES && gpu.isUsed()) {
            reason = HamiReason.EXCLUSIVE_CONFLICT;
        } else if (gpu.cores().total() != 0 && gpu.cores().used() == gpu.cores().total() && cores == 0) {
            reason = HamiReason.COMPUTE_EXHAUSTED;
        }
        return Optional.ofNullable(reason);
    }

    /**
     * Returns whether a GPU in this sharing mode is accepted: one whose mode is in what is asked for, and always one that
     * states none. A blank annotation therefore accepts no GPU that states its mode.
     */
    public boolean acceptsMode(String gpuMode) {
        Objects.requireNonNull(gpuMode, "gpuMode");
        return modes.isEmpty() || gpuMode.isEmpty() || modes.stream().anyMatch(mode -> mode.contains(gpuMode));
    }
}
