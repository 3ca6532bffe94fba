package io.gpusched.conformance.vgpu;

import io.gpusched.dialect.vgpu.VgpuDevice;
import io.gpusched.dialect.vgpu.VgpuShare;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.ContainerKind;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Turns GPUs as HAMi and Volcano report them, with what is in use of them, into a snapshot. Who uses them is not known
 * there: what is in use of a GPU is held by a pod named {@code reported/<node>-<index>}.
 */
public final class VgpuFixture {
    private static final int MILLIS_PER_CORE = 10;

    /**
     * Returns whether a snapshot can show these GPUs: all of them have something to give, names of their own and indexes
     * that count up, and what is in use has a user.
     */
    static boolean canShow(List<VgpuDevice> gpus) {
        for (int g = 0; g < gpus.size(); g++) {
            VgpuDevice gpu = gpus.get(g);
            boolean gives = gpu.slots().total() > 0
                    && gpu.memoryMib().total() > 0
                    && gpu.cores().total() > 0;
            boolean ownerless =
                    !gpu.isUsed() && (gpu.memoryMib().used() > 0 || gpu.cores().used() > 0);
            boolean outOfOrder = g > 0 && gpu.index() < gpus.get(g - 1).index();
            if (!gives || ownerless || outOfOrder) {
                return false;
            }
        }
        return gpus.stream().map(VgpuDevice::id).distinct().count() == gpus.size();
    }

    private static final long ROOMY_MIB = 1L << 24;
    private static final int ROOMY = 60_000;

    private VgpuFixture() {}

    /**
     * Returns a cluster of nodes with these GPUs by name; see {@link #of(Node, List)}.
     */
    static Cluster of(Map<String, List<VgpuDevice>> nodes) {
        List<Node> machines = new ArrayList<>();
        List<Placement> inUse = new ArrayList<>();
        nodes.forEach((name, gpus) -> {
            Cluster alone = of(Node.builder(name).build(), gpus);
            machines.add(alone.node(0).node());
            inUse.addAll(alone.placements());
        });
        return Cluster.of(machines, inUse);
    }

    /**
     * Returns a cluster of one node with these GPUs, whose indexes are their positions in the list. An over-booked GPU has
     * nothing free; one without slots, memory or compute to give takes nothing.
     *
     * @param node the node without GPUs
     */
    public static Cluster of(Node node, List<VgpuDevice> gpus) {
        Node.Builder builder = node.toBuilder();
        List<Placement> inUse = new ArrayList<>();
        for (VgpuDevice device : gpus) {
            Gpu gpu = device.toGpu(inUse.size());
            builder.gpu(gpu);
            inUse.add(inUse(node.name(), gpu, device));
        }
        return Cluster.of(
                List.of(builder.build()),
                inUse.stream().filter(placement -> !placement.gpus().isEmpty()).toList());
    }

    /**
     * Returns a node on whose GPUs, by UUID, one pod holds these shares.
     *
     * @param init how many of the containers, from the first, are init containers
     */
    static NodeState holding(int init, List<List<VgpuShare>> containers) {
        List<String> uuids = containers.stream()
                .flatMap(List::stream)
                .map(VgpuShare::gpu)
                .distinct()
                .sorted()
                .toList();
        Node.Builder node = Node.builder("node");
        uuids.forEach(uuid -> node.gpu(Gpu.of(uuids.indexOf(uuid), uuid, GpuModel.of("nvidia", "gpu", ROOMY_MIB))
                .withSlots(ROOMY)
                .withComputeMillis(ROOMY)));
        List<ContainerGrant> grants = new ArrayList<>();
        for (List<VgpuShare> shares : containers) {
            List<GpuShare> parts = shares.stream()
                    .map(share -> new GpuShare(
                            uuids.indexOf(share.gpu()), (int) share.cores() * MILLIS_PER_CORE, share.memoryMib(), 1))
                    .sorted(Comparator.comparingInt(GpuShare::gpu))
                    .toList();
            GpuGrant held = parts.isEmpty() ? GpuGrant.none() : new GpuGrant.Shared(parts);
            ContainerKind kind = grants.size() < init ? ContainerKind.INIT : ContainerKind.ORDINARY;
            grants.add(new ContainerGrant("c" + grants.size(), kind, held));
        }
        Placement placement = new Placement(PodId.of("pod"), "node", Resources.NONE, grants);
        return Cluster.of(List.of(node.build())).with(placement).node(0);
    }

    private static Placement inUse(String node, Gpu gpu, VgpuDevice device) {
        long memory = Math.min(device.memoryMib().used(), gpu.memoryMib());
        long millis = Math.min(device.cores().used() * MILLIS_PER_CORE, gpu.computeMillis());
        long slots = Math.min(device.slots().used(), gpu.slots());
        GpuGrant grant = memory == 0 && millis == 0 && slots == 0
                ? GpuGrant.none()
                : new GpuGrant.Shared(
                        List.of(new GpuShare(gpu.index(), (int) millis, memory, (int) Math.max(1, slots))));
        return new Placement(
                new PodId("reported", node + "-" + gpu.index()),
                node,
                Resources.NONE,
                List.of(ContainerGrant.of("main", grant)));
    }
}
