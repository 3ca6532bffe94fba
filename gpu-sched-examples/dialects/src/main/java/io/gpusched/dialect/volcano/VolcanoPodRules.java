package io.gpusched.dialect.volcano;

import io.gpusched.check.Checks;
import io.gpusched.dialect.vgpu.VgpuSelector;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the annotations of a pod say about its GPUs.
 *
 * @param types models asked for and refused ({@code nvidia.com/use-gputype}, {@code nvidia.com/nouse-gputype})
 * @param uuids UUIDs asked for and refused ({@code volcano.sh/vgpu-use-gpuuuid}, {@code volcano.sh/vgpu-nouse-gpuuuid})
 * @param mode the sharing mode it needs ({@code volcano.sh/vgpu-mode}), or none for any
 * @param group the pod group, as {@code namespace/name}, or none
 * @param spreadsGroup whether it keeps off GPUs on which its group runs ({@code volcano.sh/vgpu-podgroup-policy: spread})
 */
public record VolcanoPodRules(
        VgpuSelector types, VgpuSelector uuids, Optional<String> mode, Optional<String> group, boolean spreadsGroup) {
    /** Checks that nothing is null. */
    public VolcanoPodRules {
        Objects.requireNonNull(types, "types");
        Objects.requireNonNull(uuids, "uuids");
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(group, "group");
    }

    /** The annotation that keeps pods of one group off each other's GPUs. */
    public static final String GROUP_POLICY = "volcano.sh/vgpu-podgroup-policy";

    /** The annotations that name a pod's group, the first that is there counts. */
    private static final String[] GROUP_NAMES = {"scheduling.k8s.io/group-name", "scheduling.volcano.sh/group-name"};

    /** The rules of a pod without annotations. */
    public static final VolcanoPodRules DEFAULT = of("default", Map.of());

    /** Returns the rules of a pod in this namespace with these annotations; other annotations are ignored. */
    public static VolcanoPodRules of(String namespace, Map<String, String> annotations) {
        Objects.requireNonNull(namespace, "namespace");
        Checks.noNulls("annotations", annotations);
        return new VolcanoPodRules(
                types(annotations.get("nvidia.com/use-gputype"), annotations.get("nvidia.com/nouse-gputype")),
                new VgpuSelector(
                        VgpuSelector.names(annotations.get("volcano.sh/vgpu-use-gpuuuid")),
                        VgpuSelector.names(annotations.get("volcano.sh/vgpu-nouse-gpuuuid"))),
                Optional.ofNullable(annotations.get("volcano.sh/vgpu-mode")),
                group(namespace, annotations),
                "spread".equals(annotations.get(GROUP_POLICY)));
    }

    /**
     * Types that are asked for make Volcano pass over types that are refused. Names are parts of a type, letter case aside
     * and blanks included, so that an empty name ({@code A100,}) is part of every type.
     */
    private static VgpuSelector types(@Nullable String use, @Nullable String nouse) {
        List<String> asked = names(use);
        List<String> refused = use == null ? names(nouse) : List.of();
        if (refused.contains("")) {
            return VgpuSelector.of(",", null);
        }
        return new VgpuSelector(asked.contains("") ? List.of() : asked, refused);
    }

    private static List<String> names(@Nullable String list) {
        return list == null ? List.of() : List.of(list.split(",", -1));
    }

    private static Optional<String> group(String namespace, Map<String, String> annotations) {
        for (String key : GROUP_NAMES) {
            String name = annotations.getOrDefault(key, "");
            if (!name.isEmpty()) {
                return Optional.of(namespace + "/" + name);
            }
        }
        return Optional.empty();
    }

    /** Returns Volcano's words for a node without a GPU of an accepted UUID. */
    public String noUuid(String node) {
        Objects.requireNonNull(node, "node");
        return "no GPU matches UUID constraints volcano.sh/vgpu-use-gpuuuid=\"" + String.join(",", uuids.use())
                + "\", volcano.sh/vgpu-nouse-gpuuuid=\"" + String.join(",", uuids.nouse()) + "\" on node " + node;
    }

    /** Returns whether the GPU with this UUID is accepted; one without UUID is not where any UUID is named. */
    public boolean acceptsUuid(String uuid) {
        Objects.requireNonNull(uuid, "uuid");
        return uuids.isEmpty() || !uuid.isEmpty() && uuids.acceptsUuid(uuid);
    }
}
