package io.gpusched.dialect;

import java.util.List;
import java.util.Map;

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

    /** What the Go language reads as true, as HAMi does. */
    private static final List<String> TRUE = List.of("1", "t", "T", "true", "TRUE", "True");

    /** The rules of a pod without annotations. */
    public static final HamiPodRules DEFAULT = of(Map.of());

    /** Copies the list. */
    public HamiPodRules {
        modes = List.copyOf(modes);
    }

    /**
     * Returns the rules in these annotations; other annotations are ignored.
     *
     * @throws IllegalArgumentException if the weights are not readable, as in HAMi; other unreadable values count as none
     */
    public static HamiPodRules of(Map<String, String> annotations) {
        return new HamiPodRules(
                VgpuSelector.of(annotations.get("nvidia.com/use-gputype"), annotations.get("nvidia.com/nouse-gputype")),
                VgpuSelector.of(annotations.get("nvidia.com/use-gpuuuid"), annotations.get("nvidia.com/nouse-gpuuuid")),
                VgpuSelector.names(annotations.get(MODE)),
                TRUE.contains(annotations.getOrDefault(NUMA_BIND, "")),
                HamiGpuPolicy.parse(annotations.get(HamiGpuPolicy.ANNOTATION)),
                HamiWeights.parse(annotations.get(HamiWeights.ANNOTATION)),
                annotations.getOrDefault(NODE_POLICY, "").trim().equals("spread"));
    }

    /** Returns whether a GPU in this sharing mode is accepted; a GPU that states none always is. */
    public boolean acceptsMode(String gpuMode) {
        return modes.isEmpty() || gpuMode.isEmpty() || modes.contains(gpuMode);
    }
}
