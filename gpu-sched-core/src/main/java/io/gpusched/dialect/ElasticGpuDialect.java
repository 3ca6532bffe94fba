package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * elastic-gpu: {@value #CORE} (100 are one GPU) and {@value #MEMORY}, read from a container's requests, then limits; the
 * names with {@code elasticgpu.com} are understood too.
 *
 * <p>From 100 core on, whole idle GPUs, lowest indexes first. Below, one GPU with enough core and memory: the one whose
 * {@link #score} after the placement is highest, and of equals the last.
 *
 * <p>Otherwise than the system: a core above 100 that is no multiple of 100 is refused (there 250 becomes two GPUs in
 * silence), and memory asked beside whole GPUs must be there (there it is ignored).
 */
public final class ElasticGpuDialect implements Dialect {
    /** Compute: 100 are one GPU. */
    public static final String CORE = "elasticgpu.io/gpu-core";

    /** Memory in MiB. */
    public static final String MEMORY = "elasticgpu.io/gpu-memory";

    private static final ElasticGpuDialect INSTANCE = new ElasticGpuDialect();

    private ElasticGpuDialect() {}

    /** Returns the dialect. */
    public static ElasticGpuDialect of() {
        return INSTANCE;
    }

    @Override
    public String name() {
        return "elastic-gpu";
    }

    @Override
    public ScanRule rule() {
        GpuOrder order = (node, request) -> request instanceof GpuRequest.Share share
                ? Comparator.<Integer>comparingLong(gpu -> scoreWith(node, share, gpu))
                        .thenComparing(gpu -> gpu)
                        .reversed()
                : Comparator.naturalOrder();
        return ScanRule.of("elastic-gpu/binpack", order);
    }

    /**
     * Returns the score of a node in a state: the greatest free core plus the greatest free memory, minus the least of
     * both, halved, divided by one more than the number of GPUs in use, times 100; every division rounds down. Percent
     * and MiB are added up, so memory decides; the result has no bounds.
     */
    public static long score(NodeState node) {
        return scoreWith(node, -1, 0, 0);
    }

    /** The score after one more share is placed on a GPU. */
    private static long scoreWith(NodeState node, int gpu, int computeMillis, long memoryMib) {
        long maxCore = 0;
        long minCore = Long.MAX_VALUE;
        long maxMemory = 0;
        long minMemory = Long.MAX_VALUE;
        long used = 0;
        for (int g = 0; g < node.gpuCount(); g++) {
            long core = (node.freeComputeMillis(g) - (g == gpu ? computeMillis : 0L)) / 10;
            long memory = node.freeMemoryMib(g) - (g == gpu ? memoryMib : 0);
            maxCore = Math.max(maxCore, core);
            minCore = Math.min(minCore, core);
            maxMemory = Math.max(maxMemory, memory);
            minMemory = Math.min(minMemory, memory);
            used += g == gpu || !node.isIdle(g) ? 1 : 0;
        }
        return node.gpuCount() == 0 ? 0 : (maxCore + maxMemory - minCore - minMemory) / 2 / (used + 1) * 100;
    }

    private static long scoreWith(NodeState node, GpuRequest.Share share, int gpu) {
        long memory = share.memory().on(node.node().gpus().get(gpu).memoryMib());
        return scoreWith(node, gpu, share.computeMillis(), memory);
    }

    @Override
    public Node node(NodeManifest manifest) {
        long core = Math.max(manifest.count(CORE), manifest.count(older(CORE)));
        return CoreMemory.node(manifest, core, Math.max(manifest.count(MEMORY), manifest.count(older(MEMORY))));
    }

    private static String older(String resource) {
        return resource.replace(".io/", ".com/");
    }

    @Override
    public Pod pod(PodManifest manifest) {
        return Pods.translate(manifest, ElasticGpuDialect::request);
    }

    private static GpuRequest request(ContainerManifest container) {
        long core = Math.max(requested(container, CORE), requested(container, older(CORE)));
        long memory = Math.max(requested(container, MEMORY), requested(container, older(MEMORY)));
        if (core == 0 && memory == 0) {
            return GpuRequest.none();
        }
        if (core < 100) {
            return CoreMemory.share(container, MEMORY, core, memory);
        }
        long each = (memory + core / 100 - 1) / (core / 100);
        return CoreMemory.whole(container, CORE, core, GpuSelector.ANY.withMinMemoryMib(each));
    }

    private static long requested(ContainerManifest container, String resource) {
        return container.requests().containsKey(resource)
                ? new ContainerManifest(container.name(), false, Map.of(), container.requests()).amount(resource)
                : container.amount(resource);
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        return Pods.indexes(
                manifest,
                "elasticgpu.io/container-"
                        + manifest.containers().get(container).name());
    }

    /** Returns the annotations {@code elasticgpu.io/container-<name>} with GPU indexes, and the mark of an assumed pod. */
    @Override
    public Writing write(PodManifest manifest, Node node, Placement placement) {
        Map<String, String> annotations = new HashMap<>();
        annotations.put("elasticgpu.io/assumed", "true");
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                String indexes =
                        grant.gpus().indexes().stream().map(String::valueOf).collect(Collectors.joining(","));
                annotations.put("elasticgpu.io/container-" + grant.container(), indexes);
            }
        }
        return new Writing(Map.of(), annotations, Map.of("elasticgpu.io/assumed", "true"));
    }
}
