package io.gpusched.dialect.hami;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.internal.dialect.VgpuView;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * HAMi's choice for a pod: the fullest node (or the emptiest) as it is before the pod, there GPUs in the order of the
 * pod's GPU policy. GPUs that the pod's policy, its lack of compute or the namespace's quota forbid are left out.
 *
 * @param rules what decides about order and use; models, UUIDs and modes are for the request and not kept here
 * @param topology pair scores, for topology-aware pods
 * @param quota the namespace's quota, where it can bind
 */
record HamiPolicy(HamiPodRules rules, HamiTopology topology, HamiQuota quota) implements PlacementPolicy, DeviceOrder {
    /** Fullness of a node is a number with a fraction, at most 30 unless GPUs are over-booked. */
    private static final double SCORE_SCALE = 1L << 40;

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
        VgpuRequest request = VgpuView.request(container.gpu());
        List<VgpuDevice> scan = new ArrayList<>(VgpuView.gpus(node));
        scan.sort(rules.order(request));
        Collections.reverse(scan);
        scan.removeIf(gpu -> rules.checkRoom(gpu, request, true).isPresent());
        if (rules.gpuPolicy().isTopologyAware()) {
            scan = topology.bestFirst(scan, request.count());
        }
        if (!quota.equals(HamiQuota.NONE)) {
            scan = withinQuota(node, scan, request, earlier);
        }
        return scan.stream().mapToInt(VgpuDevice::index).toArray();
    }

    /** The first GPUs that the quota admits together, as many as are asked for. */
    private List<VgpuDevice> withinQuota(
            NodeState node, List<VgpuDevice> scan, VgpuRequest request, List<ContainerGrant> earlier) {
        List<Gpu> gpus = node.node().gpus();
        List<VgpuDevice> admitted = new ArrayList<>();
        List<VgpuShare> shares = new ArrayList<>();
        for (VgpuDevice device : scan) {
            shares.add(VgpuView.share(gpus.get(device.index()), request));
            if (admitted.size() < request.count() && admits(gpus, earlier, shares)) {
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
            init += grant.init() ? 1 : 0;
            all.add(held(gpus, grant.gpus()));
        }
        all.add(shares);
        return quota.admits(init, all);
    }

    private static List<VgpuShare> held(List<Gpu> gpus, GpuGrant grant) {
        List<VgpuShare> held = new ArrayList<>();
        if (grant instanceof GpuGrant.Shared shared) {
            for (GpuShare share : shared.shares()) {
                String uuid = gpus.get(share.gpu()).uuid();
                long cores = share.computeMillis() / VgpuView.MILLIS_PER_CORE;
                held.add(new VgpuShare(uuid, VgpuRequest.NVIDIA, share.memoryMib(), cores));
            }
        } else {
            for (int index : grant.indexes()) {
                Gpu gpu = gpus.get(index);
                held.add(new VgpuShare(gpu.uuid(), VgpuRequest.NVIDIA, gpu.memoryMib(), 100));
            }
        }
        return held;
    }

    @Override
    public String toString() {
        return "hami/" + String.join(",", rules.gpuPolicy().names());
    }
}
