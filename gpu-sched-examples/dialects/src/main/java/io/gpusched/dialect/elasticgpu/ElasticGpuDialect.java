package io.gpusched.dialect.elasticgpu;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.CoreMemory;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * elastic-gpu: {@value #CORE} (100 are one GPU) and {@value #MEMORY}, read from a container's requests, then limits; the
 * names with {@code elasticgpu.com} are understood too.
 *
 * <p>From 100 core on, whole idle GPUs, lowest indexes first. Below, one GPU with enough core and memory for each
 * container. A pod's containers are planned together: of all plans the one that leaves the most uneven node by the fewest
 * GPUs, and of equals the last.
 *
 * <p>Otherwise than the system: a core above 100 that is no multiple of 100 is refused (there 250 becomes two GPUs in
 * silence), and memory asked beside whole GPUs must be there (there it is ignored).
 */
public final class ElasticGpuDialect implements Dialect {
    /** Compute: 100 are one GPU. */
    public static final String CORE = "elasticgpu.io/gpu-core";

    /** Memory in MiB. */
    public static final String MEMORY = "elasticgpu.io/gpu-memory";

    private final ElasticGpuPolicy policy;

    private ElasticGpuDialect(ElasticGpuPolicy policy) {
        this.policy = policy;
    }

    /** Returns the dialect with this policy. */
    public static ElasticGpuDialect of(ElasticGpuPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return new ElasticGpuDialect(policy);
    }

    @Override
    public String name() {
        return "elastic-gpu";
    }

    @Override
    public PlacementPolicy policy() {
        return policy;
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        long core = Math.max(manifest.count(CORE), manifest.count(older(CORE)));
        return CoreMemory.node(manifest, core, Math.max(manifest.count(MEMORY), manifest.count(older(MEMORY))));
    }

    private static String older(String resource) {
        return resource.replace(".io/", ".com/");
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return Manifests.translate(manifest, ElasticGpuDialect::request);
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
                ? new ContainerManifest(container.name(), ContainerKind.ORDINARY, Map.of(), container.requests())
                        .amount(resource)
                : container.amount(resource);
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return Manifests.indexes(
                manifest,
                "elasticgpu.io/container-"
                        + manifest.containers().get(container).name());
    }

    /** All that the elastic GPU scheduler writes. */
    @Override
    public Set<String> grants() {
        return Set.of("elasticgpu.io/container-*", "elasticgpu.io/assumed");
    }

    /** Returns the annotations {@code elasticgpu.io/container-<name>} with GPU indexes, and the mark of an assumed pod. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, String> annotations = new HashMap<>();
        annotations.put("elasticgpu.io/assumed", "true");
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                annotations.put("elasticgpu.io/container-" + grant.container(), Manifests.indexes(grant.gpus()));
            }
        }
        return new BindingMetadata(Map.of(), annotations, Map.of("elasticgpu.io/assumed", "true"));
    }
}
