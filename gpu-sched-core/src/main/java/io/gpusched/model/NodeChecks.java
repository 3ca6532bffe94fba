package io.gpusched.model;

import java.util.List;

/** Decides whether a placement goes with what a node has free, and says what stands against it. */
final class NodeChecks {
    private NodeChecks() {}

    static void checkNotHere(NodeState state, Placement placement) {
        Placement twin = state.placement(placement.pod());
        if (twin != null) {
            throw conflict(state, placement, "the pod already runs there: " + twin);
        }
    }

    static void checkPlace(NodeState state, Placement placement, Holdings add, boolean wholeNode) {
        if (state.isHeldWhole()) {
            throw conflict(
                    state, placement, "pod \"" + state.placements().get(0).pod() + "\" holds the whole node");
        }
        if (state.podCount() >= state.nodeClass().maxPods()) {
            throw conflict(
                    state,
                    placement,
                    "pods must be at most " + state.nodeClass().maxPods() + ", one more makes "
                            + (state.podCount() + 1));
        }
        if (wholeNode) {
            checkWholeNode(state, placement);
        } else {
            checkAmount(state, placement, "cpuMillis", placement.resources().cpuMillis(), state.freeCpuMillis());
            checkAmount(state, placement, "memoryMib", placement.resources().memoryMib(), state.freeMemoryMib());
        }
        checkMode(state, placement);
        for (long rest = add.whole() | add.parts(); rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            boolean whole = (add.whole() >>> gpu & 1) != 0;
            checkGpu(state, placement, gpu, whole ? GpuWord.WHOLE : add.share(gpu));
        }
    }

    private static void checkWholeNode(NodeState state, Placement placement) {
        if (!state.isEmpty()) {
            throw conflict(
                    state,
                    placement,
                    "the whole node is asked for, but " + state.podCount() + " pods run there, first "
                            + state.placements().get(0).pod());
        }
        if (!placement.resources().fitsIn(state.capacity())) {
            throw conflict(
                    state, placement, "it needs " + placement.resources() + ", the node has " + state.capacity());
        }
    }

    private static void checkAmount(NodeState state, Placement placement, String field, long asked, long free) {
        if (asked > free) {
            throw conflict(state, placement, field + " must be in 0.." + free + " (what is free), got " + asked);
        }
    }

    /** Looks at each container: what they hold together may be whole though an init container holds only a part. */
    private static void checkMode(NodeState state, Placement placement) {
        NodeMode mode = state.nodeClass().mode();
        if (mode == NodeMode.MIXED) {
            return;
        }
        List<ContainerGrant> containers = placement.containers();
        for (int i = 0; i < containers.size(); i++) {
            GpuGrant grant = containers.get(i).gpus();
            boolean part = grant instanceof GpuGrant.Shared;
            boolean admitted = grant instanceof GpuGrant.None || (part ? mode.admitsShares() : mode.admitsWhole());
            if (!admitted) {
                throw conflict(
                        state,
                        placement,
                        "gpu " + grant.indexes().get(0) + " is asked for " + (part ? "in part" : "whole")
                                + ", but the node's mode is " + mode);
            }
        }
    }

    private static void checkGpu(NodeState state, Placement placement, int index, long add) {
        Gpu gpu = state.nodeClass().gpus().get(index);
        boolean whole = GpuWord.isWhole(add);
        if (!state.isHealthy(index)) {
            throw conflict(state, placement, "gpu " + index + " is not healthy");
        }
        long used = state.word(index);
        if (whole && used != 0 || GpuWord.isWhole(used)) {
            throw conflict(
                    state,
                    placement,
                    "gpu " + index + " is asked for " + (whole ? "whole" : "in part") + ", but it is "
                            + (GpuWord.isWhole(used) ? "held whole" : "held in part"));
        }
        if (!whole && !GpuWord.sumFits(used, add, gpu)) {
            throw conflict(
                    state,
                    placement,
                    "gpu " + index + " has " + state.freeComputeMillis(index) + "m, "
                            + state.freeMemoryMib(index) + " MiB and " + state.freeSlots(index)
                            + " slots free, asked are "
                            + GpuWord.compute(add) + "m, " + GpuWord.memory(add) + " MiB and " + GpuWord.slots(add)
                            + " slots");
        }
    }

    private static PlacementConflictException conflict(NodeState state, Placement placement, String why) {
        return new PlacementConflictException("cannot place pod \"" + placement.pod() + "\" on node \""
                + state.name() + "\": " + why
                + "\nMaybe the placement was decided on another snapshot than the one it is applied to.");
    }
}
