package io.gpusched.dialect.hami.vendor;

import io.gpusched.model.Gpu;
import io.gpusched.model.GpuLinks;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.workload.GpuRequest;
import java.util.List;

/** The devices of one vendor among the GPUs of a node. */
final class Devices {
    /** Connects devices of one group. */
    static final GpuLinks.Link GROUP = new GpuLinks.Link(10, 0);

    /** Connects devices of one module, more closely. */
    static final GpuLinks.Link MODULE = new GpuLinks.Link(100, 0);

    private Devices() {}

    /** Returns whether two GPUs of a node are of one module. */
    static boolean isOneModule(Node node, int gpu, int other) {
        return !node.links().isNone() && node.links().link(gpu, other).score() >= MODULE.score();
    }

    /** Returns whether two GPUs of a node are connected. */
    static boolean areConnected(Node node, int gpu, int other) {
        return !node.links().isNone() && node.links().link(gpu, other).score() > 0;
    }

    /** Returns the indexes of a vendor's devices on a node, ascending. */
    static List<Integer> of(Node node, String vendor) {
        return node.gpus().stream()
                .filter(gpu -> gpu.model().vendor().equals(vendor))
                .map(Gpu::index)
                .toList();
    }

    /** Returns all devices of the vendor of these devices, ascending; none for none. */
    static List<Integer> alike(Node node, List<Integer> some) {
        return some.isEmpty()
                ? some
                : of(node, node.gpus().get(some.get(0)).model().vendor());
    }

    /** Returns whether two GPUs are devices of one vendor. */
    static boolean areAlike(NodeState node, int one, int other) {
        List<Gpu> gpus = node.node().gpus();
        return gpus.get(one).model().vendor().equals(gpus.get(other).model().vendor());
    }

    /** Returns whether a device is idle, or its tenants have on average the memory that is asked for. */
    static boolean servesEqual(NodeState node, int index, GpuRequest request) {
        Gpu gpu = node.node().gpus().get(index);
        long tenants = (long) gpu.slots() - node.freeSlots(index);
        long used = gpu.memoryMib() - node.freeMemoryMib(index);
        return node.isIdle(index) || tenants > 0 && used == tenants * memoryMib(request, gpu);
    }

    private static long memoryMib(GpuRequest request, Gpu gpu) {
        return request instanceof GpuRequest.Share share ? share.on(gpu).memoryMib() : gpu.memoryMib();
    }
}
