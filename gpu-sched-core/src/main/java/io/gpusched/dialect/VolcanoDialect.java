package io.gpusched.dialect;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Volcano's deviceshare plugin with vgpu: {@code volcano.sh/vgpu-number} distinct GPUs, of each {@code vgpu-memory} MiB or
 * {@code vgpu-memory-percentage} percent of memory and {@code vgpu-cores} percent of compute; selectors in annotations
 * ({@link VolcanoPodRules}).
 *
 * <p>Where Volcano's own greedy rule ({@link VolcanoGreedy}) finds a place on a node, the pod gets exactly those GPUs;
 * where it finds none although there is room, the exact search places the pod. Nodes go by node order, since the plugin's
 * node score counts for nothing unless a weight is set ({@link #withNodeScore}).
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
        return new VolcanoDialect(policy, false, Map.of());
    }

    /** Returns this dialect, taking the node with the highest score first or the nodes in their order. */
    public VolcanoDialect withNodeScore(boolean value) {
        return new VolcanoDialect(policy, value, groups);
    }

    /** Returns this dialect knowing the groups ({@code namespace/name}) of pods that run; spread groups need them. */
    public VolcanoDialect withGroups(Map<PodId, String> groupOfPod) {
        return new VolcanoDialect(policy, nodeScore, groupOfPod);
    }

    @Override
    public String name() {
        return "volcano";
    }

    /** Returns the policy's order of GPUs. */
    @Override
    public ScanRule rule() {
        GpuOrder order = (node, request) -> {
            List<VgpuDevice> gpus = VgpuView.gpus(node);
            return Comparator.comparing(gpus::get, policy.order());
        };
        return ScanRule.of("volcano/" + policy.name().toLowerCase(java.util.Locale.ROOT), order);
    }

    /** Returns a node with the GPUs that its annotation {@value VolcanoRegistration#ANNOTATION} registers. */
    @Override
    public Node node(NodeManifest manifest) {
        Node.Builder node = manifest.toNode();
        String text = manifest.annotations().getOrDefault(VolcanoRegistration.ANNOTATION, "");
        int index = 0;
        for (VgpuDevice device : VolcanoRegistration.parse(text)) {
            node.gpu(VgpuSnapshot.gpu(index++, device)
                    .withHealthy(device.healthy() && !device.mode().equals("mig")));
        }
        return node.build();
    }

    /** Returns a pod for no snapshot in particular: types must be named in full, and what GPUs hold is not looked at. */
    @Override
    public Pod pod(PodManifest manifest) {
        return terms(rules(manifest), Set.of()).pod(manifest, requests(manifest), null);
    }

    /** Returns a pod for this snapshot: parts of types are resolved, and what GPUs hold is looked at. O(GPUs). */
    public Pod pod(PodManifest manifest, Cluster cluster) {
        VolcanoPodRules rules = rules(manifest);
        Set<String> avoided = new HashSet<>();
        if (rules.spreadsGroup() && rules.group().isPresent()) {
            groupsByGpu(cluster).forEach((gpu, names) -> {
                if (names.contains(rules.group().get())) {
                    avoided.add(gpu);
                }
            });
        }
        return terms(rules, avoided).pod(manifest, requests(manifest), cluster);
    }

    private static VgpuTerms terms(VolcanoPodRules rules, Set<String> avoided) {
        Set<String> nouse = new HashSet<>(rules.uuids().nouse());
        nouse.addAll(avoided);
        VgpuSelector uuids = new VgpuSelector(rules.uuids().use(), List.copyOf(nouse));
        return new VgpuTerms(rules.types(), uuids, false, false);
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

    @Override
    public Decision schedule(Cluster cluster, PodManifest manifest) {
        Map<String, Set<String>> byGpu = groupsByGpu(cluster);
        Map<String, VolcanoGreedy.OnNode> answers = new HashMap<>();
        VolcanoGreedy greedy = VolcanoGreedy.of(policy, rules(manifest), byGpu);
        List<Optional<VgpuRequest>> requests = requests(manifest);
        for (NodeState node : cluster.nodes()) {
            String name = node.name();
            answers.put(name, greedy.place(name, VgpuView.gpus(node), requests));
        }
        VgpuScan scan = new VgpuScan(
                node -> Optional.ofNullable(answers.get(node.name()))
                        .filter(VolcanoGreedy.OnNode::fits)
                        .map(VolcanoGreedy.OnNode::containers),
                (node, placement) -> true);
        Comparator<NodeState> byScore = Comparator.comparingDouble(node -> score(answers, node));
        List<NodeState> inOrder = cluster.nodes().stream()
                .sorted(byScore.reversed().thenComparingInt(NodeState::order))
                .toList();
        return scan.schedule(cluster, pod(manifest, cluster), inOrder);
    }

    private double score(Map<String, VolcanoGreedy.OnNode> answers, NodeState node) {
        VolcanoGreedy.OnNode answer = answers.get(node.name());
        return nodeScore && answer != null ? answer.score() : 0;
    }

    /**
     * Returns Volcano's own words for each node that its rule refuses, by node name in node order. The exact search may
     * still have found room there.
     */
    @Override
    public Map<String, String> refusals(Cluster cluster, PodManifest manifest) {
        VolcanoGreedy greedy = VolcanoGreedy.of(policy, rules(manifest), groupsByGpu(cluster));
        List<Optional<VgpuRequest>> requests = requests(manifest);
        Map<String, String> reasons = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            String name = node.name();
            VolcanoGreedy.OnNode answer = greedy.place(name, VgpuView.gpus(node), requests);
            if (!answer.fits()) {
                reasons.put(name, answer.refusal());
            }
        }
        return reasons;
    }

    private Map<String, Set<String>> groupsByGpu(Cluster cluster) {
        Map<String, Set<String>> byGpu = new HashMap<>();
        groups.forEach((pod, group) -> cluster.placement(pod)
                .ifPresent(placement -> cluster.node(placement.node())
                        .ifPresent(node -> placement
                                .gpus()
                                .forEach(index -> byGpu.computeIfAbsent(
                                                node.node().gpus().get(index).uuid(), gpu -> new HashSet<>())
                                        .add(group)))));
        return byGpu;
    }

    /** Volcano lists only the containers that ask for GPUs. */
    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        List<Optional<VgpuRequest>> requests = requests(manifest);
        if (requests.get(container).isEmpty()) {
            return List.of();
        }
        int position = (int) requests.subList(0, container).stream()
                .filter(Optional::isPresent)
                .count();
        return VgpuView.indexes(manifest.annotations().getOrDefault(ASSIGNED, ""), position, node);
    }

    /**
     * Returns the annotations {@code volcano.sh/vgpu-node}, {@code vgpu-ids-new} and {@code devices-to-allocate}, and for
     * each container the variables that its device plugin sets.
     */
    @Override
    public Writing write(PodManifest manifest, Node node, Placement placement) {
        List<List<VgpuShare>> shares = VgpuView.shares(node.gpus(), placement, requests(manifest));
        String devices = VgpuCodec.encodeVolcano(
                shares.stream().filter(held -> !held.isEmpty()).toList());
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (int c = 0; c < shares.size(); c++) {
            ContainerManifest container = manifest.containers().get(c);
            environment.put(container.name(), VgpuEnvironment.of(shares.get(c), node, container.limits()));
        }
        return new Writing(
                environment,
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
