package io.gpusched.dialect.aliyun;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Aliyun gpushare: {@value #MEMORY} in GiB or MiB; the sum over a pod's containers lies on one GPU. Compute is not booked.
 *
 * <p>Of the GPUs that fit the one with the least free memory is taken, lowest index on a tie. The system models every GPU
 * as the node's total divided by the number of GPUs, which is wrong where they differ: {@link #node(NodeManifest, List)}
 * takes the memory of each. A request of 0 finds no device there when the pod is bound; here it is refused at once. A pod
 * with two GPU containers, which its device plugin mixes up, is one booking here, and each container gets its own amount.
 */
public final class AliyunGpuShareDialect implements Dialect {
    /** GPU memory in the cluster's unit. */
    public static final String MEMORY = "aliyun.com/gpu-mem";

    /** Number of GPUs of a node; asking for it limits nothing. */
    public static final String COUNT = "aliyun.com/gpu-count";

    /** Pod label: switches cGPU's isolation off. */
    public static final String CGPU_DISABLE = "cgpu.disable.isolation";

    private static final String PREFIX = "ALIYUN_COM_GPU_MEM_";

    /** What one unit of {@link #MEMORY} is. */
    public enum Unit {
        /** 1,024 MiB; the default of the device plugin. */
        GIB(1_024),
        /** 1 MiB. */
        MIB(1);

        private final int mib;

        Unit(int mib) {
            this.mib = mib;
        }

        /** Returns its size in MiB. */
        public int mib() {
            return mib;
        }
    }

    private final Unit unit;

    private AliyunGpuShareDialect(Unit unit) {
        this.unit = unit;
    }

    /** Returns the dialect with this unit. */
    public static AliyunGpuShareDialect of(Unit unit) {
        Objects.requireNonNull(unit, "unit");
        return new AliyunGpuShareDialect(unit);
    }

    @Override
    public String name() {
        return "gpushare";
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.LEAST_MEMORY_LEFT;
    }

    /** Returns the node with equal GPUs: its total divided by their number, rounded down. */
    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        int count = Manifests.whole(Manifests.name(manifest), COUNT, manifest.count(COUNT));
        if (count == 0) {
            return manifest.toNode().build();
        }
        return node(manifest, java.util.Collections.nCopies(count, manifest.count(MEMORY) / count));
    }

    /** Returns the node with GPUs of these sizes, in the cluster's unit. */
    public Node node(NodeManifest manifest, List<Long> memoryOfEach) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(memoryOfEach, "memoryOfEach");
        Node.Builder builder = manifest.toNode();
        String product = manifest.nvidiaModel().name();
        for (int i = 0; i < memoryOfEach.size(); i++) {
            GpuModel model = GpuModel.of("nvidia", product, memoryOfEach.get(i) * unit.mib());
            builder.gpu(Gpu.of(i, Manifests.unnamed(manifest.name(), i), model));
        }
        return builder.build();
    }

    /**
     * Returns the node without the GPUs that the ConfigMap {@code unhealthy-gpu-<node>} lists.
     *
     * @param gpus the value of its key {@code gpus}, such as {@code 0,2}
     * @throws IllegalArgumentException if it names a GPU that the node does not have
     */
    public static Node withUnhealthy(Node node, String gpus) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(gpus, "gpus");
        Node result = node;
        for (String index : gpus.split(",", -1)) {
            if (!index.isBlank()) {
                int gpu = Manifests.whole("node \"" + node.name() + "\"", "unhealthy gpus", index);
                result = result.withGpuHealth(gpu, false);
            }
        }
        return result;
    }

    /** Returns the sum over the ordinary containers, in the cluster's unit, or nothing where none names it. */
    private static Optional<Long> podMemory(List<ContainerManifest> containers) {
        return containers.stream()
                .filter(container -> container.ordinary() && container.limits().containsKey(MEMORY))
                .map(container -> container.amount(MEMORY))
                .reduce(Math::addExact);
    }

    /** Returns the pod; its first GPU container carries the request of all, so that all lie on one GPU. */
    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Optional<Long> memory = podMemory(manifest.containers());
        if (memory.isPresent() && memory.get() == 0) {
            throw new RefusedException("pod \"" + manifest.id() + "\"", MEMORY + " must be at least 1, got 0");
        }
        String carrier = carrier(manifest);
        return Manifests.translate(
                manifest,
                container -> container.name().equals(carrier)
                        ? GpuRequest.share(0, GpuMemory.mib(checked(manifest, memory.orElse(0L))))
                        : GpuRequest.none());
    }

    private long checked(PodManifest manifest, long units) {
        long most = GpuModel.MAX_MEMORY_MIB / unit.mib();
        if (units > most) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"", MEMORY + " must be in 1.." + most + ", got " + units);
        }
        return units * unit.mib();
    }

    private static String carrier(PodManifest manifest) {
        return manifest.containers().stream()
                .filter(container -> container.ordinary() && container.amount(MEMORY) > 0)
                .map(ContainerManifest::name)
                .findFirst()
                .orElse("");
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return node.gpuCount() == 0
                ? "The node " + node.name() + " is not for GPU share, need skip"
                : "Insufficient GPU Memory in one device";
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return Manifests.indexes(manifest, PREFIX + "IDX");
    }

    /** All that the scheduler extender writes. */
    @Override
    public Set<String> grants() {
        return Set.of(PREFIX + "*");
    }

    /**
     * Returns the annotations and the environment of each container with GPU memory. The annotation
     * {@code ALIYUN_COM_GPU_MEM_ASSUME_TIME} holds the time of day, so the caller adds it.
     */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        List<Integer> held = placement.gpus();
        if (held.isEmpty()) {
            return BindingMetadata.NOTHING;
        }
        String index = String.valueOf(held.get(0));
        String device = String.valueOf(node.gpus().get(held.get(0)).memoryMib() / unit.mib());
        String pod = String.valueOf(podMemory(manifest.containers()).orElse(0L));
        Map<String, String> annotations = Map.of(
                PREFIX + "IDX", index, PREFIX + "DEV", device, PREFIX + "POD", pod, PREFIX + "ASSIGNED", "false");
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (ContainerManifest container : manifest.containers()) {
            long own = container.ordinary() ? container.amount(MEMORY) : 0;
            if (own > 0) {
                Map<String, String> values = new LinkedHashMap<>();
                values.put("NVIDIA_VISIBLE_DEVICES", index);
                values.put(PREFIX + "IDX", index);
                values.put(PREFIX + "POD", pod);
                values.put(PREFIX + "CONTAINER", String.valueOf(own));
                values.put(PREFIX + "DEV", device);
                if ("true".equals(manifest.labels().get(CGPU_DISABLE))) {
                    values.put("CGPU_DISABLE", "true");
                }
                environment.put(container.name(), values);
            }
        }
        return new BindingMetadata(environment, annotations, Map.of());
    }
}
