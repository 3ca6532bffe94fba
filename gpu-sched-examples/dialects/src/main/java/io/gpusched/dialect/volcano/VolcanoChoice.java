package io.gpusched.dialect.volcano;

import io.gpusched.dialect.internal.VgpuView;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.Pod;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Volcano's choice: nodes in their order or by the plugin's node score, there GPUs in the plugin's order. A container that
 * asks for no compute stays off GPUs that have none left.
 *
 * @param policy the plugin's policy
 * @param nodeScore whether the plugin's node score counts
 */
record VolcanoChoice(VolcanoPolicy policy, boolean nodeScore) implements PlacementPolicy, DeviceOrder {
    private static final double SCORE_SCALE = 1L << 32;

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Optional<Placement> placement = after.placement(pod.id());
        if (!nodeScore || placement.isEmpty()) {
            return 0;
        }
        List<VgpuDevice> gpus = VgpuView.gpus(after);
        double score = 0;
        for (ContainerGrant grant : placement.get().containers()) {
            for (int gpu : grant.gpus().indexes()) {
                score += policy.score(gpus.get(gpu));
            }
        }
        return (long) (score * SCORE_SCALE);
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        VgpuRequest request = VgpuView.request(container.gpu());
        return VgpuView.gpus(node).stream()
                .filter(gpu -> request.cores() > 0 || gpu.cores().free() > 0)
                .sorted(policy.order())
                .mapToInt(VgpuDevice::index)
                .toArray();
    }

    @Override
    public String toString() {
        return "volcano/" + policy.name().toLowerCase(Locale.ROOT) + (nodeScore ? ", nodes by score" : "");
    }
}
