package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.internal.dialect.VgpuView;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuSelector;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * HAMi's choice for a pod: the fullest node (or the emptiest) as it is before the pod, there GPUs in the order of the
 * pod's GPU policy. GPUs that the pod's policy, its lack of compute or the namespace's quota forbid are left out.
 *
 * @param rules what decides about order and use; models, UUIDs and modes are for the request and not kept here
 * @param topology pair scores, for topology-aware pods
 * @param quota the namespace's quota, where it can bind
 * @param asked what the containers ask by name, where the quota counts it; a whole GPU counts as what was asked of it
 */
record HamiPolicy(HamiPodRules rules, HamiTopology topology, HamiQuota quota, Map<String, VgpuRequest> asked)
        implements PlacementPolicy, DeviceOrder {
    /** Fullness of a node is a number with a fraction, at most 30 unless GPUs are over-booked. */
    private static final double SCORE_SCALE = 1L << 40;

    HamiPolicy {
        asked = Map.copyOf(asked);
    }

    /** Returns the choice where no quota binds. */
    static HamiPolicy unbounded(HamiPodRules rules, HamiTopology topology) {
        return new HamiPolicy(rules, topology, HamiQuota.NONE, Map.of());
    }

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        long fullness = (long) (HamiPodRules.fullness(VgpuView.gpus(before)) * SCORE_SCALE);
        return rules.spreadsNodes() ? -fullness : fullness;
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        VgpuRequest request = asked.getOrDefault(container.name(), VgpuView.request(container.gpu()));
        List<VgpuDevice> scan = new ArrayList<>(VgpuView.gpus(node));
        scan.sort(rules.order(request));
        Collections.reverse(scan);
        GpuSelector accepted = container.gpu().selector();
        scan.removeIf(gpu -> !gpu.healthy()
                || !accepted.accepts(node.node().gpus().get(gpu.index()))
                || rules.checkRoom(gpu, request, true).isPresent());
        return groups(scan).stream()
                .flatMap(group -> choose(node, group, request, earlier).stream())
                .mapToInt(VgpuDevice::index)
                .toArray();
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
