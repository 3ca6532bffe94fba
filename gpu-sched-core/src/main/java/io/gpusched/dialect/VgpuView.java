package io.gpusched.dialect;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PlacementConflictException;
import io.gpusched.workload.Container;
import io.gpusched.workload.GpuRequest;
import io.gpusched.workload.Pod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Shows a node of a snapshot as HAMi and Volcano see it, and turns their answers into placements. */
final class VgpuView {
    /** Thousandths of a GPU in one percent of it. */
    static final int MILLIS_PER_CORE = 10;

    private VgpuView() {}

    /** Returns the GPUs of a node by index. */
    static List<VgpuDevice> gpus(NodeState node) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (Gpu gpu : node.node().gpus()) {
            int g = gpu.index();
            gpus.add(new VgpuDevice(
                    gpu.uuid(),
                    g,
                    gpu.numaNode(),
                    type(gpu),
                    "",
                    gpu.healthy(),
                    amount(gpu.slots(), node.freeSlots(g)),
                    amount(gpu.memoryMib(), node.freeMemoryMib(g)),
                    amount(gpu.computeMillis() / MILLIS_PER_CORE, node.freeComputeMillis(g) / MILLIS_PER_CORE)));
        }
        return gpus;
    }

    private static VgpuDevice.Amount amount(long total, long free) {
        return new VgpuDevice.Amount(Math.max(0, total - free), total);
    }

    /** Returns vendor and model in one text; the vendor is put before models that do not name it. */
    static String type(Gpu gpu) {
        String vendor = gpu.model().vendor().toUpperCase(Locale.ROOT);
        String name = gpu.model().name();
        return name.toUpperCase(Locale.ROOT).contains(vendor) ? name : vendor + "-" + name;
    }

    /**
     * Returns the placement that gives a pod's containers these shares, or nothing if the node does not admit it.
     *
     * @param shares what each container gets, in the order of the pod's containers
     */
    static Optional<Placement> placement(NodeState node, Pod pod, List<List<VgpuShare>> shares) {
        Map<String, Integer> byUuid = new HashMap<>();
        node.node().gpus().forEach(gpu -> byUuid.put(gpu.uuid(), gpu.index()));
        List<ContainerGrant> grants = new ArrayList<>();
        for (int c = 0; c < shares.size(); c++) {
            Container container = pod.containers().get(c);
            GpuGrant grant = grant(container.gpu(), shares.get(c), byUuid);
            grants.add(new ContainerGrant(container.name(), container.kind(), grant));
        }
        Placement placement = Placement.on(node, pod.id(), pod.resources(), grants);
        try {
            node.with(placement);
            return Optional.of(placement);
        } catch (PlacementConflictException e) {
            return Optional.empty();
        }
    }

    private static GpuGrant grant(GpuRequest request, List<VgpuShare> shares, Map<String, Integer> byUuid) {
        if (shares.isEmpty()) {
            return GpuGrant.none();
        }
        List<GpuShare> parts = new ArrayList<>();
        for (VgpuShare share : shares) {
            int index = byUuid.getOrDefault(share.gpu(), 0);
            int millis = (int) share.cores() * MILLIS_PER_CORE;
            parts.add(new GpuShare(index, millis, share.memoryMib(), 1));
        }
        parts.sort(Comparator.comparingInt(GpuShare::gpu));
        return request instanceof GpuRequest.Exclusive
                ? new GpuGrant.Whole(parts.stream().map(GpuShare::gpu).toList())
                : new GpuGrant.Shared(parts);
    }

    /**
     * Returns what each container of a placement holds, in their words.
     *
     * @param requests what each container asked, in the order of the placement's containers
     */
    static List<List<VgpuShare>> shares(List<Gpu> gpus, Placement placement, List<Optional<VgpuRequest>> requests) {
        List<List<VgpuShare>> all = new ArrayList<>();
        for (int c = 0; c < placement.containers().size(); c++) {
            GpuGrant grant = placement.containers().get(c).gpus();
            Optional<VgpuRequest> request = requests.get(c);
            all.add(
                    request.isEmpty()
                            ? List.of()
                            : grant.indexes().stream()
                                    .map(index -> share(gpus.get(index), request.get()))
                                    .toList());
        }
        return all;
    }

    private static VgpuShare share(Gpu gpu, VgpuRequest request) {
        return new VgpuShare(
                gpu.uuid(), request.type(), request.memoryMibOn(gpu.memoryMib()), Math.min(100, request.cores()));
    }

    /**
     * Returns the GPUs that an annotation names for a container, by index; none where it is empty. A UUID that the node
     * does not have is an error, since what the pod holds would be given away again.
     */
    static List<Integer> indexes(String annotation, int container, Node node) {
        List<List<VgpuShare>> containers = VgpuCodec.decode(annotation.trim());
        return container >= containers.size()
                ? List.of()
                : containers.get(container).stream()
                        .map(share -> index(node, share.gpu()))
                        .sorted()
                        .toList();
    }

    private static int index(Node node, String uuid) {
        return node.gpus().stream()
                .filter(gpu -> gpu.uuid().equals(uuid))
                .mapToInt(Gpu::index)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "gpu \"" + uuid + "\" is not on node \"" + node.name() + "\", which the pod runs on"));
    }
}
