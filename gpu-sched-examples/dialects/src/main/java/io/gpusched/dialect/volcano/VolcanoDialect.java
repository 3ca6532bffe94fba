package io.gpusched.dialect.volcano;

import io.gpusched.check.Checks;
import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.internal.VgpuEnvironment;
import io.gpusched.dialect.internal.VgpuTerms;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Volcano's deviceshare plugin with vgpu: {@code volcano.sh/vgpu-number} distinct GPUs, of each {@code vgpu-memory} MiB or
 * {@code vgpu-memory-percentage} percent of memory and {@code vgpu-cores} percent of compute; selectors in annotations
 * ({@link VolcanoPodRules}).
 *
 * <p>Volcano gives GPUs to one container after the other. Where that finds a place on a node, the pod gets exactly those
 * GPUs; where it finds none although there is room, the next layout in Volcano's order is found. Nodes go by node order,
 * since the plugin's node score counts for nothing unless a weight is set ({@link #withNodeScore}).
 *
 * <p>Done otherwise than in Volcano: amounts that are no whole numbers or out of range are refused; unhealthy GPUs, and
 * GPUs in MIG mode, take nothing. Immutable and thread-safe.
 */
public final class VolcanoDialect implements Dialect {
    private static final String ASSIGNED = "volcano.sh/vgpu-ids-new";

    private final VolcanoPolicy policy;
    private final boolean nodeScore;
    private final Map<PodId, String> groups;

    private VolcanoDialect(VolcanoPolicy policy, boolean nodeScore, Map<PodId, String> groups) {
        this.policy = policy;
        this.nodeScore = nodeScore;
        this.groups = Map.copyOf(groups);
    }

    /** Returns the dialect of an installation whose plugin has this policy. */
    public static VolcanoDialect of(VolcanoPolicy policy) {
        Objects.requireNonNull(policy, "policy");
        return new VolcanoDialect(policy, false, Map.of());
    }

    /** Returns this dialect, taking the node with the highest score first or the nodes in their order. */
    public VolcanoDialect withNodeScore(boolean value) {
        return new VolcanoDialect(policy, value, groups);
    }

    /** Returns this dialect knowing the groups ({@code namespace/name}) of pods that run; spread groups need them. */
    public VolcanoDialect withGroups(Map<PodId, String> groupOfPod) {
        Checks.noNulls("groupOfPod", groupOfPod);
        return new VolcanoDialect(policy, nodeScore, groupOfPod);
    }

    @Override
    public String name() {
        return "volcano";
    }

    /** Returns the policy that the plugin has, by node order or by its node score. */
    @Override
    public PlacementPolicy policy() {
        return new VolcanoChoice(policy, nodeScore);
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        VolcanoPodRules rules = rules(manifest);
        for (Optional<VgpuRequest> request : requests(manifest)) {
            if (request.isPresent() && request.get().count() > node.gpuCount()) {
                return "no enough gpu cards on node " + node.name();
            }
        }
        return node.node().gpus().stream().anyMatch(gpu -> rules.acceptsUuid(gpu.uuid()))
                ? "not enough gpu fitted on this node"
                : rules.noUuid(node.name());
    }

    /** Returns a node with the GPUs that its annotation {@value VolcanoRegistration#ANNOTATION} registers. */
    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Node.Builder node = manifest.toNode();
        String text = manifest.annotations().getOrDefault(VolcanoRegistration.ANNOTATION, "");
        int index = 0;
        for (VgpuDevice device : VolcanoRegistration.parse(text)) {
            Gpu gpu = device.toGpu(index++);
            node.gpu(gpu.withHealthy(gpu.healthy() && !device.mode().equals("mig")));
        }
        return node.build();
    }

    /** Returns a pod for no snapshot in particular: types must be named in full. */
    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return terms(rules(manifest), Set.of()).pod(manifest, requests(manifest), null);
    }

    /**
     * Returns a pod for this snapshot, in which parts of types stand for the models that there are, and a pod that its
     * group spreads keeps off the GPUs of its group; O(pods of groups).
     */
    @Override
    public Pod pod(PodManifest manifest, Cluster cluster) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(cluster, "cluster");
        VolcanoPodRules rules = rules(manifest);
        Set<String> avoided = new HashSet<>();
        if (rules.spreadsGroup() && rules.group().isPresent()) {
            avoided.addAll(gpusOf(rules.group().get(), cluster));
        }
        return terms(rules, avoided).pod(manifest, requests(manifest), cluster);
    }

    private static VgpuTerms terms(VolcanoPodRules rules, Set<String> avoided) {
        Set<String> nouse = new HashSet<>(rules.uuids().nouse());
        nouse.addAll(avoided);
        VgpuSelector uuids = new VgpuSelector(rules.uuids().use(), List.copyOf(nouse));
        return new VgpuTerms(rules.types(), uuids, false);
    }

    private static VolcanoPodRules rules(PodManifest manifest) {
        Map<String, String> annotations = new HashMap<>(manifest.annotations());
        if ("mig".equals(annotations.get("volcano.sh/vgpu-mode"))) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    "volcano.sh/vgpu-mode: mig needs partitions, which are not supported");
        }
        annotations.remove("volcano.sh/vgpu-mode");
        return VolcanoPodRules.of(manifest.id().namespace(), annotations);
    }

    /**
     * Returns what each container asks; Volcano looks at app containers alone, so init containers ask for nothing.
     *
     * @throws RefusedException if an amount is not readable
     */
    public List<Optional<VgpuRequest>> requests(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return manifest.containers().stream()
                .map(container -> request(manifest, container))
                .toList();
    }

    private static Optional<VgpuRequest> request(PodManifest manifest, ContainerManifest container) {
        try {
            Optional<VgpuRequest> request = VolcanoRequests.parse(container.limits(), container.requests());
            return container.ordinary() ? request : Optional.empty();
        } catch (IllegalArgumentException e) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\", container \"" + container.name() + "\"",
                    String.valueOf(e.getMessage()));
        }
    }

    /** The UUIDs of GPUs on which pods of a group run. */
    private Set<String> gpusOf(String group, Cluster cluster) {
        Set<String> uuids = new HashSet<>();
        groups.forEach((pod, name) -> {
            if (name.equals(group)) {
                cluster.placement(pod).ifPresent(placement -> addGpus(uuids, placement, cluster));
            }
        });
        return uuids;
    }

    private static void addGpus(Set<String> uuids, Placement placement, Cluster cluster) {
        Node node = cluster.node(placement.node()).orElseThrow().node();
        placement.gpus().forEach(index -> uuids.add(node.gpus().get(index).uuid()));
    }

    /** Volcano lists only the containers that ask for GPUs. */
    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        List<Optional<VgpuRequest>> requests = requests(manifest);
        if (requests.get(container).isEmpty()) {
            return List.of();
        }
        int position = (int) requests.subList(0, container).stream()
                .filter(Optional::isPresent)
                .count();
        return VgpuView.indexes(manifest.annotations().getOrDefault(ASSIGNED, ""), position, node);
    }

    /** Those of vGPU, and those of GPU sharing before it. */
    @Override
    public Set<String> grants() {
        return Set.of(
                ASSIGNED,
                "volcano.sh/devices-to-allocate",
                "volcano.sh/vgpu-node",
                "volcano.sh/vgpu-time",
                "volcano.sh/vgpu-ids",
                "volcano.sh/gpu-index",
                "volcano.sh/predicate-time",
                "volcano.sh/bind-*");
    }

    /**
     * Returns the annotations {@code volcano.sh/vgpu-node}, {@code vgpu-ids-new} and {@code devices-to-allocate}, and for
     * each container the variables that its device plugin sets.
     */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        List<List<VgpuShare>> shares = VgpuView.shares(node.gpus(), placement, requests(manifest));
        String devices = VgpuCodec.encodeVolcano(
                shares.stream().filter(held -> !held.isEmpty()).toList());
        return new BindingMetadata(
                VgpuEnvironment.of(manifest, shares, node),
                Map.of(
                        "volcano.sh/vgpu-node",
                        placement.node(),
                        ASSIGNED,
                        devices,
                        "volcano.sh/devices-to-allocate",
                        devices),
                Map.of());
    }
}
