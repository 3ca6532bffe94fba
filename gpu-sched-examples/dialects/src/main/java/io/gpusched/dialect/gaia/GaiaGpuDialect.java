package io.gpusched.dialect.gaia;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.CoreMemory;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
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
 * GaiaGPU (tkestack gpu-admission): {@value #CORE} (100 are one GPU) and {@value #MEMORY} in blocks of 256 MiB.
 *
 * <p>Shares and whole GPUs alike go to the GPUs with the least free core, then the least free memory, then the lowest
 * index; nodes are tried by least free core, least free memory, name. A whole GPU takes all of its memory, whatever
 * memory was asked. Containers get theirs in the pod's order; where that finds no way, the exact search does.
 *
 * <p>Otherwise than the system: a share without memory is refused (there it is ignored in silence and the pod dies
 * later), and a core above 100 that is no multiple of 100 is refused at once (there by the node, afterwards). The choice
 * made here is final; nothing decides again on the node.
 */
public final class GaiaGpuDialect implements Dialect {
    /** Compute: 100 are one GPU. */
    public static final String CORE = "tencent.com/vcuda-core";

    /** Memory in blocks of {@value #BLOCK_MIB} MiB. */
    public static final String MEMORY = "tencent.com/vcuda-memory";

    /** Size of a block of memory in MiB. */
    public static final int BLOCK_MIB = 256;

    private static final GaiaGpuDialect INSTANCE = new GaiaGpuDialect();

    private GaiaGpuDialect() {}

    /** Returns the dialect. */
    public static GaiaGpuDialect of() {
        return INSTANCE;
    }

    @Override
    public String name() {
        return "gaia";
    }

    @Override
    public PlacementPolicy policy() {
        return GaiaGpuPolicy.FULLEST;
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return CoreMemory.node(manifest, manifest.count(CORE), manifest.count(MEMORY) * BLOCK_MIB);
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return Manifests.translate(manifest, GaiaGpuDialect::request);
    }

    private static GpuRequest request(ContainerManifest container) {
        long core = container.amount(CORE);
        long blocks = container.amount(MEMORY);
        if (core == 0 && blocks == 0) {
            return GpuRequest.none();
        }
        if (core >= 100) {
            return CoreMemory.whole(container, CORE, core, GpuSelector.ANY);
        }
        if (core == 0 || blocks == 0) {
            throw new RefusedException(
                    Manifests.name(container),
                    "a share needs both " + CORE + " and " + MEMORY + ", got " + core + " and " + blocks);
        }
        return CoreMemory.share(container, MEMORY, core, Math.min(blocks, Long.MAX_VALUE / BLOCK_MIB) * BLOCK_MIB);
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return Manifests.indexes(manifest, "tencent.com/predicate-gpu-idx-" + container);
    }

    /** All that {@code gpu-admission} writes. */
    @Override
    public Set<String> grants() {
        return Set.of("tencent.com/predicate-*", "tencent.com/gpu-assigned");
    }

    /**
     * Returns the annotations of a predicated pod. {@code tencent.com/predicate-time} holds the time of day, so the
     * caller adds it.
     */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, String> annotations = new HashMap<>();
        annotations.put("tencent.com/predicate-node", node.name());
        annotations.put("tencent.com/gpu-assigned", "false");
        for (int i = 0; i < placement.containers().size(); i++) {
            ContainerGrant grant = placement.containers().get(i);
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                annotations.put("tencent.com/predicate-gpu-idx-" + i, Manifests.indexes(grant.gpus()));
            }
        }
        return new BindingMetadata(Map.of(), annotations, Map.of());
    }
}
