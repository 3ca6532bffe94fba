package io.gpusched.dialect.hami;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.RefusedException;
import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.hami.vendor.VendorCatalog;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuSelector;
import io.gpusched.model.Cluster;
import io.gpusched.model.Gpu;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Pod;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

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
 * not free room. Of GPUs in MIG mode a pod gets instances as HAMi chooses them; where it may get both these and GPUs that are not in
 * MIG mode, the latter come first, on whatever node. Pods whose policy is mutex or topology-aware, pods under a quota that they could
 * exceed, and init containers get none. A running pod on a GPU in MIG mode must say which instance it holds. Devices of other vendors are described by a {@link VendorCatalog}; a container
 * asks for devices of one kind. Immutable and thread-safe.
 */
public final class HamiDialect implements Dialect {
    /** Node annotation: UUIDs of GPUs that take nothing new, separated by commas. */
    public static final String CORDON = "hami.io/device-cordon";

    /** Node annotation: the GPUs of the node, as HAMi's device plugin writes them. */
    public static final String REGISTRATION = HamiRegistration.ANNOTATION;

    private final HamiContainers containers;
    private final Function<String, Object> json;
    private final HamiTopology topology;
    private final HamiQuota quota;

    private HamiDialect(
            HamiContainers containers, Function<String, Object> json, HamiTopology topology, HamiQuota quota) {
        this.containers = containers;
        this.json = json;
        this.topology = topology;
        this.quota = quota;
    }

    /**
     * Returns the dialect of an installation with these settings and {@linkplain VendorCatalog#DEFAULT HAMi's own} vendors,
     * without quota and pair scores.
     */
    public static HamiDialect of(HamiSettings settings) {
        Objects.requireNonNull(settings, "settings");
        return new HamiDialect(
                new HamiContainers(settings, VendorCatalog.DEFAULT),
                HamiRegistration.NO_JSON,
                HamiTopology.UNKNOWN,
                HamiQuota.NONE);
    }

    /** Returns this dialect with other settings for NVIDIA's GPUs. */
    public HamiDialect withSettings(HamiSettings settings) {
        Objects.requireNonNull(settings, "settings");
        return new HamiDialect(new HamiContainers(settings, containers.vendors()), json, topology, quota);
    }

    /** Returns this dialect with these vendors beside NVIDIA. */
    public HamiDialect withVendors(VendorCatalog vendors) {
        Objects.requireNonNull(vendors, "vendors");
        return new HamiDialect(new HamiContainers(containers.settings(), vendors), json, topology, quota);
    }

    /**
     * Returns this dialect with a reader of JSON, in which many device plugins register: it makes maps, lists, texts, numbers
     * and booleans of a text, and throws {@link IllegalArgumentException} if that is no JSON. Without one such a text is an
     * error.
     */
    public HamiDialect withJson(Function<String, Object> reader) {
        Objects.requireNonNull(reader, "reader");
        return new HamiDialect(containers, reader, topology, quota);
    }

    /** Returns this dialect with the pair scores of all nodes together; topology-aware pods need them. */
    public HamiDialect withTopology(HamiTopology scores) {
        Objects.requireNonNull(scores, "scores");
        return new HamiDialect(containers, json, scores, quota);
    }

    /** Returns this dialect for pods of a namespace with this quota, which counts NVIDIA's GPUs alone. */
    public HamiDialect withQuota(HamiQuota namespaceQuota) {
        Objects.requireNonNull(namespaceQuota, "namespaceQuota");
        return new HamiDialect(containers, json, topology, namespaceQuota);
    }

    /** Returns the names of all resources that mean devices. */
    public Set<String> resources() {
        HamiSettings names = containers.settings();
        Set<String> all = new TreeSet<>(containers.vendors().resources());
        all.addAll(List.of(
                names.countResource(), names.memoryResource(), names.percentageResource(), names.coresResource()));
        all.remove("");
        return all;
    }

    @Override
    public String name() {
        return "hami";
    }

    /**
     * Returns HAMi's choice for pods that name no policy: the fullest node, there the emptiest GPU, the last of equals. Which
     * devices go together is not looked at, since it also serves pods that run.
     */
    @Override
    public PlacementPolicy policy() {
        return HamiPolicy.unbounded(HamiPodRules.DEFAULT, HamiTopology.UNKNOWN, anyOf(containers.vendors()));
    }

    /**
     * Returns the annotations of a pod for which {@link #policy(PodManifest)} is the policy whose {@code toString} is a name; empty if the name
     * is none of HAMi's, or annotations alone do not say it.
     */
    public static Optional<Map<String, String>> annotationsOf(String policy) {
        return HamiPolicy.annotationsOf(Objects.requireNonNull(policy, "policy"));
    }

    /** Returns HAMi's choice by the pod's annotations. */
    @Override
    public PlacementPolicy policy(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        HamiPodRules rules = HamiPods.rules(manifest);
        HamiTopology pairs = rules.gpuPolicy().isTopologyAware() ? topology : HamiTopology.UNKNOWN;
        boolean countsWhileScanning = rules.gpuPolicy().isTopologyAware() && !quota.equals(HamiQuota.NONE);
        List<HamiContainers.ContainerRequest> all = containers.asked(manifest);
        HamiQuota counted = countsWhileScanning || quota.mayBeExceeded(all) ? quota : HamiQuota.NONE;
        Map<String, VgpuRequest> asked = new LinkedHashMap<>();
        Map<String, HamiVendor> vendors = new LinkedHashMap<>();
        for (int c = 0; c < all.size(); c++) {
            String name = manifest.containers().get(c).name();
            all.get(c)
                    .nvidia()
                    .filter(request -> !counted.equals(HamiQuota.NONE) || isScoredByPercent(request))
                    .ifPresent(request -> asked.put(name, request));
            all.get(c).other().ifPresent(request -> {
                asked.put(name, request.amounts());
                vendors.put(request.vendor().vendor(), request.vendor().of(manifest));
            });
        }
        return new HamiPolicy(rules.ofOrder(), pairs, counted, asked, vendors, false);
    }

    /** Where both are asked for, the amount decides what fits and the percentage what a GPU scores. */
    private static boolean isScoredByPercent(VgpuRequest request) {
        return request.memoryMib() > 0 && request.memoryPercent().isPresent();
    }

    private static Map<String, HamiVendor> anyOf(VendorCatalog vendors) {
        return vendors.vendors().stream().collect(Collectors.toMap(HamiVendor::vendor, HamiVendor::held));
    }

    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        List<HamiContainers.ContainerRequest> asked = containers.asked(manifest);
        String words = new HamiExplanation(HamiPods.rules(manifest), quota)
                .of(
                        node,
                        asked.stream()
                                .map(HamiContainers.ContainerRequest::nvidia)
                                .toList());
        return asked.stream()
                .flatMap(one -> one.other().stream())
                .map(request -> request.refusal(node))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(words);
    }

    /**
     * Returns a node with the GPUs that its annotation registers, then other vendors' devices; those that its annotation
     * {@value #CORDON} names, and GPUs in MIG mode that register no profiles, take nothing.
     */
    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        Node.Builder node = manifest.toNode();
        String text = manifest.annotations().getOrDefault(HamiRegistration.ANNOTATION, "");
        Set<String> cordoned =
                new HashSet<>(VgpuSelector.names(manifest.annotations().get(CORDON)));
        int index = 0;
        for (HamiRegistration.Registered registered : HamiRegistration.parse(text, json)) {
            boolean open = !cordoned.contains(registered.device().id()) && !registered.lacksProfiles();
            Gpu gpu = registered.device().toGpu(index++);
            node.gpu(gpu.withHealthy(gpu.healthy() && open).withPartitions(registered.instances()));
        }
        containers.vendors().addTo(node, index, manifest, json, cordoned);
        return node.build();
    }

    /** Returns a pod for no snapshot in particular: types must be named in full. */
    @Override
    public Pod pod(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return HamiPods.of(containers, manifest, quota.mayBeExceeded(containers.asked(manifest)), null);
    }

    /** Returns a pod for this snapshot, in which parts of types stand for the models that there are. */
    @Override
    public Pod pod(PodManifest manifest, Cluster cluster) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(cluster, "cluster");
        return HamiPods.of(containers, manifest, quota.mayBeExceeded(containers.asked(manifest)), cluster);
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
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(nodeName, "nodeName");
        HamiAdmission.podRefusal(nodeName, privileged).ifPresent(rule -> {
            throw new RefusedException("pod \"" + manifest.id() + "\"", rule);
        });
        List<ContainerManifest> admitted = manifest.containers().stream()
                .map(container -> containers.admit(manifest, container))
                .toList();
        return new PodManifest(
                manifest.id(),
                manifest.labels(),
                manifest.annotations(),
                admitted,
                manifest.nodeSelector(),
                manifest.tolerations(),
                manifest.overhead(),
                manifest.rules(),
                manifest.claimed());
    }

    /**
     * Returns what a container asks of NVIDIA's GPUs by its amounts as they stand there, or nothing if it asks for none.
     *
     * @throws IllegalArgumentException if an amount is no whole number or out of range; see {@link HamiSettings#lenient}
     */
    public Optional<VgpuRequest> read(ContainerManifest container) {
        Objects.requireNonNull(container, "container");
        return containers.read(container);
    }

    /**
     * Returns what each container asks, as HAMi's webhook leaves it.
     *
     * @throws RefusedException if HAMi's rules forbid it
     */
    public List<Optional<VgpuRequest>> requests(PodManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        return containers.asked(manifest).stream()
                .map(HamiContainers.ContainerRequest::amounts)
                .toList();
    }

    @Override
    public List<Integer> heldGpus(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return held().heldGpus(manifest, container, node);
    }

    /** Returns the MIG instances that {@value HamiMigAllocations#ANNOTATION} names. */
    @Override
    public List<GpuPartition> heldPartitions(PodManifest manifest, int container, Node node) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        return held().heldPartitions(manifest, container, node);
    }

    /** Those of NVIDIA devices, of any vendor that settings may name, and what HAMi notes of a binding. */
    @Override
    public Set<String> grants() {
        return HamiGrants.names();
    }

    /**
     * Returns the annotation {@code hami.io/vgpu-node}; for NVIDIA's GPUs {@code vgpu-devices-to-allocate},
     * {@code vgpu-devices-allocated} and, of MIG instances, {@value HamiMigAllocations#ANNOTATION}, and for each container
     * without instances the variables that the device plugin sets; for other vendors'
     * devices the annotations that their plugins read. The time and the lock that HAMi also writes are not made here.
     */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        return held().write(manifest, node, placement);
    }

    private HamiGrants held() {
        return new HamiGrants(containers, json);
    }
}
