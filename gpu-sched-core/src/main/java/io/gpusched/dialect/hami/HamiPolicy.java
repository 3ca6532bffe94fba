package io.gpusched.dialect.hami;

import io.gpusched.dialect.hami.vendor.DeviceSets;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.internal.dialect.VgpuView;
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
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * HAMi's choice for a pod: the fullest node (or the emptiest) as it is before the pod, there GPUs in the order of the
 * pod's GPU policy. GPUs that the pod's policy, its lack of compute or the namespace's quota forbid are left out.
 *
 * @param rules what decides about order and use; models, UUIDs and modes are for the request and not kept here
 * @param topology pair scores, for topology-aware pods
 * @param quota the namespace's quota, where it can bind
 * @param asked what containers ask by name, where the quota counts it, a whole GPU as what was asked of it, or where the
 *     percentage of memory that scores is not the amount that is taken
 * @param sets by vendor beside NVIDIA, which devices go together
 * @param largestFirst whether containers with many devices choose before those with few, since few sets of many are left
 */
record HamiPolicy(
        HamiPodRules rules,
        HamiTopology topology,
        HamiQuota quota,
        Map<String, VgpuRequest> asked,
        Map<String, DeviceSets> sets,
        boolean largestFirst)
        implements PlacementPolicy, DeviceOrder {
    /** Fullness of a node is a number with a fraction, at most 30 unless GPUs are over-booked. */
    private static final double SCORE_SCALE = 1L << 40;

    HamiPolicy {
        asked = Map.copyOf(asked);
        sets = Map.copyOf(sets);
    }

    /** Returns the choice where no quota binds. */
    static HamiPolicy unbounded(HamiPodRules rules, HamiTopology topology, Map<String, DeviceSets> sets) {
        return new HamiPolicy(rules, topology, HamiQuota.NONE, Map.of(), sets, false);
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long fullness = (long) (HamiPodRules.fullness(VgpuView.gpus(before)) * SCORE_SCALE);
        long device = usedWhereCut(before, after.placement(pod.id()));
        return (rules.spreadsNodes() ? -fullness : fullness)
                + (rules.gpuPolicy().packs() ? device : -device);
    }

    /** What is in use, in MiB, of the devices of which a pod gets partitions, where the order of devices does not choose these. */
    private static long usedWhereCut(NodeState before, @Nullable Placement placement) {
        long used = 0;
        for (ContainerGrant grant : placement == null ? List.<ContainerGrant>of() : placement.containers()) {
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

    /** Returns this choice, with containers in the pod's order or the largest first. */
    HamiPolicy withLargestFirst(boolean value) {
        return new HamiPolicy(rules, topology, quota, asked, sets, value);
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
        VgpuRequest request = asked.getOrDefault(container.name(), VgpuView.request(container.gpu()));
        List<VgpuDevice> scan = new ArrayList<>(VgpuView.gpus(node));
        scan.sort(rules.order(request));
        Collections.reverse(scan);
        GpuSelector accepted = container.gpu().selector();
        scan.removeIf(
                gpu -> !gpu.healthy() || !accepted.accepts(node.node().gpus().get(gpu.index())));
        if (!scan.isEmpty() && setsOf(node, scan.get(0)) != null) {
            return vendorGpus(node, scan, earlier, container);
        }
        scan.removeIf(gpu -> gpu.mode().equals(HamiPodRules.MIG)
                || rules.checkRoom(gpu, request, true).isPresent());
        return groups(scan).stream()
                .flatMap(group -> choose(node, group, request, earlier).stream())
                .mapToInt(VgpuDevice::index)
                .toArray();
    }

    /** MIG instances of the GPUs in their order; of other vendors' devices none. */
    @Override
    public List<GpuPartition> partitions(NodeState node, List<ContainerGrant> earlier, Container container) {
        if (!(container.gpu() instanceof GpuRequest.Partition asked)) {
            return List.of();
        }
        List<Gpu> gpus = node.node().gpus();
        List<VgpuDevice> scan = new ArrayList<>(VgpuView.gpus(node));
        scan.removeIf(gpu -> !gpu.healthy()
                || !HamiMig.isIn(gpus.get(gpu.index()))
                || !asked.fitsOnIdle(gpus.get(gpu.index()))
                || !asked.selector().accepts(gpus.get(gpu.index())));
        if (scan.isEmpty()) {
            return List.of();
        }
        scan.sort(rules.order(HamiMig.request(gpus.get(scan.get(0).index()), asked)));
        Collections.reverse(scan);
        for (List<VgpuDevice> group : groups(scan)) {
            List<GpuPartition> taken = HamiMig.first(node, group, asked);
            if (taken.size() == asked.instances()) {
                return taken;
            }
        }
        return List.of();
    }

    private @Nullable DeviceSets setsOf(NodeState node, VgpuDevice gpu) {
        return sets.get(node.node().gpus().get(gpu.index()).model().vendor());
    }

    private int[] vendorGpus(NodeState node, List<VgpuDevice> scan, List<ContainerGrant> earlier, Container container) {
        DeviceSets together = Objects.requireNonNull(setsOf(node, scan.get(0)));
        List<Integer> open = scan.stream()
                .filter(gpu -> setsOf(node, gpu) == together && isOpen(node, gpu, container.gpu()))
                .map(VgpuDevice::index)
                .toList();
        return together.choose(node, open, container.gpu(), earlier).stream()
                .mapToInt(Integer::intValue)
                .toArray();
    }

    /** Whether a vendor's device has room, as HAMi sees it: who asks for no compute takes none of a device that has none left. */
    private boolean isOpen(NodeState node, VgpuDevice gpu, GpuRequest request) {
        int index = gpu.index();
        Gpu device = node.node().gpus().get(index);
        if (request.takesWhole() || rules.gpuPolicy().isMutex()) {
            return node.isIdle(index);
        }
        return request.computeMillisOn(device) <= node.freeComputeMillis(index)
                && request.memoryMibOn(device) <= node.freeMemoryMib(index)
                && request.slotsOn(device) <= node.freeSlots(index)
                && node.freeComputeMillis(index) > 0;
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
        return request == null
                ? List.of()
                : grant.gpus().indexes().stream()
                        .map(index -> VgpuView.share(gpus.get(index), request))
                        .toList();
    }

    @Override
    public String toString() {
        return "hami/" + String.join(",", rules.gpuPolicy().names());
    }
}
