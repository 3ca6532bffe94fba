package io.gpusched.dialect.nvidia;

import io.gpusched.dialect.BindingMetadata;
import io.gpusched.dialect.ContainerManifest;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.NodeManifest;
import io.gpusched.dialect.PodManifest;
import io.gpusched.dialect.internal.FitReasons;
import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.Resources;
import io.gpusched.model.partition.PartitionProfile;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.NodeSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Kubernetes device plugin: whole devices under a name {@code vendor/resource}, such as {@code nvidia.com/gpu},
 * {@code amd.com/gpu} or {@code huawei.com/Ascend910}.
 *
 * <p>Whole numbers; a limit without a request sets the request, both must be equal, and a request without a limit is
 * refused. Which model a node has is read from its labels; pods choose by node selectors on them. Lowest index first.
 *
 * <p>{@code nvidia.com/gpu} comes with the MIG devices of the strategy {@code mixed}, see {@link MigResources}, and {@code amd.com/gpu}
 * with partitions such as {@code amd.com/cpx_nps4}, and {@code aws.amazon.com/neuron} with {@code aws.amazon.com/neuroncore}; a container that asks for several kinds of devices becomes as many containers, each with one of its requests.
 */
public final class DevicePluginDialect implements Dialect {
    private static final Map<String, String> VISIBLE_DEVICES =
            Map.of("nvidia", "NVIDIA_VISIBLE_DEVICES", "huawei", "ASCEND_VISIBLE_DEVICES");

    private static final Map<String, List<String>> PRODUCT_LABELS = Map.of(
            "amd",
            List.of("amd.com/gpu.product-name"),
            "google",
            List.of("cloud.google.com/gke-tpu-accelerator"),
            "huawei",
            List.of("node.kubernetes.io/npu.chip.name", "accelerator-type", "accelerator"));

    /** Values of Huawei's label that say how a chip is mounted, and not which it is. */
    private static final Set<String> MOUNTS = Set.of("module", "card", "half");

    private static final char PART = '#';

    private final String resource;

    private DevicePluginDialect(String resource) {
        this.resource = resource;
    }

    /**
     * Returns the dialect of a resource.
     *
     * @throws IllegalArgumentException if the name is not {@code domain/name} or is longer than 63 characters
     */
    public static DevicePluginDialect of(String resource) {
        Objects.requireNonNull(resource, "resource");
        if (!resource.matches("[a-z0-9.-]+/[A-Za-z0-9._-]+") || resource.length() > 63) {
            throw new IllegalArgumentException(
                    "resource must be domain/name with at most 63 characters, got \"" + resource + "\"");
        }
        return new DevicePluginDialect(resource);
    }

    @Override
    public String name() {
        return "device-plugin";
    }

    /** Returns the names of the resources that it reads: its own, and those of partitions. */
    public List<String> resources() {
        List<String> parts = hasMig()
                ? MigResources.known()
                : isAmd()
                        ? PartitionResources.ofAmd()
                        : isNeuron() ? List.of(PartitionResources.NEURON_CORES) : List.of();
        return Stream.concat(Stream.of(resource), parts.stream()).toList();
    }

    /** Returns the resource's name. */
    public String resource() {
        return resource;
    }

    @Override
    public PlacementPolicy policy() {
        return GpuRule.LOWEST_INDEX;
    }

    /** Returns the vendor: the first part of the domain. */
    private String vendor() {
        return resource.substring(0, resource.indexOf('/')).replaceFirst("\\..*", "");
    }

    @Override
    public Node node(NodeManifest manifest) {
        Objects.requireNonNull(manifest, "manifest");
        String product = PRODUCT_LABELS.getOrDefault(vendor(), List.of()).stream()
                .map(label -> manifest.labels().getOrDefault(label, ""))
                .filter(value -> !value.isEmpty() && !MOUNTS.contains(value))
                .findFirst()
                .orElse(resource);
        GpuModel model = vendor().equals("nvidia") ? manifest.nvidiaModel() : GpuModel.of(vendor(), product, 0);
        Node.Builder builder = manifest.toNode().mode(NodeMode.EXCLUSIVE);
        int whole = isAmd() && PartitionResources.modeOfAll(manifest).isPresent() ? 0 : (int) manifest.count(resource);
        for (int i = 0; i < whole; i++) {
            Gpu gpu = Gpu.of(i, Manifests.unnamed(manifest.name(), i), model);
            builder.gpu(
                    hasMig()
                            ? MigResources.cut(manifest, gpu)
                            : isNeuron() ? PartitionResources.withCores(manifest, whole, gpu) : gpu);
        }
        if (hasPartitions() && !(isNeuron() && whole > 0)) {
            PartitionResources.device(manifest, whole, model).ifPresent(builder::gpu);
        }
        return builder.build();
    }

    private boolean hasMig() {
        return resource.equals(NvidiaSharing.RESOURCE);
    }

    private boolean hasPartitions() {
        return hasMig() || isAmd() || isNeuron();
    }

    private boolean isNeuron() {
        return resource.equals("aws.amazon.com/neuron");
    }

    private boolean isAmd() {
        return resource.equals("amd.com/gpu");
    }

    @Override
    public Pod pod(PodManifest manifest) {
        return pod(manifest, List.of());
    }

    /** Returns the pod as the nodes serve it: with partitions as well, where some node offers its partitions as GPUs. */
    @Override
    public Pod pod(PodManifest manifest, Cluster cluster) {
        Objects.requireNonNull(cluster, "cluster");
        return pod(manifest, isAmd() ? PartitionResources.offeredAsGpus(cluster.nodes()) : List.of());
    }

    private Pod pod(PodManifest manifest, List<String> parts) {
        Objects.requireNonNull(manifest, "manifest");
        List<Container> containers = new ArrayList<>();
        for (ContainerManifest container : manifest.containers()) {
            List<GpuRequest> requests = requests(container, parts);
            Resources resources = PodManifest.resources(container);
            GpuRequest first = requests.isEmpty() ? GpuRequest.none() : requests.get(0);
            containers.add(new Container(container.name(), container.kind(), resources, first));
            for (int i = 1; i < requests.size(); i++) {
                String name = container.name() + PART + i;
                containers.add(new Container(name, container.kind(), Resources.NONE, requests.get(i)));
            }
        }
        boolean asksForMig =
                hasMig() && containers.stream().anyMatch(container -> container.gpu() instanceof GpuRequest.Partition);
        NodeSelector selector = asksForMig
                ? manifest.nodeSelector().and(NodeSelector.all(MigResources.BY_RESOURCE))
                : manifest.nodeSelector();
        return Manifests.build(manifest, containers, selector, List.of());
    }

    /**
     * Returns what a container asks, one request for each kind of devices.
     *
     * @param parts the profiles that may serve in the place of whole devices
     */
    private List<GpuRequest> requests(ContainerManifest container, List<String> parts) {
        List<GpuRequest> requests = new ArrayList<>();
        long count = container.extended(resource).orElse(0L);
        if (count > 0) {
            int devices = Manifests.within(container, resource, count, 1, Node.MAX_GPUS);
            List<GpuRequest> ways = new ArrayList<>(List.of(GpuRequest.exclusive(devices)));
            parts.forEach(part -> ways.add(GpuRequest.partition(part, devices)));
            requests.add(ways.size() == 1 ? ways.get(0) : new GpuRequest.FirstOf(ways));
        }
        if (hasPartitions()) {
            requests.addAll(PartitionResources.requests(container, vendor()));
        }
        return requests;
    }

    /** Says it in kube-scheduler's words, which counts the devices: each resource that is short, CPU and memory too. */
    @Override
    public String refusal(NodeState node, PodManifest manifest) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(manifest, "manifest");
        return FitReasons.of(node, manifest, this::asked, name -> free(node, name));
    }

    private Map<String, Long> asked(ContainerManifest container) {
        Map<String, Long> asked = new LinkedHashMap<>();
        for (GpuRequest request : requests(container, List.of())) {
            if (request instanceof GpuRequest.Partition mig) {
                asked.put(PartitionResources.resource(mig.profile()), (long) mig.instances());
            } else if (request instanceof GpuRequest.Exclusive whole) {
                asked.put(resource, (long) whole.count());
            }
        }
        return asked;
    }

    long free(NodeState node, String name) {
        if (!name.equals(resource)) {
            return freeParts(node, PartitionResources.profile(name, vendor()).orElseThrow());
        }
        List<Gpu> gpus = node.node().gpus();
        long parts = PartitionResources.offeredAsGpus(List.of(node)).stream()
                .mapToLong(part -> freeParts(node, part))
                .sum();
        return parts
                + IntStream.range(0, gpus.size())
                        .filter(gpu -> !gpus.get(gpu).partitions().isAlwaysCut() && node.isIdle(gpu))
                        .count();
    }

    private static long freeParts(NodeState node, String profile) {
        long all = node.node().gpus().stream()
                .filter(gpu -> gpu.partitions().isAlwaysCut() || node.isIdle(gpu.index()) || node.isCut(gpu.index()))
                .flatMap(gpu -> gpu.partitions().profiles().stream())
                .filter(one -> one.name().equals(profile))
                .mapToLong(PartitionProfile::max)
                .sum();
        return all
                - node.placements().stream()
                        .flatMap(placement -> placement.containers().stream())
                        .filter(grant -> grant.gpus() instanceof GpuGrant.Partitions)
                        .flatMap(grant -> ((GpuGrant.Partitions) grant.gpus()).partitions().stream())
                        .filter(partition -> partition.profile().equals(profile))
                        .count();
    }

    /** Returns the ids that the plugin puts into the environment; AMD's mounts devices and sets nothing; MIG devices it chooses itself. */
    @Override
    public BindingMetadata write(PodManifest manifest, Node node, Placement placement) {
        Objects.requireNonNull(manifest, "manifest");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(placement, "placement");
        String variable = VISIBLE_DEVICES.get(vendor());
        Map<String, Map<String, String>> environment = new LinkedHashMap<>();
        for (ContainerGrant grant : placement.containers()) {
            if (variable != null && grant.gpus() instanceof GpuGrant.Whole) {
                String ids = grant.gpus().indexes().stream()
                        .map(gpu -> Manifests.deviceId(node, gpu))
                        .collect(Collectors.joining(","));
                environment.put(grant.container(), Map.of(variable, ids));
            }
        }
        return BindingMetadata.environment(environment);
    }
}
