package io.gpusched.dialect.koordinator;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.Quantity;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.JsonFields;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;

/**
 * Koordinator's sharing of GPUs, as it is read: {@value #CORE} and {@value #RATIO} are percent of a GPU's compute and memory,
 * {@value #PERCENT} is both, and {@value #MEMORY} is an amount. {@value #SHARED} is the number of GPUs among which these are divided; without
 * it, each 100 percent are a whole GPU. {@code nvidia.com/gpu} asks for whole GPUs. The annotation {@value #ALLOCATED} of a running pod names
 * its GPUs.
 */
public final class KoordinatorDialect implements Dialect {
    /** Its {@link #name}. */
    public static final String NAME = "koordinator";

    /** Percent of compute. */
    public static final String CORE = "koordinator.sh/gpu-core";

    /** Percent of memory. */
    public static final String RATIO = "koordinator.sh/gpu-memory-ratio";

    /** Memory, in bytes. */
    public static final String MEMORY = "koordinator.sh/gpu-memory";

    /** Percent of compute and memory alike. */
    public static final String PERCENT = "koordinator.sh/gpu";

    /** Among how many GPUs the others are divided. */
    public static final String SHARED = "koordinator.sh/gpu.shared";

    /** Annotation: the devices that a pod has. */
    public static final String ALLOCATED = "scheduling.koordinator.sh/device-allocated";

    private static final String WHOLE = "nvidia.com/gpu";
    private static final String MODEL = "node.koordinator.sh/gpu-model";
    private static final int ALL = 100;

    private final Function<String, Object> json;

    private KoordinatorDialect(Function<String, Object> json) {
        this.json = json;
    }

    /**
     * Returns the dialect.
     *
     * @param json reads {@value #ALLOCATED}: makes maps, lists, texts and numbers of a text, and throws {@link IllegalArgumentException} if
     *     that is no JSON
     */
    public static KoordinatorDialect of(Function<String, Object> json) {
        return new KoordinatorDialect(Objects.requireNonNull(json, "json"));
    }

    /** Returns the resources that it reads. */
    public static Set<String> resources() {
        return Set.of(CORE, RATIO, MEMORY, PERCENT, SHARED, WHOLE);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.LOWEST_INDEX;
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        long percent = Math.max(manifest.count(CORE), Math.max(manifest.count(RATIO), manifest.count(PERCENT)));
        int gpus = Manifests.whole(
                Manifests.name(manifest), "number of gpus", Math.max(percent / ALL, manifest.count(WHOLE)));
        long memory = manifest.amount(MEMORY).map(Quantity::mibFloor).orElse(0L);
        String model =
                manifest.labels().getOrDefault(MODEL, manifest.nvidiaModel().name());
        Node.Builder builder = manifest.toNode().mode(NodeMode.MIXED);
        for (int i = 0; i < gpus; i++) {
            builder.gpu(Gpu.of(
                    i,
                    Manifests.unnamed(manifest.name(), i),
                    GpuModel.of("nvidia", model, memory / Math.max(1, gpus))));
        }
        return builder.build();
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return Manifests.translate(manifest, KoordinatorDialect::request);
    }

    private static GpuRequest request(ContainerManifest container) {
        long whole = container.amount(WHOLE);
        long percent = container.amount(PERCENT);
        long core = Math.max(percent, container.amount(CORE));
        long ratio = Math.max(percent, container.amount(RATIO));
        long memory = container.requested(MEMORY).map(Quantity::mibCeiling).orElse(0L);
        if (core == 0 && ratio == 0 && memory == 0) {
            return whole == 0
                    ? GpuRequest.none()
                    : GpuRequest.exclusive(Manifests.within(container, WHOLE, whole, 1, Node.MAX_GPUS));
        }
        int gpus = gpus(container, core, ratio);
        long each = core / gpus;
        long memoryEach = (memory + gpus - 1) / gpus;
        Manifests.within(container, core == 0 ? RATIO : CORE, Math.max(each, ratio / gpus), 0, ALL);
        if (each == ALL && (ratio == 0 || ratio / gpus == ALL)) {
            return GpuRequest.exclusive(gpus);
        }
        GpuMemory part = ratio > 0
                ? GpuMemory.percent((int) (ratio / gpus))
                : memory > 0 ? GpuMemory.mib(Math.min(GpuModel.MAX_MEMORY_MIB, memoryEach)) : GpuMemory.none();
        return GpuRequest.share((int) (10 * core / gpus), part).withCount(gpus);
    }

    /** Returns the number of GPUs that a container asks for: as {@value #SHARED} says, else one for each 100 percent. */
    private static int gpus(ContainerManifest container, long core, long ratio) {
        long shared = container.amount(SHARED);
        if (shared > 0) {
            return Manifests.within(container, SHARED, shared, 1, Node.MAX_GPUS);
        }
        long most = Math.max(core, ratio);
        if (most <= ALL) {
            return 1;
        }
        for (Map.Entry<String, Long> amount : List.of(Map.entry(CORE, core), Map.entry(RATIO, ratio))) {
            if (amount.getValue() % ALL != 0) {
                throw new RefusedException(
                        Manifests.name(container),
                        amount.getKey() + " must be at most 100 or a multiple of 100, got " + amount.getValue());
            }
        }
        return Manifests.within(container, core == most ? CORE : RATIO, most, 1, (long) ALL * Node.MAX_GPUS) / ALL;
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        String text = manifest.annotations().get(ALLOCATED);
        if (text == null || request(manifest.containers().get(container)).isNone()) {
            return List.of();
        }
        List<Integer> held = new ArrayList<>();
        for (JsonFields gpu : JsonFields.object(ALLOCATED, text, json).list("gpu")) {
            if (gpu.text("minor").isEmpty()) {
                throw unnamed(manifest, text);
            }
            held.add((int) Math.min(gpu.number("minor"), Integer.MAX_VALUE));
        }
        if (held.isEmpty()) {
            throw unnamed(manifest, text);
        }
        return held;
    }

    private static IllegalArgumentException unnamed(PodManifest manifest, String text) {
        return new IllegalArgumentException("pod \"" + manifest.id() + "\", annotation " + ALLOCATED
                + " must name the minor of each gpu, got \"" + text + "\"");
    }

    /** Koordinator writes which devices a pod has; nothing is written here. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        return BindingMetadata.NOTHING;
    }
}
