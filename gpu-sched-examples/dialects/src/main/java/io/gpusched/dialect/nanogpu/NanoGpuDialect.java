package io.gpusched.dialect.nanogpu;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * nano-gpu (scheduler 0.3): a container asks for a percentage of one GPU in its limit {@value #PERCENT}.
 *
 * <p>{@link NanoGpuPolicy} says which GPUs and nodes are preferred. A demand above 100 fits no GPU: nano-gpu calls that "no room", this dialect refuses it with
 * the rule.
 *
 * <p>Not copied: nano-gpu reads a missing annotation as GPU 0, rolls back wrong amounts, and caches plans by demand.
 */
public final class NanoGpuDialect implements Dialect {
    /** Percent of one GPU. */
    public static final String PERCENT = "nano-gpu/gpu-percent";

    private static final String ASSUME = "nano-gpu/assume";
    private static final String CONTAINER = "nano-gpu/container-";

    private final NanoGpuPolicy policy;

    private NanoGpuDialect(NanoGpuPolicy policy) {
        this.policy = policy;
    }

    /** Returns the dialect with this policy. */
    public static NanoGpuDialect of(NanoGpuPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return new NanoGpuDialect(policy);
    }

    @Override
    public String name() {
        return "nano-gpu";
    }

    @Override
    public PlacementPolicy policy() {
        return policy;
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        int gpus = Manifests.whole(Manifests.name(manifest), PERCENT, manifest.count(PERCENT) / 100);
        return manifest.toNode().gpus(gpus, manifest.nvidiaModel()).build();
    }

    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return Manifests.translate(manifest, container -> {
            String limit = container.limits().get(PERCENT);
            long percent = limit == null ? 0 : container.amount(PERCENT);
            return percent == 0
                    ? GpuRequest.none()
                    : GpuRequest.percent(Manifests.within(container, PERCENT, percent, 1, 100));
        });
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return "no assignment of containers to single GPUs";
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return Manifests.indexes(
                manifest, CONTAINER + manifest.containers().get(container).name());
    }

    /** Those of its containers, and the mark of an assumed pod. */
    @Override
    public Set<String> grants() {
        return Set.of(CONTAINER + "*", ASSUME);
    }

    /** Returns the annotations {@value #CONTAINER}{@code <name>} with the GPU's index, and the mark of an assumed pod. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        Map<String, String> annotations = new HashMap<>();
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        annotations.put(ASSUME, "true");
        for (ContainerGrant grant : placement.containers()) {
            if (!(grant.gpus() instanceof GpuGrant.None)) {
                annotations.put(
                        CONTAINER + grant.container(),
                        String.valueOf(grant.gpus().indexes().get(0)));
                environment.put(grant.container(), Map.of("NVIDIA_VISIBLE_DEVICES", "none"));
            }
        }
        return new BindingMetadata(environment, annotations, Map.of(ASSUME, "true"));
    }
}
