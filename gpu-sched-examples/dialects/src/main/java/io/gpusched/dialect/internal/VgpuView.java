package io.gpusched.dialect.internal;

import io.gpusched.dialect.vgpu.VgpuCodec;
import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuRequest;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.workload.GpuMemory;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** Shows nodes, requests and placements as HAMi and Volcano see them. */
public final class VgpuView {
    /** Thousandths of a GPU in one percent of it. */
    public static final int MILLIS_PER_CORE = 10;

    private static final long ALL_CORES = 100;

    private VgpuView() {}

    /** Returns the GPUs of a node by index. */
    public static List<VgpuDevice> gpus(NodeState node) {
        List<VgpuDevice> gpus = new ArrayList<>();
        for (Gpu gpu : node.node().gpus()) {
            gpus.add(new VgpuDevice(
                    gpu.uuid(),
                    gpu.index(),
                    gpu.numaNode(),
                    type(gpu),
                    gpu.partitions().isNone() ? "" : "mig",
                    gpu.healthy(),
                    new VgpuDevice.Amount(node.heldSlots(gpu.index()), gpu.slots()),
                    new VgpuDevice.Amount(node.heldMemoryMib(gpu.index()), gpu.memoryMib()),
                    new VgpuDevice.Amount(cores(gpu, node), gpu.computeMillis() / MILLIS_PER_CORE)));
        }
        return gpus;
    }

    /** A core counts if a part of it is in use. */
    private static int cores(Gpu gpu, NodeState node) {
        int free = gpu.computeMillis() - node.heldComputeMillis(gpu.index());
        return gpu.computeMillis() / MILLIS_PER_CORE - free / MILLIS_PER_CORE;
    }

    /** Returns vendor and model in one text; the vendor is put before models that do not name it. */
    public static String type(Gpu gpu) {
        String vendor = gpu.model().vendor().toUpperCase(Locale.ROOT);
        String name = gpu.model().name();
        return name.toUpperCase(Locale.ROOT).contains(vendor) ? name : vendor + "-" + name;
    }

    /** Returns what a container asks in their words; a whole GPU is all of its compute. */
    public static VgpuRequest request(GpuRequest request) {
        if (request instanceof GpuRequest.Share share) {
            OptionalInt percent = share.memory() instanceof GpuMemory.Percent part
                    ? OptionalInt.of(part.percent())
                    : OptionalInt.empty();
            long mib = share.memory() instanceof GpuMemory.Mib fixed ? fixed.mib() : 0;
            return new VgpuRequest(
                    share.count(), VgpuRequest.NVIDIA, mib, percent, share.computeMillis() / MILLIS_PER_CORE);
        }
        long least = request.selector().minMemoryMib();
        return new VgpuRequest(
                Math.max(1, request.count()),
                VgpuRequest.NVIDIA,
                least,
                least > 0 ? OptionalInt.empty() : OptionalInt.of(100),
                ALL_CORES);
    }

    /**
     * Returns what each container of a placement holds, in their words.
     *
     * @param requests what each container asked, in the order of the placement's containers
     */
    public static List<List<VgpuShare>> shares(
            List<Gpu> gpus, Placement placement, List<Optional<VgpuRequest>> requests) {
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

    /** Returns what a container with this request holds of a GPU. */
    public static VgpuShare share(Gpu gpu, VgpuRequest request) {
        return new VgpuShare(
                gpu.uuid(), request.type(), request.memoryMibOn(gpu.memoryMib()), Math.min(ALL_CORES, request.cores()));
    }

    /**
     * Returns the GPUs that an annotation names for a container, by index; none where it is empty. A UUID that the node
     * does not have is an error, since what the pod holds would be given away again.
     */
    public static List<Integer> indexes(String annotation, int container, Node node) {
        List<List<VgpuShare>> containers = VgpuCodec.decode(annotation.trim());
        return container >= containers.size()
                ? List.of()
                : containers.get(container).stream()
                        .map(share -> index(node, share.gpu()))
                        .sorted()
                        .toList();
    }

    /**
     * Returns where an annotation states what a container holds: at the container's place, or, where HAMi left out containers that
     * ask for nothing, at its place among the containers that ask. It does so on nodes whose devices are of models with names of their own.
     *
     * @param asking by container, whether it asks for such devices
     */
    public static int place(String annotation, int container, List<Boolean> asking) {
        int stated = VgpuCodec.decode(annotation.trim()).size();
        long all = asking.stream().filter(asks -> asks).count();
        if (stated == asking.size() || stated != all) {
            return container;
        }
        return asking.get(container)
                ? (int) asking.stream().limit(container).filter(asks -> asks).count()
                : stated;
    }

    /**
     * Returns the index of a GPU of a node.
     *
     * @throws IllegalArgumentException if the node does not have it
     */
    public static int index(Node node, String uuid) {
        return node.gpus().stream()
                .filter(gpu -> gpu.uuid().equals(uuid))
                .mapToInt(Gpu::index)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "gpu \"" + uuid + "\" is not on node \"" + node.name() + "\", which the pod runs on"));
    }
}
