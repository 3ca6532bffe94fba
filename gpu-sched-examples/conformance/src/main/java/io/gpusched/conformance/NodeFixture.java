package io.gpusched.conformance;

import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.dialect.Dialect;
import io.gpusched.dialect.DialectScheduler;
import io.gpusched.dialect.PodManifest;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.Gpu;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuModel;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Node;
import io.gpusched.model.NodeMode;
import io.gpusched.model.NodeState;
import io.gpusched.model.Placement;
import io.gpusched.model.PodId;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Builds nodes in a given state: what is in use is held by pods named {@code used-<gpu>}. */
public final class NodeFixture {
    /**
     * A GPU of which a part is in use.
     *
     * @param memoryMib its memory
     * @param usedComputeMillis compute in use
     * @param usedMemoryMib memory in use
     * @param healthy whether it is healthy
     */
    public record Device(long memoryMib, int usedComputeMillis, long usedMemoryMib, boolean healthy) {}

    private NodeFixture() {}

    /** Returns a node of mixed mode with these GPUs in this state. */
    public static NodeState node(String name, List<Device> devices) {
        return cluster(List.of(name), List.of(devices)).node(name).orElseThrow();
    }

    /** Returns a cluster of nodes of mixed mode with these GPUs in this state. */
    public static Cluster cluster(List<String> names, List<List<Device>> devices) {
        List<Node> nodes = new ArrayList<>();
        List<Placement> used = new ArrayList<>();
        for (int n = 0; n < names.size(); n++) {
            nodes.add(machine(names.get(n), devices.get(n)));
            used.addAll(usage(names.get(n), devices.get(n)));
        }
        Cluster cluster = Cluster.of(nodes).withAll(used);
        for (int n = 0; n < names.size(); n++) {
            for (int g = 0; g < devices.get(n).size(); g++) {
                cluster = devices.get(n).get(g).healthy() ? cluster : cluster.withGpuHealth(names.get(n), g, false);
            }
        }
        return cluster;
    }

    /**
     * Returns where a pod goes on this node alone by the dialect's translation and the scheduler, or nothing.
     *
     * @throws io.gpusched.dialect.RefusedException if the dialect's rules forbid the pod
     */
    public static Optional<Placement> place(Dialect dialect, NodeState node, PodManifest pod) {
        Node healthy = node.node();
        for (Gpu gpu : node.node().gpus()) {
            healthy = healthy.withGpuHealth(gpu.index(), true);
        }
        Cluster alone = Cluster.of(List.of(healthy)).withAll(node.placements());
        for (Gpu gpu : node.node().gpus()) {
            alone = alone.withGpuHealth(node.name(), gpu.index(), gpu.healthy());
        }
        return placement(DialectScheduler.of(dialect).schedule(alone, pod));
    }

    /** Returns the placement of a decision, or nothing. */
    public static Optional<Placement> placement(Decision decision) {
        return decision instanceof Placed placed ? Optional.of(placed.placement()) : Optional.empty();
    }

    private static Node machine(String name, List<Device> devices) {
        Node.Builder builder = Node.builder(name).mode(NodeMode.MIXED).maxPods(1_000);
        for (int g = 0; g < devices.size(); g++) {
            GpuModel model = GpuModel.of("nvidia", "gpu", devices.get(g).memoryMib());
            builder.gpu(Gpu.of(g, name + "-gpu-" + g, model));
        }
        return builder.build();
    }

    private static List<Placement> usage(String name, List<Device> devices) {
        List<Placement> used = new ArrayList<>();
        for (int g = 0; g < devices.size(); g++) {
            Device device = devices.get(g);
            if (device.usedComputeMillis() > 0 || device.usedMemoryMib() > 0) {
                GpuShare share = new GpuShare(g, device.usedComputeMillis(), device.usedMemoryMib(), 1);
                ContainerGrant held = ContainerGrant.of("main", new GpuGrant.Shared(List.of(share)));
                used.add(new Placement(PodId.of(name + "/used-" + g), name, Resources.NONE, List.of(held)));
            }
        }
        return used;
    }
}
