package io.gpusched.dialect.elasticgpu;

import io.gpusched.dialect.internal.GpuRule;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.policy.DeviceOrder;
import io.gpusched.policy.PlacementPolicy;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How elastic-gpu chooses. It looks at all ways to lay out a pod's containers together and takes the one with the highest
 * score, of equals the last: shares count up from GPU 0, the last container fastest, and whole GPUs are always the lowest
 * idle ones.
 *
 * <p>The score is the spread of what is left afterwards, by how many GPUs the pod itself uses: greatest free core plus
 * greatest free memory, minus the least of both, halved; divided by one more than the number of distinct GPUs that
 * containers with one GPU each were given; times 100. Every division rounds down. Percent and MiB are added up, so memory
 * decides; the result has no bounds. A pod's two containers on one GPU divide by 2, on two GPUs by 3; what other pods use
 * does not count.
 */
public enum ElasticGpuPolicy implements PlacementPolicy, DeviceOrder {
    /** By the score. */
    BINPACK,
    /** Not built there: everything scores 0, so that the last plan is taken. */
    SPREAD;

    @Override
    public long score(NodeState before, NodeState after, Pod pod) {
        Objects.requireNonNull(before, "before");
        Objects.requireNonNull(after, "after");
        Objects.requireNonNull(pod, "pod");
        if (after.gpuCount() == 0 || this == SPREAD) {
            return 0;
        }
        long mostCore = 0;
        long leastCore = Long.MAX_VALUE;
        long mostMemory = 0;
        long leastMemory = Long.MAX_VALUE;
        for (int g = 0; g < after.gpuCount(); g++) {
            long core = after.freeComputeMillis(g) / 10;
            mostCore = Math.max(mostCore, core);
            leastCore = Math.min(leastCore, core);
            mostMemory = Math.max(mostMemory, after.freeMemoryMib(g));
            leastMemory = Math.min(leastMemory, after.freeMemoryMib(g));
        }
        long range = (mostMemory + mostCore - leastMemory - leastCore) / 2;
        return range / (after.placement(pod.id()).map(ElasticGpuPolicy::gpusOf).orElse(0) + 1) * 100;
    }

    /** The GPUs of containers that hold one each; a container with several counts for nothing there. */
    private static int gpusOf(Placement placement) {
        Set<Integer> gpus = new HashSet<>();
        for (ContainerGrant grant : placement.containers()) {
            boolean one = !(grant.gpus() instanceof GpuGrant.None)
                    && grant.gpus().indexes().size() == 1;
            gpus.addAll(one ? grant.gpus().indexes() : List.of());
        }
        return gpus.size();
    }

    @Override
    public Optional<DeviceOrder> deviceOrder() {
        return Optional.of(this);
    }

    @Override
    public int[] gpus(NodeState node, List<ContainerGrant> earlier, Container container) {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(earlier, "earlier");
        Objects.requireNonNull(container, "container");
        return GpuRule.sorted(
                node,
                container.gpu() instanceof GpuRequest.Share ? Comparator.reverseOrder() : Comparator.naturalOrder());
    }

    @Override
    public boolean decides() {
        return this == SPREAD;
    }

    @Override
    public String toString() {
        return this == BINPACK ? "elastic-gpu/binpack" : "elastic-gpu/spread";
    }
}
