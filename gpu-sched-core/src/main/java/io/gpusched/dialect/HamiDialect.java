package io.gpusched.dialect;

import io.gpusched.decision.Decision;
import io.gpusched.model.Cluster;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * HAMi: {@code nvidia.com/gpu} distinct GPUs, of each {@code gpumem} MiB or {@code gpumem-percentage} percent of memory
 * and {@code gpucores} percent of compute; selectors and policies in annotations ({@link HamiPodRules}).
 *
 * <p>Where HAMi's own greedy rule ({@link HamiGreedy}) finds a place on a node, the pod gets exactly those GPUs; where it
 * finds none although there is room, the exact search places the pod. What HAMi's webhook does to a pod is done here too
 * ({@link HamiAdmission}).
 *
 * <p>Done otherwise than in HAMi: memory that is no whole number in range and percentages out of range are refused
 * (HAMi drops the request or clamps it) unless the {@link HamiSettings settings} are lenient; NUMA binding finds every
 * set of GPUs of one NUMA node; equal nodes go by node order, not by chance; a record that cannot be read is an error,
 * not free room; GPUs in MIG mode take nothing. Immutable and thread-safe.
 */
public final class HamiDialect implements Dialect {
    private static final String ALLOCATED = "hami.io/vgpu-devices-allocated";

    private final HamiSettings settings;
    private final Function<String, List<VgpuDevice>> registration;
    private final HamiTopology topology;
    private final HamiQuota quota;

    private HamiDialect(
            HamiSettings settings,
            Function<String, List<VgpuDevice>> registration,
            HamiTopology topology,
            HamiQuota quota) {
        this.settings = settings;
        this.registration = registration;
        this.topology = topology;
        this.quota = quota;
    }

    /** Returns the dialect of an installation with these settings, without quota and pair scores. */
    public static HamiDialect of(HamiSettings settings) {
        return new HamiDialect(settings, HamiRegistration::parse, HamiTopology.UNKNOWN, HamiQuota.NONE);
    }

    /**
     * Returns this dialect with another reader of the node annotation {@value HamiRegistration#ANNOTATION}; a record of
     * it is a GPU with nothing in use. By default {@link HamiRegistration#parse} reads it.
     */
    public HamiDialect withRegistration(Function<String, List<VgpuDevice>> decoder) {
        return new HamiDialect(settings, decoder, topology, quota);
    }

    /** Returns this dialect with the pair scores of all nodes together; topology-aware pods need them. */
    public HamiDialect withTopology(HamiTopology scores) {
        return new HamiDialect(settings, registration, scores, quota);
    }

    /** Returns this dialect for pods of a namespace with this quota. */
    public HamiDialect withQuota(HamiQuota namespaceQuota) {
        return new HamiDialect(settings, registration, topology, namespaceQuota);
    }

    @Override
    public String name() {
        return "hami";
    }

    /** Returns HAMi's order for pods that name no policy: the fullest node, there the emptiest GPU, the last of equals. */
    @Override
    public ScanRule rule() {
        GpuOrder order = (node, request) -> {
            List<VgpuDevice> gpus = VgpuView.gpus(node);
            Comparator<VgpuDevice> spread =
                    HamiGpuPolicy.SPREAD.order(gpu -> HamiScores.gpu(gpu, List.of(), HamiWeights.EQUAL), false);
            return Comparator.<Integer, VgpuDevice>comparing(gpus::get, spread)
                    .thenComparing(Comparator.naturalOrder())
                    .reversed();
        };
        Comparator<NodeState> fuller = Comparator.comparingDouble(node -> HamiScores.node(VgpuView.gpus(node)));
        return ScanRule.of("hami/spread", order).withNodes(fuller.reversed());
    }

    /**
     * Returns a node with the GPUs that its annotation registers; those that its annotation {@value HamiNode#CORDON}
     * names, and those in MIG mode, take nothing.
     */
    @Override
    public Node node(NodeManifest manifest) {
        Node.Builder node = manifest.toNode();
        String text = manifest.annotations().getOrDefault(HamiRegistration.ANNOTATION, "");
        Set<String> cordoned =
                new HashSet<>(VgpuSelector.names(manifest.annotations().get(HamiNode.CORDON)));
        int index = 0;
        for (VgpuDevice device : text.isBlank() ? List.<VgpuDevice>of() : registration.apply(text)) {
            boolean open = !cordoned.contains(device.id()) && !device.mode().equals("mig");
            node.gpu(VgpuSnapshot.gpu(index++, device).withHealthy(device.healthy() && open));
        }
        return node.build();
    }

    /** Returns a pod for no snapshot in particular: types must be named in full, and what GPUs hold is not looked at. */
    @Override
    public Pod pod(PodManifest manifest) {
        return terms(rules(manifest)).pod(manifest, requests(manifest), null);
    }

    /** Returns a pod for this snapshot: parts of types are resolved, and what GPUs hold is looked at. O(GPUs). */
    public Pod pod(PodManifest manifest, Cluster cluster) {
        return terms(rules(manifest)).pod(manifest, requests(manifest), cluster);
    }

    private static VgpuTerms terms(HamiPodRules rules) {
        return new VgpuTerms(
                rules.types(),
                rules.uuids(),
                rules.numaBind(),
                rules.gpuPolicy().isMutex());
    }

    private static HamiPodRules rules(PodManifest manifest) {
        try {
            return HamiPodRules.of(manifest.annotations());
        } catch (IllegalArgumentException e) {
            throw new RefusedException("pod \"" + manifest.id() + "\"", String.valueOf(e.getMessage()));
        }
    }

    /**
     * Returns what each container asks, as HAMi's webhook leaves it.
     *
     * @throws RefusedException if HAMi's rules forbid it
     */
    public List<Optional<VgpuRequest>> requests(PodManifest manifest) {
        return manifest.containers().stream()
                .map(container -> request(manifest, container))
                .toList();
    }

    private Optional<VgpuRequest> request(PodManifest manifest, ContainerManifest container) {
        String what = "pod \"" + manifest.id() + "\", container \"" + container.name() + "\"";
        HamiAdmission webhook = HamiAdmission.of(settings);
        webhook.refusal(container.limits(), container.requests()).ifPresent(reason -> {
            throw new RefusedException(what, reason);
        });
        try {
            Map<String, String> limits = webhook.complete(container.limits(), container.requests());
            return HamiRequests.of(settings).parse(limits, container.requests());
        } catch (IllegalArgumentException e) {
            throw new RefusedException(what, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public Decision schedule(Cluster cluster, PodManifest manifest) {
        HamiPodRules rules = rules(manifest);
        List<Optional<VgpuRequest>> requests = requests(manifest);
        int init = initContainers(manifest);
        VgpuScan scan = new VgpuScan(
                node -> Optional.of(own(node, rules, manifest, requests))
                        .filter(HamiGreedy.OnNode::fits)
                        .map(HamiGreedy.OnNode::containers),
                (node, placement) ->
                        quota.admits(init, VgpuView.shares(node.node().gpus(), placement, requests)));
        return scan.schedule(cluster, pod(manifest, cluster), inOrder(cluster, rules));
    }

    private static List<NodeState> inOrder(Cluster cluster, HamiPodRules rules) {
        record Scored(NodeState node, double fullness) {}
        Comparator<Scored> fuller = Comparator.comparingDouble(Scored::fullness);
        return cluster.nodes().stream()
                .map(node -> new Scored(node, HamiScores.node(VgpuView.gpus(node))))
                .sorted(rules.spreadsNodes() ? fuller : fuller.reversed())
                .map(Scored::node)
                .toList();
    }

    /**
     * Returns HAMi's own words for each node that its rule refuses, by node name in node order, such as
     * {@code 1/8 CardInsufficientCore, 7/8 CardInsufficientMemory}. The exact search may still have found room there.
     */
    @Override
    public Map<String, String> refusals(Cluster cluster, PodManifest manifest) {
        HamiPodRules rules = rules(manifest);
        List<Optional<VgpuRequest>> requests = requests(manifest);
        Map<String, String> reasons = new LinkedHashMap<>();
        for (NodeState node : cluster.nodes()) {
            HamiGreedy.OnNode answer = own(node, rules, manifest, requests);
            if (!answer.fits()) {
                reasons.put(answer.node(), answer.refusal());
            }
        }
        return reasons;
    }

    private HamiGreedy.OnNode own(
            NodeState node, HamiPodRules rules, PodManifest manifest, List<Optional<VgpuRequest>> requests) {
        int init = initContainers(manifest);
        HamiNode seen = new HamiNode(node.name(), VgpuView.gpus(node), Set.of(), topology);
        return HamiGreedy.of(rules, quota)
                .place(seen, requests.subList(0, init), requests.subList(init, requests.size()));
    }

    private static int initContainers(PodManifest manifest) {
        return (int) manifest.containers().stream()
                .takeWhile(container -> !container.ordinary())
                .count();
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        return VgpuView.indexes(manifest.annotations().getOrDefault(ALLOCATED, ""), container, node);
    }

    /**
     * Returns the annotations {@code hami.io/vgpu-node}, {@code vgpu-devices-to-allocate} and
     * {@code vgpu-devices-allocated}, and for each container the variables that its device plugin sets. The time and the
     * lock that HAMi also writes are not made here.
     */
    @Override
    public Writing write(PodManifest manifest, Node node, Placement placement) {
        List<List<VgpuShare>> shares = VgpuView.shares(node.gpus(), placement, requests(manifest));
        String devices = VgpuCodec.encodeHami(shares);
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (int c = 0; c < shares.size(); c++) {
            ContainerManifest container = manifest.containers().get(c);
            environment.put(container.name(), VgpuEnvironment.of(shares.get(c), node, container.limits()));
        }
        return new Writing(
                environment,
                Map.of(
                        "hami.io/vgpu-node",
                        placement.node(),
                        "hami.io/vgpu-devices-to-allocate",
                        devices,
                        ALLOCATED,
                        devices),
                Map.of());
    }
}
