package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * elastic-gpu: {@value #CORE} (100 are one GPU) and {@value #MEMORY}, read from a container's requests, then limits; the
 * names with {@code elasticgpu.com} are understood too.
 *
 * <p>From 100 core on, whole idle GPUs, lowest indexes first. Below, one GPU with enough core and memory for each
 * container: of all ways the one whose {@link #score} after the placement is highest, and of equals the last.
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
        return ScanRule.of("elastic-gpu/binpack", GpuOrder.lowestIndex()).withLayout(ElasticLayout::place);
    }

    /**
     * Returns the score of a node in a state: the greatest free core plus the greatest free memory, minus the least of
     * both, halved, divided by one more than the number of GPUs in use, times 100; every division rounds down. Percent
     * and MiB are added up, so memory decides; the result has no bounds.
     */
    public static long score(NodeState node) {
        int gpus = node.gpuCount();
        long[] core = new long[gpus];
        long[] memory = new long[gpus];
        int[] tenants = new int[gpus];
        for (int g = 0; g < gpus; g++) {
            core[g] = node.freeComputeMillis(g);
            memory[g] = node.freeMemoryMib(g);
            tenants[g] = node.isIdle(g) ? 0 : 1;
        }
        return ElasticLayout.score(core, memory, tenants);
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
