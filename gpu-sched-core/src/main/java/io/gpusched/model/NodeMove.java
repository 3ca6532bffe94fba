package io.gpusched.model;

/** Carries what runs on a node over to a changed machine of the same name. */
final class NodeMove {
    private NodeMove() {}

    /**
     * Returns the fresh node with everything placed that ran on the old one. GPUs that are not healthy keep what runs on
     * them.
     *
     * @throws PlacementConflictException if something does not go with the new machine
     */
    static NodeState move(NodeState old, NodeState fresh) {
        Node.Builder healthy = Node.builder(fresh.name())
                .mode(fresh.node().mode())
                .capacity(
                        fresh.node().capacity().cpuMillis(),
                        fresh.node().capacity().memoryMib())
                .maxPods(fresh.node().maxPods());
        for (Gpu gpu : fresh.node().gpus()) {
            healthy.gpu(gpu.withHealthy(true));
        }
        NodeState moved = fresh.on(healthy.build(), fresh.nodeClass(), fresh.order(), fresh.slot());
        for (Placement placement : old.placements()) {
            moved = moved.with(placement);
        }
        return moved.on(fresh.node(), fresh.nodeClass(), fresh.order(), fresh.slot());
    }
}
