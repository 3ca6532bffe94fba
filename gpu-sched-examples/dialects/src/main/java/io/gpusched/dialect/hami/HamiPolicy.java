package io.gpusched.dialect.hami;

import io.gpusched.dialect.hami.vendor.HamiVendor;
import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.partition.GpuPartition;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * HAMi's choice for a pod: the fullest node (or the emptiest) as it is before the pod, there GPUs in the order of the
 * pod's GPU policy. GPUs that the pod's policy, its lack of compute or the namespace's quota forbid are left out.
 *
 * @param rules what decides about order and use; models, UUIDs and modes are for the request and not kept here
 * @param topology pair scores, for topology-aware pods
 * @param quota the namespace's quota, where it can bind
 * @param asked what containers ask by name: of other vendors' devices; and where the quota counts it, a whole GPU as what was
 *     asked of it, or where the percentage of memory that scores is not the amount that is taken
 * @param vendors the vendors beside NVIDIA whose devices the pod may ask for, by their names, as the pod shares them
 * @param largestFirst whether containers with many devices choose before those with few, since few sets of many are left
 */
record HamiPolicy(
        HamiPodRules rules,
        HamiTopology topology,
        HamiQuota quota,
        Map<String, VgpuRequest> asked,
        Map<String, HamiVendor> vendors,
        boolean largestFirst)
        implements PlacementPolicy, DeviceOrder {
    /** Fullness of a node is a number with a fraction, at most 30 unless GPUs are over-booked. */
    private static final double SCORE_SCALE = 1L << 40;

    private static final String PREFIX = "hami";

    /** Said of a choice that looks at more than what the pod's annotations say. */
    private static final String MORE = "by what is known of others";

    private static final Pattern NAME = Pattern.compile(PREFIX + "(?:\\(([^)]*)\\))?/(.*)", Pattern.DOTALL);

    /** Returns the annotations of a pod by which is chosen as a name says; empty if they alone do not say it. */
    static Optional<Map<String, String>> annotationsOf(String name) {
        Matcher matcher = NAME.matcher(name);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> said =
                matcher.group(1) == null ? List.of() : List.of(matcher.group(1).split(";", -1));
        return said.contains(MORE) ? Optional.empty() : Optional.of(HamiPodRules.annotationsOf(said, matcher.group(2)));
    }

    HamiPolicy {
        asked = Map.copyOf(asked);
        vendors = Map.copyOf(vendors);
    }

    /** Returns the choice where no quota binds. */
    static HamiPolicy unbounded(HamiPodRules rules, HamiTopology topology, Map<String, HamiVendor> vendors) {
        return new HamiPolicy(rules, topology, HamiQuota.NONE, Map.of(), vendors, false);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long fullness = (long) (HamiPodRules.fullness(VgpuView.gpus(before)) * SCORE_SCALE);
        long device = after.placement(pod.id())
                .map(placed -> usedWhereCut(before, placed))
                .orElse(0L);
        return (rules.spreadsNodes() ? -fullness : fullness)
                + (rules.gpuPolicy().packs() ? device : -device);
    }

    /** What is in use, in MiB, of the devices that give a pod partitions, where the order of devices does not choose these. */
    private static long usedWhereCut(NodeState before, Placement placement) {
        long used = 0;
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Partitions) {
                for (int gpu : grant.gpus().indexes()) {
                    used += before.node().gpus().get(gpu).memoryMib() - before.freeMemoryMib(gpu);
                }
            }
        }
        return used;
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    /** Where few sets of devices are legal, containers that choose in the pod's order may leave none to those behind. */
    @Override
    public Optional<DeviceOrder> fallback() {
        return largestFirst || !hasSets()
                ? Optional.empty()
                : Optional.of(new HamiPolicy(rules, topology, quota, asked, vendors, true));
    }

    private boolean hasSets() {
        return vendors.values().stream().anyMatch(vendor -> vendor.sets().isRestricted());
    }

    @Override
    public List<Container> containers(List<Container> containers) {
        List<Container> order = new ArrayList<>(containers);
        if (largestFirst) {
            order.sort(Comparator.comparingInt(
                            (Container container) -> container.gpu().count())
                    .reversed());
        }
        return order;
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        VendorOrder order = vendorOrder(node, container);
        if (order != null) {
            return order.gpus(node, earlier, container).stream()
                    .mapToInt(Integer::intValue)
                    .toArray();
        }
        VgpuRequest request = request(container);
        List<VgpuDevice> scan = DeviceSort.sorted(rules.order(request), node, VgpuView::gpus, earlier, container);
        GpuSelector accepted = container.gpu().selector();
        scan.removeIf(
                gpu -> !gpu.healthy() || !accepted.accepts(node.node().gpus().get(gpu.index())));
        scan.removeIf(gpu -> gpu.mode().equals(HamiPodRules.MIG)
                || rules.checkRoom(gpu, request, true).isPresent());
        return groups(scan).stream()
                .flatMap(group -> choose(node, group, request, earlier).stream())
                .mapToInt(VgpuDevice::index)
                .toArray();
    }

    private VgpuRequest request(Container container) {
        return asked.getOrDefault(container.name(), VgpuView.request(container.gpu()));
    }

    /** The order of the devices that a container asks for, if these are not NVIDIA's. */
    private @Nullable VendorOrder vendorOrder(NodeState node, Container container) {
        GpuSelector accepted = container.gpu().selector();
        return vendors.isEmpty()
                ? null
                : node.node().gpus().stream()
                        .filter(gpu -> gpu.healthy() && accepted.accepts(gpu))
                        .findFirst()
                        .map(gpu -> vendors.get(gpu.model().vendor()))
                        .map(vendor -> new VendorOrder(rules, vendor, request(container)))
                        .orElse(null);
    }

    /** Parts of GPUs in their order: MIG instances, and parts of other vendors' devices. */
    @Override
    public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
        if (!(container.gpu() instanceof GpuRequest.Partition asked)) {
            return List.of();
        }
        VendorOrder order = vendorOrder(node, container);
        return order == null
                ? instances(node, earlier, container, asked)
                : order.partitions(node, earlier, container, asked);
    }

    /** Whether a part must not lie anywhere: the request takes idle devices alone, or whole modules. */
    @Override
    public boolean namesAllPartitions() {
        return rules.gpuPolicy().isMutex() || hasSets();
    }

    private List<GpuPartition> instances(
            NodeState node, List<ContainerGrant> earlier, Container container, GpuRequest.Partition asked) {
        List<Gpu> gpus = node.node().gpus();
        Optional<Gpu> first =
                gpus.stream().filter(gpu -> isFor(asked, gpu) && gpu.healthy()).findFirst();
        if (first.isEmpty()) {
            return List.of();
        }
        VgpuRequest request = HamiMig.request(first.get(), asked);
        List<VgpuDevice> scan = DeviceSort.sorted(rules.order(request), node, VgpuView::gpus, earlier, container);
        scan.removeIf(gpu -> !gpu.healthy() || !isFor(asked, gpus.get(gpu.index())));
        for (List<VgpuDevice> group : groups(scan)) {
            List<GpuPartition> taken = HamiMig.first(node, group, asked);
            if (taken.size() == asked.instances()) {
                return taken;
            }
        }
        return List.of();
    }

    private static boolean isFor(GpuRequest.Partition asked, Gpu gpu) {
        return HamiMig.isIn(gpu)
                && gpu.partitions().names().contains(asked.profile())
                && asked.selector().accepts(gpu);
    }

    /** The GPUs of each NUMA node where the pod is bound to one; by connections HAMi chooses on the one it comes to last. */
    private List<List<VgpuDevice>> groups(List<VgpuDevice> scan) {
        if (!rules.numaBind()) {
            return List.of(scan);
        }
        Map<Integer, List<VgpuDevice>> byNuma = new LinkedHashMap<>();
        scan.forEach(gpu ->
                byNuma.computeIfAbsent(gpu.numa(), numa -> new ArrayList<>()).add(gpu));
        List<List<VgpuDevice>> groups = new ArrayList<>(byNuma.values());
        if (rules.gpuPolicy().isTopologyAware()) {
            Collections.reverse(groups);
        }
        return groups;
    }

    /** What the quota admits of these GPUs, the best connected first where connections decide. */
    private List<VgpuDevice> choose(
            NodeState node, List<VgpuDevice> gpus, VgpuRequest request, List<ContainerGrant> earlier) {
        boolean byConnections = rules.gpuPolicy().isTopologyAware();
        int most = byConnections ? gpus.size() : request.count();
        List<VgpuDevice> admitted =
                quota.equals(HamiQuota.NONE) ? gpus : withinQuota(node, gpus, request, most, earlier);
        return byConnections ? topology.bestFirst(admitted, request.count()) : admitted;
    }

    /** The first GPUs that the quota admits together, up to a number. */
    private List<VgpuDevice> withinQuota(
            NodeState node, List<VgpuDevice> scan, VgpuRequest request, int most, List<ContainerGrant> earlier) {
        List<Gpu> gpus = node.node().gpus();
        List<VgpuDevice> admitted = new ArrayList<>();
        List<VgpuShare> shares = new ArrayList<>();
        for (VgpuDevice device : scan) {
            shares.add(VgpuView.share(gpus.get(device.index()), request));
            if (admitted.size() < most && admits(gpus, earlier, shares)) {
                admitted.add(device);
            } else {
                shares.remove(shares.size() - 1);
            }
        }
        return admitted;
    }

    private boolean admits(List<Gpu> gpus, List<ContainerGrant> earlier, List<VgpuShare> shares) {
        List<List<VgpuShare>> all = new ArrayList<>();
        int init = 0;
        for (ContainerGrant grant : earlier) {
            init += grant.kind() == ContainerKind.INIT ? 1 : 0;
            all.add(held(gpus, grant));
        }
        all.add(shares);
        return quota.admits(init, all);
    }

    private List<VgpuShare> held(List<Gpu> gpus, ContainerGrant grant) {
        VgpuRequest request = asked.get(grant.container());
        return request == null || !request.type().equals(VgpuRequest.NVIDIA)
                ? List.of()
                : grant.gpus().indexes().stream()
                        .map(index -> VgpuView.share(gpus.get(index), request))
                        .toList();
    }

    @Override
    public String toString() {
        List<String> said = rules.said();
        boolean isOfPod = topology.equals(HamiTopology.UNKNOWN)
                && quota.equals(HamiQuota.NONE)
                && asked.isEmpty()
                && vendors.isEmpty()
                && !largestFirst;
        if (!isOfPod) {
            said.add(MORE);
        }
        return PREFIX + (said.isEmpty() ? "" : "(" + String.join(";", said) + ")") + "/"
                + String.join(",", rules.gpuPolicy().names());
    }
}
