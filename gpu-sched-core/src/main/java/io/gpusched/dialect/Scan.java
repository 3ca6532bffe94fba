package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One pod laid out on one node, container after container, without looking back. */
final class Scan {
    private final ScanRule rule;
    private final NodeState node;
    private final Pod pod;
    private final Map<String, GpuGrant> grants = new HashMap<>();

    Scan(ScanRule rule, NodeState node, Pod pod) {
        this.rule = rule;
        this.node = node;
        this.pod = pod;
    }

    /** Returns the layout, or nothing where the scan finds none. */
    Optional<Placement> place() {
        try {
            return scan();
        } catch (PlacementConflictException e) {
            return Optional.empty();
        }
    }

    private Optional<Placement> scan() {
        NodeState now = node;
        NodeState sidecars = node;
        for (Container container : rule.containers().apply(pod.containers())) {
            NodeState seen = container.init() ? sidecars : now;
            GpuGrant grant = choose(seen, container.gpu());
            if (grant == null) {
                return Optional.empty();
            }
            grants.put(container.name(), grant);
            if (!container.init()) {
                now = with(now, container, grant);
                sidecars = container.kind() == ContainerKind.SIDECAR ? with(sidecars, container, grant) : sidecars;
            }
        }
        Placement placement = placement();
        node.with(placement);
        return Optional.of(placement);
    }

    /** Returns the first GPUs that fit, or null; an init container sees the sidecars before it alone. */
    private @Nullable GpuGrant choose(NodeState now, GpuRequest request) {
        if (request instanceof GpuRequest.WholeNode) {
            return new GpuGrant.WholeNode(now.gpuCount());
        }
        if (request instanceof GpuRequest.Exclusive exclusive) {
            List<Integer> gpus = first(now, request, exclusive.count());
            return gpus.isEmpty() ? null : new GpuGrant.Whole(gpus);
        }
        if (request instanceof GpuRequest.Share share) {
            List<Integer> gpus = first(now, request, share.count());
            List<GpuShare> shares =
                    gpus.stream().map(gpu -> share(now, share, gpu)).toList();
            return gpus.isEmpty() ? null : new GpuGrant.Shared(shares);
        }
        return GpuGrant.none();
    }

    private List<Integer> first(NodeState now, GpuRequest request, int count) {
        List<Integer> found = IntStream.range(0, now.gpuCount())
                .boxed()
                .filter(gpu -> fits(now, request, gpu))
                .sorted(rule.gpus().on(now, request))
                .limit(count)
                .sorted()
                .toList();
        return found.size() < count ? List.of() : found;
    }

    private static boolean fits(NodeState now, GpuRequest request, int index) {
        Gpu gpu = now.node().gpus().get(index);
        if (request.selector().sameNumaNode()) {
            return false; // closeness is a matter of sets: left to the exact search
        }
        if (!gpu.healthy() || !request.selector().accepts(gpu)) {
            return false;
        }
        if (request instanceof GpuRequest.Share share) {
            return !now.isWhole(index)
                    && share.computeMillis() <= now.freeComputeMillis(index)
                    && share.memory().on(gpu.memoryMib()) <= now.freeMemoryMib(index)
                    && share.slots() <= now.freeSlots(index);
        }
        return now.isIdle(index);
    }

    private static GpuShare share(NodeState now, GpuRequest.Share share, int index) {
        long memory = share.memory().on(now.node().gpus().get(index).memoryMib());
        return new GpuShare(index, share.computeMillis(), memory, share.slots());
    }

    /** Books what a container got under a name of its own, so that the next container sees it. */
    private NodeState with(NodeState now, Container container, GpuGrant grant) {
        if (grant instanceof GpuGrant.None || grant instanceof GpuGrant.WholeNode) {
            return now;
        }
        PodId id = new PodId("scan " + pod.id().namespace(), pod.id().name() + " " + container.name());
        ContainerGrant held = new ContainerGrant(container.name(), false, grant);
        return now.with(Placement.on(now, id, Resources.NONE, List.of(held)));
    }

    private Placement placement() {
        List<ContainerGrant> held = new ArrayList<>();
        for (Container container : pod.containers()) {
            GpuGrant grant = grants.getOrDefault(container.name(), GpuGrant.none());
            held.add(new ContainerGrant(container.name(), container.kind(), grant));
        }
        return Placement.on(node, pod.id(), pod.resources(), held);
    }
}
