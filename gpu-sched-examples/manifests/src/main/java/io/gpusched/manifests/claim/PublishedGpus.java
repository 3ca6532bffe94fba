package io.gpusched.manifests.claim;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.gpusched.claim.ClaimAllocation;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceClass;
import io.gpusched.claim.DeviceId;
import io.gpusched.claim.DevicesInUse;
import io.gpusched.claim.NodeScope;
import io.gpusched.claim.ResourceSlice;
import io.gpusched.dialect.internal.Manifests;
import io.gpusched.dialect.nvidia.MigResources;
import io.gpusched.manifests.claim.PublishedGpu.Published;
import io.gpusched.model.Cluster;
import io.gpusched.model.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * GPUs that drivers publish in ResourceSlices. A node that reports none by a device plugin has those, under the resource by which pods
 * may ask for them without a claim: the {@code extendedResourceName} of a device class that accepts them, else the name that the
 * vendor's device plugin would give them.
 *
 * <p>A GPU whose partitions are published beside the whole is one GPU. Devices that several nodes reach are of none of them.
 */
public final class PublishedGpus {
    private static final Map<String, String> RESOURCES =
            Map.of("gpu.nvidia.com", "nvidia.com/gpu", "gpu.amd.com", "amd.com/gpu");

    private static final String AMD = "gpu.amd.com";

    private final ClaimObjects claims;
    private final Map<String, List<PublishedGpu>> byNode = new LinkedHashMap<>();
    private final Map<DeviceId, PublishedGpu> byDevice = new HashMap<>();
    private final Map<DeviceId, Published> devices = new HashMap<>();

    /** The nodes, each with the GPUs that are published of it. */
    private final List<Node> nodes = new ArrayList<>();

    /** By node the resources that it has of slices; no node that has none. */
    private final Map<String, Set<String>> added = new HashMap<>();

    /** The devices that are GPUs and partitions of the snapshot, or counted there. */
    private final Map<DeviceId, NodeGpu> inSnapshot = new HashMap<>();

    /** GPUs that share a counter with another GPU of their node: a device of each draws on it. */
    private final Set<PublishedGpu> sharingCounters = new HashSet<>();

    /** By node what it has of devices by its plugins. */
    private final Map<String, String> reported = new HashMap<>();

    /** Whether GPUs are called as a class offers them, not as the vendor's device plugin would. */
    private final boolean areOffered;

    private PublishedGpus(ClaimObjects claims, List<ResourceSlice> some, List<Node> bare, boolean areOffered) {
        this.claims = claims;
        this.areOffered = areOffered;
        Map<List<String>, PublishedGpu> byName = new HashMap<>();
        List<ResourceSlice> slices = new ArrayList<>(some);
        slices.sort(Comparator.comparing(ResourceSlice::driver)
                .thenComparing(ResourceSlice::pool)
                .thenComparing(ResourceSlice::name));
        for (boolean parts : new boolean[] {false, true}) {
            for (ResourceSlice slice : slices) {
                for (Device device : slice.devices()) {
                    Published published = new Published(slice, device);
                    Optional<String> node = node(slice, device);
                    if (node.isPresent() && published.isGpu() && published.isPart() == parts) {
                        add(node.get(), published, byName);
                    }
                }
            }
        }
        byNode.values().forEach(this::findSharedCounters);
        bare.forEach(node -> nodes.add(with(node)));
    }

    private void findSharedCounters(List<PublishedGpu> gpus) {
        Map<List<String>, PublishedGpu> users = new HashMap<>();
        for (PublishedGpu gpu : gpus) {
            for (Published one : gpu.devices()) {
                for (Device.CounterUse use : one.device().consumes()) {
                    PublishedGpu first = users.putIfAbsent(
                            List.of(one.slice().driver(), one.slice().pool(), use.counterSet()), gpu);
                    if (first != null && first != gpu) {
                        sharingCounters.add(first);
                        sharingCounters.add(gpu);
                    }
                }
            }
        }
    }

    /** Returns the GPUs that are published of some nodes. */
    public static PublishedGpus of(ClaimObjects claims, List<Node> nodes) {
        return new PublishedGpus(claims, claims.slices(), nodes, true);
    }

    /**
     * Returns the GPUs that are published of one node, under the name of the vendor's device plugin: what a class offers is asked for by
     * a claim.
     *
     * @param slices the slices that have devices of the node
     */
    public static PublishedGpus of(ClaimObjects claims, List<ResourceSlice> slices, Node node) {
        return new PublishedGpus(claims, slices, List.of(node), false);
    }

    /** Returns the objects that publish them. */
    public ClaimObjects claims() {
        return claims;
    }

    /** Returns the nodes, each with the GPUs of its slices where it reports none of their name. */
    public List<Node> nodes() {
        return nodes;
    }

    /** Returns whether it is known which GPUs of a node claims hold. */
    public boolean isExact(String node) {
        return added.containsKey(node);
    }

    /** Returns whether devices of a driver are GPUs, and no channels between them. */
    static boolean isGpu(String driver) {
        return driver.contains("gpu");
    }

    private static Optional<String> node(ResourceSlice slice, Device device) {
        NodeScope scope = device.scope().orElse(slice.scope());
        return scope instanceof NodeScope.Named named ? Optional.of(named.node()) : Optional.empty();
    }

    private void add(String node, Published published, Map<List<String>, PublishedGpu> byName) {
        String driver = published.slice().driver();
        List<List<String>> names = published.names().stream()
                .map(name -> List.of(node, driver, name))
                .toList();
        PublishedGpu gpu = names.stream()
                .map(byName::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> {
                    PublishedGpu made = new PublishedGpu(node, driver);
                    byNode.computeIfAbsent(node, any -> new ArrayList<>()).add(made);
                    return made;
                });
        gpu.add(published);
        names.forEach(name -> byName.putIfAbsent(name, gpu));
        DeviceId id = published.slice().idOf(published.device());
        byDevice.put(id, gpu);
        devices.put(id, published);
    }

    /** Returns the node that has a device. */
    Optional<String> nodeOf(DeviceId device) {
        return Optional.ofNullable(byDevice.get(device)).map(PublishedGpu::node);
    }

    /** Returns whether a device is known to be none of a node. */
    boolean isElsewhere(String node, DeviceId device) {
        return nodeOf(device).filter(own -> !own.equals(node)).isPresent();
    }

    /** Returns what a device is counted as. */
    String resourceOf(DeviceId device) {
        PublishedGpu gpu = byDevice.get(device);
        return gpu == null
                ? RESOURCES.getOrDefault(device.driver(), device.driver() + "/gpu")
                : resource(gpu.whole().orElse(Objects.requireNonNull(devices.get(device))));
    }

    /** Returns what GPUs of a node are counted as, where nothing says which is meant. */
    String resourceOn(String node) {
        return added.getOrDefault(node, Set.of()).stream()
                .findFirst()
                .orElse(reported.getOrDefault(node, RESOURCES.getOrDefault("gpu.nvidia.com", "")));
    }

    /** Returns a device as the snapshot has it; empty where the node's GPUs are not those of slices. */
    Optional<NodeGpu> on(String node, DeviceId device) {
        return nodeOf(device).filter(node::equals).flatMap(any -> Optional.ofNullable(inSnapshot.get(device)));
    }

    private void putInSnapshot(String node, List<PublishedGpu> gpus, Set<String> ofNode) {
        List<PublishedGpu> wholes = wholes(node);
        boolean areAlike = wholes.stream()
                        .flatMap(gpu -> gpu.whole().stream())
                        .map(this::resource)
                        .distinct()
                        .count()
                <= 1;
        for (PublishedGpu gpu : gpus) {
            Optional<String> whole = gpu.whole().map(this::resource);
            boolean isCounted = whole.isEmpty() || !areAlike;
            String uuid = Manifests.unnamed(node, wholes.indexOf(gpu));
            for (Published one : gpu.devices()) {
                String resource = whole.orElseGet(() -> resource(one));
                DeviceId id = one.slice().idOf(one.device());
                if (ofNode.contains(resource) && one.equals(devices.get(id))) {
                    inSnapshot.put(
                            id,
                            isCounted || !one.isPart() || !gpu.isPartitionable()
                                    ? new NodeGpu(uuid, resource, Optional.empty(), 0, isCounted)
                                    : partition(uuid, one));
                }
            }
        }
    }

    private static NodeGpu partition(String uuid, Published one) {
        String profile = PublishedGpu.profile(one).orElseThrow();
        int start = PublishedGpu.start(one).orElseThrow();
        return new NodeGpu(uuid, MigResources.resource(profile), Optional.of(profile), start, false);
    }

    /**
     * Returns the devices that are in use: those that claims have, and on nodes whose GPUs are known by their slices each GPU that is
     * held in another way.
     */
    public DevicesInUse inUse(Cluster cluster) {
        DevicesInUse claimed = claims.inUse();
        List<ClaimAllocation.Grant> others = new ArrayList<>();
        for (String name : added.keySet()) {
            Optional<NodeState> node = cluster.node(name);
            List<PublishedGpu> gpus = wholes(name);
            for (int i = 0;
                    node.isPresent() && i < Math.min(gpus.size(), node.get().gpuCount());
                    i++) {
                if (!node.get().isIdle(i)
                        && gpus.get(i).devices().stream()
                                .noneMatch(one -> claimed.uses(one.slice().idOf(one.device())))) {
                    gpus.get(i)
                            .devices()
                            .forEach(one -> others.add(new ClaimAllocation.Grant(
                                    "", one.slice().idOf(one.device()), false, false, Map.of())));
                }
            }
        }
        return claimed.with(List.of(new ClaimAllocation("others", others)));
    }

    /** The GPUs of the nodes that have those of their slices, by node. */
    Map<String, List<PublishedGpu>> exact() {
        Map<String, List<PublishedGpu>> exact = new TreeMap<>(byNode);
        exact.keySet().retainAll(added.keySet());
        return exact;
    }

    /** Whether a counter is drawn from by devices of several GPUs, so that it does not belong to one of them. */
    boolean sharesCounters(PublishedGpu gpu) {
        return sharingCounters.contains(gpu);
    }

    List<PublishedGpu> wholes(String node) {
        return byNode.getOrDefault(node, List.of()).stream()
                .filter(gpu -> gpu.whole().isPresent())
                .toList();
    }

    private Node with(Node node) {
        String name = node.getMetadata().getName();
        List<PublishedGpu> gpus = byNode.getOrDefault(name, List.of());
        Map<String, Integer> amounts = new LinkedHashMap<>();
        for (PublishedGpu gpu : gpus) {
            for (String resource : resources(gpu)) {
                amounts.merge(resource, 1, Integer::sum);
            }
        }
        amounts.keySet().removeIf(resource -> isReported(node, resource));
        if (amounts.isEmpty()) {
            RESOURCES.values().stream()
                    .filter(resource -> isReported(node, resource))
                    .findFirst()
                    .ifPresent(resource -> reported.put(name, resource));
            return node;
        }
        Set<String> ofNode = new LinkedHashSet<>(amounts.keySet());
        added.put(name, ofNode);
        putInSnapshot(name, gpus, ofNode);
        return labelled(with(node, amounts), gpus);
    }

    private static boolean isReported(Node node, String resource) {
        Map<String, Quantity> allocatable =
                node.getStatus() == null ? null : node.getStatus().getAllocatable();
        Quantity amount = allocatable == null ? null : allocatable.get(resource);
        return amount != null && amount.getNumericalAmount().signum() > 0;
    }

    private static Node with(Node node, Map<String, Integer> amounts) {
        Map<String, Quantity> more = new LinkedHashMap<>();
        amounts.forEach((resource, amount) -> more.put(resource, new Quantity(String.valueOf(amount))));
        return new NodeBuilder(node)
                .editOrNewStatus()
                .addToAllocatable(more)
                .endStatus()
                .build();
    }

    /** The resources of a GPU, one for each that can be had: the whole, or each of its parts where it is cut for good. */
    private List<String> resources(PublishedGpu gpu) {
        return gpu.whole().map(List::of).orElse(gpu.devices()).stream()
                .map(this::resource)
                .toList();
    }

    /** Returns the resource under which a device is counted. */
    String resource(Published one) {
        return Optional.of(one).filter(any -> areOffered).flatMap(this::offered).orElseGet(() -> {
            String driver = one.slice().driver();
            Optional<String> profile = one.isPart() ? PublishedGpu.profile(one) : Optional.empty();
            return profile.map(name -> driver.equals(AMD) ? "amd.com/" + name : MigResources.resource(name))
                    .orElse(RESOURCES.getOrDefault(driver, driver + "/gpu"));
        });
    }

    private Optional<String> offered(Published one) {
        return claims.classes().stream()
                .filter(offer -> offer.extendedResource()
                        .flatMap(claims.extended()::classOf)
                        .filter(offer.name()::equals)
                        .isPresent())
                .filter(offer -> claims.isOf(offer.name(), one.slice(), one.device()))
                .findFirst()
                .flatMap(DeviceClass::extendedResource);
    }

    /** What device plugins' companions say of the product, where nothing says it yet. */
    private Node labelled(Node node, List<PublishedGpu> gpus) {
        Published one = gpus.get(0).whole().orElse(gpus.get(0).devices().get(0));
        Optional<String> product = one.text("productName").map(name -> name.replace(' ', '-'));
        Map<String, String> labels = new LinkedHashMap<>();
        if (gpus.get(0).driver().equals(AMD)) {
            product.ifPresent(name -> labels.put("amd.com/gpu.product-name", name));
        } else {
            product.ifPresent(name -> labels.put("nvidia.com/gpu.product", name));
            if (!one.isPart() && one.memoryMib() > 0) {
                labels.put("nvidia.com/gpu.memory", String.valueOf(one.memoryMib()));
            }
        }
        List<PublishedGpu> wholes = wholes(node.getMetadata().getName());
        String cut = IntStream.range(0, wholes.size())
                .filter(i -> wholes.get(i).isPartitionable())
                .mapToObj(String::valueOf)
                .collect(Collectors.joining("."));
        if (!cut.isEmpty()) {
            labels.put(MigResources.PARTITIONABLE, cut);
        }
        Map<String, String> known = node.getMetadata().getLabels();
        labels.keySet().removeIf(name -> known != null && known.containsKey(name));
        return labels.isEmpty()
                ? node
                : new NodeBuilder(node)
                        .editMetadata()
                        .addToLabels(labels)
                        .endMetadata()
                        .build();
    }
}
