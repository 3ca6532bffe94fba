package io.gpusched.dialect.hami;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.internal.dialect.VgpuEnvironment;
import io.gpusched.internal.dialect.VgpuTerms;
import io.gpusched.internal.dialect.VgpuView;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
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
 * <p>HAMi gives GPUs to one container after the other. Where that finds a place on a node, the pod gets exactly those GPUs;
 * where it finds none although there is room, the next layout in HAMi's order is found. What HAMi's webhook does to a pod
 * is done here too: it refuses it, or completes its limits.
 *
 * <p>The requests of {@link #pod} leave to {@link #policy(PodManifest)} what depends on the state of a GPU: that a mutex
 * pod takes idle GPUs only, that a container without compute needs some left, the quota.
 *
 * <p>Done otherwise than in HAMi: memory that is no whole number in range and percentages out of range are refused
 * (HAMi drops the request or clamps it) unless the {@link HamiSettings settings} are lenient; NUMA binding finds every
 * set of GPUs of one NUMA node; equal nodes go by node order, not by chance; a record that cannot be read is an error,
 * not free room; GPUs in MIG mode take nothing. Immutable and thread-safe.
 */
public final class HamiDialect implements Dialect {
    /** Node annotation: UUIDs of GPUs that take nothing new, separated by commas. */
    public static final String CORDON = "hami.io/device-cordon";

    /** Node annotation: the GPUs of the node, as HAMi's device plugin writes them. */
    public static final String REGISTRATION = HamiRegistration.ANNOTATION;

    private static final String ALLOCATED = "hami.io/vgpu-devices-allocated";

    private final HamiSettings settings;
    private final Function<String, List<VgpuDevice>> json;
    private final HamiTopology topology;
    private final HamiQuota quota;

    private HamiDialect(
            HamiSettings settings, Function<String, List<VgpuDevice>> json, HamiTopology topology, HamiQuota quota) {
        this.settings = settings;
        this.json = json;
        this.topology = topology;
        this.quota = quota;
    }

    /** Returns the dialect of an installation with these settings, without quota and pair scores. */
    public static HamiDialect of(HamiSettings settings) {
        return new HamiDialect(settings, HamiRegistration::parse, HamiTopology.UNKNOWN, HamiQuota.NONE);
    }

    /**
     * Returns this dialect with a reader of registrations in JSON, which newer versions of HAMi write into the node
     * annotation {@value #REGISTRATION}; a record of it is a GPU with nothing in use. Without one such a text is an error.
     */
    public HamiDialect withJson(Function<String, List<VgpuDevice>> reader) {
        return new HamiDialect(settings, reader, topology, quota);
    }

    /** Returns this dialect with the pair scores of all nodes together; topology-aware pods need them. */
    public HamiDialect withTopology(HamiTopology scores) {
        return new HamiDialect(settings, json, scores, quota);
    }

    /** Returns this dialect for pods of a namespace with this quota. */
    public HamiDialect withQuota(HamiQuota namespaceQuota) {
        return new HamiDialect(settings, json, topology, namespaceQuota);
    }

    @Override
    public String name() {
        return "hami";
    }

    /** Returns HAMi's choice for pods that name no policy: the fullest node, there the emptiest GPU, the last of equals. */
    @Override
    public PlacementPolicy policy() {
        return HamiPolicy.unbounded(HamiPodRules.DEFAULT, HamiTopology.UNKNOWN);
    }

    /** Returns HAMi's choice by the pod's annotations. */
    @Override
    public PlacementPolicy policy(PodManifest manifest) {
        HamiPodRules rules = rules(manifest);
        HamiTopology pairs = rules.gpuPolicy().isTopologyAware() ? topology : HamiTopology.UNKNOWN;
        boolean countsWhileScanning = rules.gpuPolicy().isTopologyAware() && !quota.equals(HamiQuota.NONE);
        if (!countsWhileScanning && !mayExceedQuota(manifest)) {
            return HamiPolicy.unbounded(rules.ofOrder(), pairs);
        }
        List<Optional<VgpuRequest>> requests = requests(manifest);
        Map<String, VgpuRequest> asked = new LinkedHashMap<>();
        for (int c = 0; c < requests.size(); c++) {
            String name = manifest.containers().get(c).name();
            requests.get(c).ifPresent(request -> asked.put(name, request));
        }
        return new HamiPolicy(rules.ofOrder(), pairs, quota, asked);
    }

    /** Whether the pod could take more than is left, wherever it goes. */
    private boolean mayExceedQuota(PodManifest manifest) {
        long memory = 0;
        long compute = 0;
        boolean known = true;
        for (Optional<VgpuRequest> request : requests(manifest)) {
            if (request.isPresent()) {
                known &= request.get().memoryMib() > 0;
                memory += request.get().memoryMib() * request.get().count();
                compute += Math.min(100, request.get().cores()) * request.get().count();
            }
        }
        return !quota.equals(HamiQuota.NONE) && !(known && quota.admits(memory, compute));
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        return new HamiExplanation(rules(manifest), quota).of(node, requests(manifest));
    }

    /**
     * Returns a node with the GPUs that its annotation registers; those that its annotation {@value #CORDON}
     * names, and those in MIG mode, take nothing.
     */
    @Override
    public Node node(NodeManifest manifest) {
        Node.Builder node = manifest.toNode();
        String text = manifest.annotations().getOrDefault(HamiRegistration.ANNOTATION, "");
        Set<String> cordoned =
                new HashSet<>(VgpuSelector.names(manifest.annotations().get(CORDON)));
        int index = 0;
        for (VgpuDevice device : devices(text)) {
            boolean open = !cordoned.contains(device.id()) && !device.mode().equals("mig");
            Gpu gpu = device.toGpu(index++);
            node.gpu(gpu.withHealthy(gpu.healthy() && open));
        }
        return node.build();
    }

    private List<VgpuDevice> devices(String text) {
        return text.trim().startsWith("[") ? json.apply(text) : HamiRegistration.parse(text);
    }

    /** Returns a pod for no snapshot in particular: types must be named in full. */
    @Override
    public Pod pod(PodManifest manifest) {
        return terms(rules(manifest)).pod(manifest, requests(manifest), null);
    }

    /** Returns a pod for this snapshot, in which parts of types stand for the models that there are. */
    @Override
    public Pod pod(PodManifest manifest, Cluster cluster) {
        return terms(rules(manifest)).pod(manifest, requests(manifest), cluster);
    }

    private static VgpuTerms terms(HamiPodRules rules) {
        return new VgpuTerms(rules.types(), rules.uuids(), rules.numaBind());
    }

    private static HamiPodRules rules(PodManifest manifest) {
        HamiPodRules rules;
        try {
            rules = HamiPodRules.of(manifest.annotations());
        } catch (IllegalArgumentException e) {
            throw new RefusedException("pod \"" + manifest.id() + "\"", String.valueOf(e.getMessage()));
        }
        if (rules.modes().equals(List.of("mig"))) {
            throw new RefusedException(
                    "pod \"" + manifest.id() + "\"",
                    HamiPodRules.MODE + ": mig needs partitions, which are not supported");
        }
        return rules;
    }

    /**
     * Returns a pod as HAMi's webhook leaves it when it is created: a GPU is added where a container limits only memory or
     * compute, and compute is set to 100, so that the GPU is exclusive, where neither compute nor an amount of memory below
     * the whole is asked for.
     *
     * @param nodeName the node that the pod names itself, empty for none
     * @param privileged whether a container that asks for GPUs is privileged
     * @throws RefusedException if a percentage of memory is out of 0..100, the pod names a node, or it is privileged
     */
    public PodManifest admit(PodManifest manifest, String nodeName, boolean privileged) {
        HamiAdmission.podRefusal(nodeName, privileged).ifPresent(rule -> {
            throw new RefusedException("pod \"" + manifest.id() + "\"", rule);
        });
        List<ContainerManifest> containers = manifest.containers().stream()
                .map(container -> admit(manifest, container))
                .toList();
        return new PodManifest(
                manifest.id(),
                manifest.labels(),
                manifest.annotations(),
                containers,
                manifest.nodeSelector(),
                manifest.tolerations(),
                manifest.overhead(),
                manifest.rules());
    }

    private ContainerManifest admit(PodManifest manifest, ContainerManifest container) {
        HamiAdmission webhook = HamiAdmission.of(settings);
        webhook.refusal(container.limits(), container.requests()).ifPresent(rule -> {
            throw new RefusedException(what(manifest, container), rule);
        });
        Map<String, String> limits = webhook.complete(container.limits(), container.requests());
        return new ContainerManifest(
                container.name(), container.kind(), container.requests(), limits, container.named());
    }

    private static String what(PodManifest manifest, ContainerManifest container) {
        return "pod \"" + manifest.id() + "\", container \"" + container.name() + "\"";
    }

    /**
     * Returns what a container asks by its amounts as they stand there, or nothing if it asks for no GPU.
     *
     * @throws IllegalArgumentException if an amount is no whole number or out of range; see {@link HamiSettings#lenient}
     */
    public Optional<VgpuRequest> read(ContainerManifest container) {
        return HamiRequests.of(settings).parse(container.limits(), container.requests());
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
        ContainerManifest admitted = admit(manifest, container);
        try {
            return read(admitted);
        } catch (IllegalArgumentException e) {
            throw new RefusedException(what(manifest, container), String.valueOf(e.getMessage()));
        }
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
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        List<List<VgpuShare>> shares = VgpuView.shares(node.gpus(), placement, requests(manifest));
        String devices = VgpuCodec.encodeHami(shares);
        return new BindingMetadata(
                VgpuEnvironment.of(manifest, shares, node),
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
